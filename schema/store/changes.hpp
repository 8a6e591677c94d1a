// The events of each input, as rows of the store: written in the commit of their input, so that
// both are there or none is, and removed after a while.
//
// A row has some 25 bytes. Its key is the number of the input and the place among its events. Its
// value is a text: a letter for the kind (j, r, h, i, s; o and the letter of its kind for an object),
// one of + ~ - for the verb, then the key of a job or reservation with, where it was removed,
// "/number/name"; of everything else the name. "j~77", "j-77/12/sleep", "oa+all.q".
#pragma once

#include "core/records/change_cursor.hpp"
#include "core/records/event.hpp"
#include "schema/store/keys.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac::store {

/// The keys of meta: which starts of the master wrote events (MasterStarts), and up to which input
/// they may have been removed.
inline constexpr const char* starts_key = "starts";
inline constexpr const char* changes_removed_key = "changes_removed";

struct ChangeRow {
  Sequence sequence;
  std::int64_t position = 0;
  Event event;
};

/// What an input tells.
std::vector<ChangeRow> rows_of(Sequence sequence, const std::vector<Event>& events);

/// Each object once, at its last row.
std::vector<ChangeRow> merged(std::vector<ChangeRow> rows);

std::string change_key(Sequence sequence, std::int64_t position);
/// The first key behind what a cursor has heard.
std::string key_behind(const ChangeCursor& cursor);
Write write_of(const ChangeRow& row);
/// Nothing: it can't be read.
std::optional<ChangeRow> change_row(std::string_view key, std::string_view value);

} // namespace almanac::store
