#include "tools/simulator/coallocation/hold_watch.hpp"

#include "schema/codec.hpp"

#include <algorithm>

namespace almanac {

void HoldWatch::note(const std::vector<store::Write>& batch, std::int64_t now_ms) {
  for (const auto& write : batch) {
    if (write.family != store::Family::reservations) continue;
    if (!write.value) {
      note_erased(store::key_of_stored<ReservationKey>(write.key), now_ms);
      continue;
    }
    const auto reservation = decode<Reservation>(*write.value);
    check(reservation.ok(), "what a master commits can be read");
    if (reservation->owner.user == owner_) note(*reservation, now_ms);
  }
}

void HoldWatch::note(const Reservation& reservation, std::int64_t now_ms) {
  const auto [it, is_new] = places_.try_emplace(reservation.key, holds_.size());
  if (is_new) holds_.emplace_back();
  auto& hold = holds_[it->second];
  const bool is_held = reservation.phase == ReservationPhase::proposed;
  if (is_held) {
    const auto& proposal = reservation.proposed.front();
    hold.reservation = "R" + to_string(reservation.number);
    hold.transaction = proposal.transaction;
    hold.until_ms = trial_ms(lapses_at(reservation));
  }
  const auto& window =
      is_held ? reservation.proposed.front().shape.window : reservation.shape.window;
  hold.start = window.start, hold.over_ms = trial_ms(window.end);
  if (reservation.is_granted() && hold.state != HoldState::committed) {
    hold.state = HoldState::committed;
    hold.forgotten_ms = now_ms + (remembered_for.seconds - 1) * 1000; // of whole seconds
  }
  if (!reservation.is_over()) return;
  if (hold.state == HoldState::held) hold.state = HoldState::aborted;
  else if (hold.over_ms > now_ms) hold.state = HoldState::released;
}

// A committed one whose window has ended was kept to its end.
void HoldWatch::note_erased(ReservationKey key, std::int64_t now_ms) {
  const auto it = places_.find(key);
  if (it == places_.end()) return;
  auto& hold = holds_[it->second];
  if (hold.state == HoldState::held) hold.state = HoldState::aborted;
  if (hold.state == HoldState::committed && hold.over_ms > now_ms) hold.state = HoldState::released;
}

std::int64_t HoldWatch::first_end_ms() const {
  auto first = never;
  for (const auto& hold : holds_)
    if (hold.state == HoldState::held) first = std::min(first, hold.until_ms);
  return first;
}

} // namespace almanac
