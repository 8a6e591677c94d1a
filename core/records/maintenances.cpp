#include "core/records/maintenances.hpp"

#include "core/records/records.hpp"

#include <algorithm>

namespace almanac {

namespace {

bool closes(const Reservation* reservation) {
  return reservation && reservation->request.maintenance && reservation->is_granted();
}

Maintenance closing_of(const Reservation& reservation) {
  return {reservation.shape.window, reservation.key, reservation.number,
          reservation.phase == ReservationPhase::running};
}

} // namespace

void Maintenances::rebuild(const Records& records) {
  on_.clear(), keys_.clear();
  for (const auto& reservation : Listing<Reservation>(records.all<Reservation>()))
    changed(nullptr, &reservation);
}

void Maintenances::changed(const Reservation* before, const Reservation* after) {
  const bool is_same = closes(before) && closes(after) &&
                       closing_of(*before) == closing_of(*after) &&
                       before->request.hosts == after->request.hosts;
  if (is_same) return;
  if (closes(before)) remove(*before);
  if (closes(after)) add(*after);
}

void Maintenances::add(const Reservation& reservation) {
  const auto closing = closing_of(reservation);
  for (const auto& host : reservation.request.hosts) {
    auto& list = on_[host];
    list.insert(std::upper_bound(list.begin(), list.end(), closing), closing);
  }
  keys_.insert(reservation.key);
}

void Maintenances::remove(const Reservation& reservation) {
  for (const auto& host : reservation.request.hosts) {
    const auto it = on_.find(host);
    std::erase_if(it->second, [&](const Maintenance& one) { return one.key == reservation.key; });
    if (it->second.empty()) on_.erase(it);
  }
  keys_.erase(reservation.key);
}

const std::vector<Maintenance>& Maintenances::on(const std::string& host) const {
  static const std::vector<Maintenance> none;
  if (on_.empty()) return none;
  const auto it = on_.find(host);
  return it == on_.end() ? none : it->second;
}

const Maintenance* Maintenances::present_on(const std::string& host) const {
  const Maintenance* last = nullptr;
  for (const auto& one : on(host))
    if (one.has_begun && (!last || one.window.end > last->window.end)) last = &one;
  return last;
}

} // namespace almanac
