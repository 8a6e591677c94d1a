// The files of a cell with the keys of reservations (spec/metascheduler.md section 6): in DIR/ca,
// `reservation.keys` with a line `SINCE KEY` for each key that signs, and `reservation.secret` with
// the key that secrets are sealed with. Both are the master's alone.
#pragma once

#include "actors/ports/archive.hpp"
#include "actors/trust/reservation_key.hpp"
#include "core/base/result.hpp"

#include <string>
#include <string_view>

namespace almanac {

class Journal;

/// Reads them, and makes those that are not there. Keys are rotated by this alone, so at each start
/// of a master there is the next one, too. `journal`: which reservations there are.
Result<SiteKeys> open_site_keys(const std::string& directory, const Journal& journal, Instant now);

/// The lines of reservation.keys. The error names the line.
Result<std::vector<SiteKey>> parse_site_keys(std::string_view text);
std::string print_site_keys(const std::vector<SiteKey>& keys);

} // namespace almanac
