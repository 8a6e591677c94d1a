#include "core/matching/supply.hpp"

#include "core/matching/lent_room.hpp"
#include "core/matching/whole_hosts.hpp"

#include <algorithm>

namespace almanac {

std::int64_t overbooked(const Snapshot& state, const Booking& booking, Instant now) {
  const auto capacity =
      configured_capacity(state.configuration(), booking.container, booking.resource);
  if (!capacity) return 0;
  return state.used(booking.container, booking.resource, {now, now + Duration{1}}) - *capacity;
}

Supply Supply::of_cluster(const Snapshot& state) {
  Supply supply;
  supply.state_ = &state, supply.ledger_ = &state.ledger();
  supply.minds_maintenance_ = true;
  supply.minds_calendars_ =
      state.configuration().scheduler().most_holds > 0 || state.are_any_reserved();
  return supply;
}

Supply Supply::of_promises(const Snapshot& state, bool endless) {
  auto supply = of_cluster(state);
  supply.other_ = state.firm_ledger(), supply.endless_ = endless;
  supply.minds_calendars_ = supply.minds_calendars_ || !endless;
  return supply;
}

Supply Supply::of_holds(const Snapshot& state, bool endless) {
  auto supply = of_cluster(state);
  if (!endless) return supply;
  supply.other_ = state.reserved_ledger(), supply.of_other_ = &Capacity::reserved;
  supply.endless_ = true;
  return supply;
}

Supply Supply::of_reservations(const Snapshot& state, bool preempts) {
  if (!preempts) return of_promises(state, false);
  auto supply = of_cluster(state);
  supply.ledger_ = &state.promised_ledger(), supply.of_booked_ = &Capacity::reserved;
  supply.minds_calendars_ = true;
  return supply;
}

Supply Supply::asked_by(Claim claim) const {
  auto supply = *this;
  supply.claim_ = claim;
  return supply;
}

Supply Supply::before_preempting(bool gives_way) const {
  auto supply = *this;
  supply.gives_way_ = gives_way;
  return supply;
}

Supply Supply::of_empty_cluster(const Snapshot& state, Claim claim, bool gives_way, Instant from) {
  auto ledger = std::make_shared<Ledger>();
  for (const auto& reservation : state.reservations())
    if (reservation.is_granted())
      each_booked(reservation, [&](const std::vector<Booking>& bookings, Window window, Claim of) {
        const bool gives = (of == Claim::spare && claim == Claim::rerunnable) ||
                           (of == Claim::preempting && gives_way);
        if (!gives && window.end > from) ledger->book(bookings, window);
      });
  Supply supply;
  supply.state_ = &state, supply.ledger_ = ledger.get(), supply.own_ledger_ = ledger;
  supply.own_indexes_ = std::make_shared<std::map<Resource, CapacityIndex>>();
  return supply;
}

Supply Supply::inside(const Snapshot& state, const Reservation& reservation) {
  Supply supply;
  supply.state_ = &state, supply.reservation_ = &reservation,
  supply.ledger_ = &state.ledger_of(reservation.key);
  supply.own_indexes_ = std::make_shared<std::map<Resource, CapacityIndex>>();
  return supply;
}

Supply Supply::of_reservation(const Snapshot& state, const Reservation& reservation, Instant now) {
  auto supply = inside(state, reservation);
  if (reservation.request.maintenance) {
    supply.usable_ = std::make_shared<const Shape>(left_of_hosts(state, reservation, now));
    return supply;
  }
  supply.minds_maintenance_ = true;
  if (!reservation.proposed.empty() || !reservation.left_behind.empty())
    supply.usable_ = std::make_shared<const Shape>(usable(reservation));
  std::shared_ptr<Shape> lessened;
  const auto& whole = supply.shape().bookings;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const auto excess = std::max<std::int64_t>(0, overbooked(state, whole[i], now)) +
                        held_by_lenders(state, reservation, whole[i], now);
    if (excess <= 0) continue;
    if (!lessened) lessened = std::make_shared<Shape>(supply.shape());
    lessened->bookings[i].amount = std::max<std::int64_t>(0, whole[i].amount - excess);
  }
  if (lessened) supply.usable_ = std::move(lessened);
  return supply;
}

