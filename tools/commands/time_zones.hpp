// Time zones by their names: the clock changes that this machine's zone files tell of (RFC 8536).
#pragma once

#include "core/base/result.hpp"
#include "core/base/time_zone.hpp"
#include "tools/commands/context.hpp"

#include <string>
#include <string_view>

namespace almanac {

/// The content of a zone file as changes from `from` on and for forty years; an error if it is none.
Result<TimeZone> read_zone(std::string_view content, Instant from);

struct NamedZone {
  std::string name;
  TimeZone zone;
};
/// The zone of that name, or the caller's if there is none (TZ, else /etc/localtime).
Result<NamedZone> find_zone(const Context& context, const std::string& name);

} // namespace almanac
