#include "tools/simulator/world/agenda.hpp"

#include <algorithm>

namespace almanac {

std::size_t Agenda::add() {
  entries_.emplace_back();
  touch(entries_.size() - 1);
  return entries_.size() - 1;
}

void Agenda::touch(std::size_t who) {
  if (!std::exchange(entries_[who].touched, true)) touched_.push_back(who);
}

void Agenda::touch_all() {
  for (std::size_t who = 0; who < entries_.size(); ++who) touch(who);
}

std::vector<std::size_t> Agenda::due(std::int64_t now) {
  std::vector<std::size_t> due;
  for (auto it = moments_.begin(); it != moments_.end() && it->first <= now; ++it)
    due.push_back(it->second);
  std::sort(due.begin(), due.end());
  for (const auto who : due) touch(who);
  return due;
}

void Agenda::note(std::size_t who, const Outlook& outlook) {
  auto& entry = entries_[who];
  set_ready(who, outlook.ready);
  if (entry.next == outlook.next) return;
  if (entry.next != never) moments_.erase({entry.next, who});
  if (outlook.next != never) moments_.insert({outlook.next, who});
  entry.next = outlook.next;
}

// The last one takes the place of one that leaves.
void Agenda::set_ready(std::size_t who, bool is_ready) {
  auto& at = entries_[who].at;
  if (is_ready == (at != nowhere)) return;
  if (is_ready) {
    at = ready_.size();
    ready_.push_back(who);
    return;
  }
  ready_[at] = ready_.back();
  entries_[ready_[at]].at = at;
  ready_.pop_back();
  at = nowhere;
}

} // namespace almanac
