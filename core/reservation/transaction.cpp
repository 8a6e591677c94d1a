#include "core/reservation/transaction.hpp"

#include "core/reservation/reservation.hpp"
#include "core/reservation/reservation_machine.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace almanac {

bool is_offer(const Reservation& reservation) {
  return reservation.phase == ReservationPhase::proposed && !reservation.proposed.empty() &&
         reservation.proposed.front().is_offer;
}

const Caller& requester(const Reservation& reservation) {
  const auto& by = reservation.proposed.front().by;
  return by.user.empty() ? reservation.owner : by;
}

Instant lapses_at(const Reservation& reservation) {
  const auto& proposal = reservation.proposed.front();
  const auto& next = proposal.shape.window;
  if (is_offer(reservation)) return std::min(proposal.held_until, next.end);
  if (proposal.awaits_site()) {
    auto at = proposal.held_until;
    if (reservation.is_granted()) at = std::min(at, reservation.shape.window.end);
    return proposal.verb == ReservationVerb::change ? std::min(at, next.end) : at;
  }
  if (reservation.phase == ReservationPhase::proposed)
    return std::min(proposal.held_until, next.start);
  if (reservation.is_over()) return proposal.held_until;
  const auto& present = reservation.shape.window;
  auto at = std::min(proposal.held_until, present.end);
  if (proposal.verb != ReservationVerb::change) return at;
  at = std::min(at, next.end);
  return next.start == present.start ? at : std::min(at, next.start);
}

ReservationRequest changed(ReservationRequest was, const ReservationRequest& change) {
  was.start = change.start, was.end = change.end;
  was.duration = change.duration, was.has_duration = change.has_duration;
  if (!change.resources.empty()) was.resources = change.resources;
  if (!change.queues.empty()) was.queues = change.queues;
  if (!change.pe.empty()) was.pe = change.pe, was.slots = change.slots;
  if (!change.users.empty()) was.users = change.users, was.groups = change.groups;
  if (change.nodes > 0) was.nodes = change.nodes;
  if (change.node_slots > 0) was.node_slots = change.node_slots;
  if (!change.least.empty()) was.least = change.least;
  if (!change.os.empty()) was.os = change.os;
  return was;
}

namespace {

// The part of each amount that the other side has, too.
class Lesser {
public:
  explicit Lesser(Amounts left) : left_(std::move(left)) {}

  std::int64_t of(const Container& container, const Resource& resource, std::int64_t amount) {
    auto& left = left_[{container, resource}];
    amount = std::min(amount, left);
    left -= amount;
    return amount;
  }

private:
  Amounts left_;
};

std::vector<Grant> lesser(const std::vector<Grant>& a, const Shape& b) {
  Amounts slots;
  for (const auto& grant : b.grants)
    slots[{Container::queue(grant.instance), Resource("slots")}] += grant.slots;
  Lesser common(std::move(slots));
  std::vector<Grant> grants;
  for (const auto& [instance, amount] : a)
    if (const auto both = common.of(Container::queue(instance), Resource("slots"), amount))
      grants.push_back({instance, both});
  return grants;
}

std::vector<Booking> lesser(const std::vector<Booking>& a, const std::vector<Booking>& b) {
  Lesser common(amounts_of(b));
  std::vector<Booking> bookings;
  for (const auto& [container, resource, amount] : a)
    if (const auto both = common.of(container, resource, amount))
      bookings.push_back({container, resource, both});
  return bookings;
}

} // namespace

namespace {

// All of it is in use by the tasks that were left there: nobody finds any of it free.
void add_left_behind(Shape& shape, const std::vector<LeftBehind>& left_behind) {
  if (left_behind.empty()) return;
  auto amounts = amounts_of(shape.bookings);
  for (const auto& left : left_behind)
    for (const auto& [container, resource, amount] : left.bookings)
      amounts[{container, resource}] += amount;
  shape.bookings = bookings_of(amounts);
}

} // namespace

