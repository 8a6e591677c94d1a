#include "core/mail/outbox.hpp"

#include <algorithm>

namespace almanac {

void Outbox::add(Letter letter) {
  const auto sequence = letter.sequence;
  waiting_.emplace(sequence, Entry{std::move(letter), 0, {}});
}

const Letter* Outbox::due(Instant now) const {
  const auto it = std::find_if(waiting_.begin(), waiting_.end(),
                               [&](const auto& entry) { return entry.second.next <= now; });
  return it == waiting_.end() ? nullptr : &it->second.letter;
}

bool Outbox::failed(std::int64_t sequence, Instant now) {
  auto& entry = waiting_.at(sequence);
  if (++entry.tries == most_tries) {
    waiting_.erase(sequence);
    return false;
  }
  auto wait = first_wait;
  for (std::int64_t i = 1; i < entry.tries && wait < longest_wait; ++i) wait = wait + wait;
  entry.next = now + std::min(wait, longest_wait);
  return true;
}

Instant Outbox::next_try() const {
  auto next = Instant::never();
  for (const auto& [sequence, entry] : waiting_) next = std::min(next, entry.next);
  return next;
}

} // namespace almanac