Supply Supply::of_empty_reservation(const Snapshot& state, const Reservation& reservation) {
  auto supply = inside(state, reservation);
  auto ledger = std::make_shared<Ledger>();
  for (const auto& loan : reservation.lent) ledger->book(loan.bookings, loan.window);
  supply.own_ledger_ = std::move(ledger), supply.ledger_ = supply.own_ledger_.get();
  if (reservation.request.maintenance)
    supply.usable_ = std::make_shared<const Shape>(whole_hosts(state, reservation));
  return supply;
}

const CapacityIndex& Supply::capacity_index(const Resource& resource) const {
  if (!own_indexes_) return state_->capacity_index(resource);
  const auto it = own_indexes_->find(resource);
  if (it != own_indexes_->end()) return it->second;
  const auto& configuration = state_->configuration();
  auto capacity_index = reservation_
                            ? CapacityIndex(configuration, shape().bookings, resource, *ledger_)
                            : CapacityIndex(configuration, resource, *ledger_);
  return own_indexes_->emplace(resource, std::move(capacity_index)).first->second;
}

Supply::Diagrams Supply::seen(const Diagram* of_the_books) const {
  const auto* diagram =
      gives_way_ ? state_->seen_before_preempting(of_the_books) : state_->seen(of_the_books);
  if (claim_ == Claim::rerunnable) return {diagram};
  const auto* second = state_->seen_with_spares(of_the_books);
  return second && claim_ == Claim::spare ? Diagrams{second} : Diagrams{diagram, second};
}

std::int64_t Supply::used(const Capacity& capacity, Window window) const {
  std::int64_t most = 0;
  const auto look_at = [&](const Diagrams& diagrams) {
    for (const auto* diagram : diagrams)
      if (diagram) most = std::max(most, diagram->max(window));
  };
  look_at(booked(capacity));
  if (!other_) return most;
  if (endless_) window.end = Instant::never();
  look_at(seen(capacity.*of_other_));
  return most;
}

std::optional<std::int64_t> Supply::free(const Capacity& capacity, Window window) const {
  if (!capacity.total) return std::nullopt;
  return *capacity.total - used(capacity, window);
}

std::optional<std::int64_t> Supply::capacity(const Container& container,
                                             const Resource& resource) const {
  return configured_capacity(state_->configuration(), container, resource);
}

std::int64_t Supply::used(const Container& container, const Resource& resource,
                          Window window) const {
  return used(capacity_of(container, resource), window);
}

Capacity Supply::capacity_of(const Container& container, const Resource& resource) const {
  Capacity found;
  found.*of_booked_ = ledger_->find(container, resource);
  if (other_) found.*of_other_ = other_->find(container, resource);
  return found;
}

std::int64_t Supply::free_in(const ParallelEnvironment& pe, Window window) const {
  if (is_allocation_pe(pe.name)) return most_slots;
  const auto container = Container::pe(pe.name);
  auto capacity = pe.slots;
  // Where hosts were granted, nothing of a PE is: its jobs together have as much as it has.
  if (reservation_ && reservation_->request.nodes == 0) {
    const auto& reserved = shape().bookings;
    const auto it = std::find_if(reserved.begin(), reserved.end(), [&](const Booking& booking) {
      return booking.container == container && booking.resource == "slots";
    });
    capacity = it == reserved.end() ? 0 : it->amount;
  }
  auto slots = capacity_of(container, "slots");
  slots.total = capacity;
  return *free(slots, window);
}

std::int64_t Supply::free_slots(const QueueInstance& instance, Window window) const {
  if (!is_open(instance, window)) return 0;
  return free(capacity_index("slots").of_queue(instance), window).value_or(0);
}

bool Supply::is_open(const QueueInstance& instance, Window window) const {
  if (closing(instance, window)) return false;
  return !minds_calendars_ || instance.settings.calendar.empty() ||
         state_->closures().calendar_is_open(state_->configuration(), instance, window);
}

// A job without a limit never runs into one, however long it is taken to run; but those in a
// reservation end with that.
const Maintenance* Supply::closing(const QueueInstance& instance, Window window) const {
  if (!minds_maintenance_) return nullptr;
  if (endless_) window.end = Instant::never();
  if (reservation_) window.end = std::min(window.end, shape().window.end);
  return state_->closures().closing(instance, window);
}

} // namespace almanac