Shape usable(const Reservation& reservation) {
  auto shape = reservation.shape;
  if (!reservation.proposed.empty() &&
      reservation.proposed.front().verb == ReservationVerb::change) {
    const auto& next = reservation.proposed.front().shape;
    shape.window.start = std::max(shape.window.start, next.window.start);
    shape.window.end = std::max(shape.window.start, std::min(shape.window.end, next.window.end));
    shape.grants = lesser(shape.grants, next);
    shape.bookings = lesser(shape.bookings, next.bookings);
  }
  add_left_behind(shape, reservation.left_behind);
  return shape;
}

std::optional<ReservationEvent> commit(Reservation& reservation, Instant now) {
  auto proposal = std::move(reservation.proposed.front());
  reservation.proposed.clear();
  const bool stays = reservation.shape.grants == proposal.shape.grants;
  reservation.shape = std::move(proposal.shape);
  auto& start = reservation.shape.window.start;
  if (proposal.is_offer) start = std::max(start, now);
  const auto& request = proposal.request;
  // Versions before it kept no request.
  if (request.has_duration || request.end.seconds != 0)
    reservation.request = changed(std::move(reservation.request), request);
  if (!stays) { // else a repair may be undone
    reservation.original.clear(), reservation.note.clear();
    reservation.gives_up_at = {}; // the next repair counts anew
  }
  if (reservation.phase == ReservationPhase::proposed) return ReservationEvent::committed;
  const bool has_begun = reservation.phase == ReservationPhase::running;
  if (has_begun && reservation.shape.window.start > now) return ReservationEvent::moved;
  return std::nullopt;
}

Amounts amounts_of(const std::vector<Booking>& bookings) {
  Amounts amounts;
  for (const auto& [container, resource, amount] : bookings)
    amounts[{container, resource}] += amount;
  return amounts;
}

std::vector<Booking> bookings_of(const Amounts& amounts) {
  std::vector<Booking> bookings;
  for (const auto& [place, amount] : amounts)
    bookings.push_back({place.first, place.second, amount});
  return bookings;
}

namespace {

void append(std::vector<Booking>& bookings, const std::vector<Booking>& more) {
  bookings.insert(bookings.end(), more.begin(), more.end());
}

} // namespace

std::vector<Booking> larger(const std::vector<Booking>& a, const std::vector<Booking>& b) {
  auto amounts = amounts_of(a);
  for (const auto& [place, amount] : amounts_of(b)) {
    auto& larger = amounts[place];
    larger = std::max(larger, amount);
  }
  return bookings_of(amounts);
}

namespace {

// What `all` has beyond `rest`, which it includes.
std::vector<Booking> beyond(const std::vector<Booking>& all, const std::vector<Booking>& rest) {
  auto amounts = amounts_of(all);
  for (const auto& [container, resource, amount] : rest) amounts[{container, resource}] -= amount;
  std::erase_if(amounts, [](const auto& entry) { return entry.second <= 0; });
  return bookings_of(amounts);
}

} // namespace

std::vector<BookedPart> larger(const std::vector<BookedPart>& parts, const Shape& next) {
  std::set<Instant> moments{next.window.start, next.window.end};
  for (const auto& part : parts) moments.insert({part.window.start, part.window.end});
  auto next_with_spares = next.bookings;
  append(next_with_spares, next.spare_bookings);
  std::vector<BookedPart> booked;
  for (auto from = moments.begin(), to = std::next(from); to != moments.end(); ++from, ++to) {
    const Window window{*from, *to};
    std::vector<Booking> present, with_spares;
    for (const auto& part : parts) {
      if (!part.window.overlaps(window)) continue;
      append(with_spares, part.bookings);
      if (part.claim != Claim::spare) append(present, part.bookings);
    }
    const bool is_next = next.window.overlaps(window);
    auto plain = larger(present, is_next ? next.bookings : std::vector<Booking>());
    auto spare =
        beyond(larger(with_spares, is_next ? next_with_spares : std::vector<Booking>()), plain);
    if (!plain.empty()) booked.push_back({std::move(plain), window});
    if (!spare.empty()) booked.push_back({std::move(spare), window, Claim::spare});
  }
  return booked;
}

} // namespace almanac
