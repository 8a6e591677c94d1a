#include "core/records/change_cursor.hpp"

#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Two numbers with a character between them.
struct Pair {
  std::int64_t first = 0, second = 0;
};
std::optional<Pair> parse_pair(std::string_view text, char between) {
  const auto at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const auto first = parse_number(text.substr(0, at)), second = parse_number(text.substr(at + 1));
  if (!first || !second) return std::nullopt;
  return Pair{*first, *second};
}

} // namespace

std::string ChangeCursor::text() const {
  auto result = to_string(term) + "-" + to_string(sequence);
  return position == whole ? result : result + "." + std::to_string(position);
}

std::optional<ChangeCursor> ChangeCursor::parse(std::string_view text) {
  const auto dot = text.find('.');
  const auto begin = parse_pair(text.substr(0, dot), '-');
  if (!begin) return std::nullopt;
  ChangeCursor cursor{{begin->first}, {begin->second}};
  if (dot == std::string_view::npos) return cursor;
  const auto position = parse_number(text.substr(dot + 1));
  if (!position) return std::nullopt;
  cursor.position = *position;
  return cursor;
}

MasterStarts MasterStarts::parse(std::string_view text) {
  MasterStarts starts;
  for (const auto& word : words(std::string(text), " "))
    if (const auto start = parse_pair(word, '-')) starts.add({start->first}, {start->second});
  return starts;
}

std::string MasterStarts::text() const {
  std::string result;
  for (const auto& start : starts_)
    result += (result.empty() ? "" : " ") + to_string(start.term) + "-" + to_string(start.first);
  return result;
}

void MasterStarts::add(Term term, Sequence first) {
  if (!starts_.empty() && starts_.back().term == term) return; // it is known already
  starts_.push_back({term, first});
  if (starts_.size() > most) starts_.erase(starts_.begin());
}

// What a later start begins with belongs to it alone.
bool MasterStarts::have(const ChangeCursor& cursor) const {
  const auto known = std::find_if(starts_.begin(), starts_.end(),
                                  [&](const Start& start) { return start.term == cursor.term; });
  return known != starts_.end() &&
         std::all_of(std::next(known), starts_.end(),
                     [&](const Start& later) { return cursor.sequence < later.first; });
}

} // namespace almanac
