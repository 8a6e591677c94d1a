#include "core/matching/occupants.hpp"

#include <algorithm>

namespace almanac {

Occupants::Occupants(const Snapshot& state, Window window, ReservationKey reservation_key,
                     bool firmly)
    : window_(window), configuration_(state.configuration()) {
  auto keys = state.occupancy().ends.jobs();
  const auto& held = state.occupancy().jobs_with_holds.keys();
  keys.insert(keys.end(), held.begin(), held.end());
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const auto key : keys) {
    const auto* job = state.job(key);
    if (!job || job->reservation_key != reservation_key) continue;
    const auto name = "job " + to_string(job->number);
    for (const auto& task : state.tasks_of(key))
      add(name + (task.number > 0 ? "." + std::to_string(task.number) : ""), task.bookings,
          firmly && !task.bookings.empty() ? firm_window(task) : task.booked);
    if (state.is_aside(key)) continue;
    for (const auto& hold : job->holds) add(name + " (held)", hold.bookings, hold.window);
  }
  if (reservation_key) return;
  for (const auto& reservation : state.reservations())
    each_booked(reservation, [&](const std::vector<Booking>& bookings, Window booked) {
      add("advance reservation " + to_string(reservation.number), bookings, booked);
    });
}

void Occupants::add(const std::string& who, const std::vector<Booking>& bookings, Window booked) {
  if (!booked.overlaps(window_)) return;
  for (const auto& booking : bookings)
    shares_[{booking.container, booking.resource}].push_back({who, booking.amount});
}

std::string Occupants::text(const Container& container, const Resource& resource) const {
  constexpr std::size_t most = 10;
  const auto it = shares_.find({container, resource});
  if (it == shares_.end()) return {};
  auto shares = it->second;
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.amount > b.amount; });
  const auto* complex = configuration_.complexes().find(resource.name);
  std::string text;
  for (std::size_t i = 0; i < shares.size() && i < most; ++i)
    text += (i == 0 ? "" : ", ") + shares[i].who + ": " +
            (complex ? complex->print_amount(shares[i].amount) : std::to_string(shares[i].amount));
  if (shares.size() > most) text += " and " + std::to_string(shares.size() - most) + " more";
  return text;
}

} // namespace almanac
