#include "actors/master/subscription.hpp"

#include "core/text/words.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace almanac {

Subscription::Subscription(const door::Subscribe& wanted, ChangeCursor at) : at_(at) {
  // CONFIG names two: the cell's configuration, and that of each host.
  for (const auto& word : wanted.kinds)
    for (const auto& kind : event_kinds())
      if (equal_ignoring_case(prefix_of(kind), word)) kinds_.insert(kind);
}

std::vector<store::ChangeRow>
Subscription::wanted(const std::vector<store::ChangeRow>& rows) const {
  std::vector<store::ChangeRow> result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
               [&](const auto& row) { return kinds_.empty() || kinds_.contains(row.event.kind); });
  return result;
}

// A single input may change more than may wait: nobody is too slow for that.
void Subscription::note(const std::vector<store::ChangeRow>& rows) {
  if (is_asking_ || rows.empty()) return;
  if (waiting_ > most_waiting || bytes_ > most_bytes) is_too_slow_ = true;
  for (const auto& row : wanted(rows)) ++waiting_, bytes_ += sizeof row + row.event.name.size();
}

std::deque<std::string> frames_of(door::Changes changes, const std::optional<ChangeCursor>& at) {
  auto& items = changes.changes;
  changes.cursor = at ? at->text() : "";
  auto content = encode(door::Reply{false, changes});
  if (content.size() <= door::largest_frame || items.size() < 2) return {std::move(content)};
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
  door::Changes rest;
  rest.changes.assign(std::make_move_iterator(middle), std::make_move_iterator(items.end()));
  items.erase(middle, items.end());
  auto between = at;
  if (between)
    between->sequence = {items.back().sequence}, between->position = items.back().position;
  auto frames = frames_of(std::move(changes), between);
  for (auto& frame : frames_of(std::move(rest), at)) frames.push_back(std::move(frame));
  return frames;
}

} // namespace almanac
