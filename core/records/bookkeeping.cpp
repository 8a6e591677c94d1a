#include "core/records/bookkeeping.hpp"

#include "core/records/records.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Reservations and holds count with different lengths of it.
bool needs_two_lengths(const JobRequest& request) {
  return asked_length(request) != sure_length(request);
}

bool books_the_same(const Shape& a, const Shape& b) {
  return a.window == b.window && a.bookings == b.bookings;
}

// Only those of instances that are there: with the configuration all is counted anew.
std::int64_t slots_of(const Configuration& configuration, const std::vector<Booking>& bookings) {
  std::int64_t slots = 0;
  for (const auto& booking : bookings)
    if (booking.resource == "slots" && booking.container.kind == Container::Kind::queue &&
        configuration.instance(booking.container.name))
      slots += booking.amount;
  return slots;
}

// Where anything is booked.
std::set<std::pair<Container, Resource>> places_of(const Records& records) {
  std::set<std::pair<Container, Resource>> places;
  const auto add = [&](const std::vector<Booking>& bookings) {
    for (const auto& booking : bookings) places.emplace(booking.container, booking.resource);
  };
  for (const auto& task : Listing<Task>(records.all<Task>())) add(task.bookings);
  for (const auto& [key, job] : records.all<Job>())
    for (const auto& hold : job->holds) add(hold.bookings);
  for (const auto& reservation : Listing<Reservation>(records.all<Reservation>())) {
    add(reservation.shape.bookings);
    for (const auto& proposal : reservation.proposed) add(proposal.shape.bookings);
  }
  for (const auto& instance : records.configuration().instances())
    places.emplace(Container::queue(instance.name), "slots");
  return places;
}

} // namespace

bool books_the_same(const Reservation& a, const Reservation& b) {
  if (a.phase != b.phase || !books_the_same(a.shape, b.shape) ||
      a.proposed.size() != b.proposed.size())
    return false;
  return a.proposed.empty() || books_the_same(a.proposed.front().shape, b.proposed.front().shape);
}

BookEntry entry_of(const Configuration& configuration, const Task& task, ReservationKey inside) {
  return {&task.bookings, task.booked, firm_window(task),
          false,          inside,      inside ? 0 : slots_of(configuration, task.bookings)};
}

BookEntry entry_of(const Configuration& configuration, const Hold& hold) {
  return {&hold.bookings, hold.window, std::nullopt,
          false,          {},          slots_of(configuration, hold.bookings)};
}

Window firm_window(const Task& task) {
  const bool ends =
      task.booked == Window{} || (!task.limit.is_endless() && task.booked.length() >= task.limit);
  return {task.booked.start, ends ? task.booked.end : Instant::never()};
}

Window booked_window(const Reservation& reservation) {
  if (reservation.is_ending()) return {reservation.shape.window.start, Instant::never()};
  return reservation.shape.window;
}

void Bookkeeping::rebuild(const Records& records) {
  books_ = Books();
  aside_.clear(), reservations_aside_.clear();
  for (const auto& [key, job] : records.all<Job>())
    if (needs_two_lengths(job->request)) books_.keep_two_lengths(true);
  if (!records.configuration().scheduler().default_duration.is_endless())
    books_.keep_two_lengths(true);
  for (const auto& reservation : Listing<Reservation>(records.all<Reservation>()))
    count(reservation, 1);
  for (const auto& [key, job] : records.all<Job>()) count(job->holds, 1);
  for (const auto& task : Listing<Task>(records.all<Task>())) count(task, inside(task), 1);
}

bool Bookkeeping::agrees(const Records& records) const {
  Books rebuilt;
  Bookkeeping(records, rebuilt).rebuild(records);
  std::set<ReservationKey> reservations;
  for (const auto& [key, reservation] : records.all<Reservation>()) reservations.insert(key);
  return are_equal(books_, rebuilt, places_of(records), reservations);
}

void Bookkeeping::reconfigured(const Records& records) {
  const auto& jobs = records.all<Job>();
  const bool two = !records.configuration().scheduler().default_duration.is_endless() ||
                   std::any_of(jobs.begin(), jobs.end(), [](const auto& entry) {
                     return needs_two_lengths(entry.second->request);
                   });
  if (two && !books_.firm()) split();
  else if (!two) books_.keep_two_lengths(false);
  count_slots_anew();
}

// ---- what records say -------------------------------------------------------------------------

void Bookkeeping::changed(const Task* before, const Task* after) {
  if (before && after && before->bookings == after->bookings && before->booked == after->booked &&
      before->limit == after->limit)
    return;
  const auto within = inside(before ? *before : *after);
  if (before) count(*before, within, -1);
  if (after) count(*after, within, 1);
}

void Bookkeeping::changed(const Job* before, const Job* after) {
  if (after && !books_.firm() && needs_two_lengths(after->request)) split();
  const auto key = (before ? before : after)->key;
  if (is_aside(key) || (before && after && before->holds == after->holds)) return;
  if (before) count(before->holds, -1);
  if (after) count(after->holds, 1);
}

void Bookkeeping::changed(const Reservation* before, const Reservation* after) {
  const auto key = (before ? before : after)->key;
  if (!reservations_aside_.contains(key) && !(before && after && books_the_same(*before, *after))) {
    if (before) count(*before, -1);
    if (after) count(*after, 1);
  }
  if (!after) books_.inside_.erase(key);
}

// ---- entries ----------------------------------------------------------------------------------

ReservationKey Bookkeeping::inside(const Task& task) const {
  const auto* job = records_.find<Job>(task.job);
  return job ? job->reservation_key : ReservationKey();
}

void Bookkeeping::count(const Task& task, ReservationKey inside, std::int64_t sign) {
  count(entry_of(records_.configuration(), task, inside), sign);
}

void Bookkeeping::count(const std::vector<Hold>& holds, std::int64_t sign) {
  for (const auto& hold : holds) count(entry_of(records_.configuration(), hold), sign);
}

void Bookkeeping::count(const Reservation& reservation, std::int64_t sign) {
  const auto count_shape = [&](const Shape& shape, Window window) {
    count({&shape.bookings,
           window,
           window,
           true,
           {},
           slots_of(records_.configuration(), shape.bookings)},
          sign);
  };
  if (reservation.phase != ReservationPhase::proposed)
    count_shape(reservation.shape, booked_window(reservation));
  for (const auto& proposal : reservation.proposed)
    count_shape(proposal.shape, proposal.shape.window);
}

void Bookkeeping::count(const BookEntry& entry, std::int64_t sign) {
  if (sign > 0) books_.enter(entry);
  else books_.take_out(entry);
}

// With another configuration other instances are there.
void Bookkeeping::count_slots_anew() {
  books_.all_slots_ = {};
  const auto count = [&](const std::vector<Booking>& bookings, Window window) {
    books_.count_slots(
        {&bookings, window, std::nullopt, false, {}, slots_of(records_.configuration(), bookings)},
        1);
  };
  for (const auto& reservation : Listing<Reservation>(records_.all<Reservation>())) {
    if (reservation.phase != ReservationPhase::proposed)
      count(reservation.shape.bookings, booked_window(reservation));
    for (const auto& proposal : reservation.proposed)
      count(proposal.shape.bookings, proposal.shape.window);
  }
  for (const auto& [key, job] : records_.all<Job>())
    for (const auto& hold : job->holds) count(hold.bookings, hold.window);
  for (const auto& task : Listing<Task>(records_.all<Task>()))
    if (!inside(task)) count(task.bookings, task.booked);
}

// ---- out of the books for a while -------------------------------------------------------------

void Bookkeeping::set_aside(JobKey key) {
  count(records_.find<Job>(key)->holds, -1);
  aside_.insert(key);
}
void Bookkeeping::put_back(JobKey key) {
  aside_.erase(key);
  if (const auto* job = records_.find<Job>(key)) count(job->holds, 1);
}
void Bookkeeping::set_aside(ReservationKey key) {
  count(*records_.find<Reservation>(key), -1);
  reservations_aside_.insert(key);
}
void Bookkeeping::put_back(ReservationKey key) {
  reservations_aside_.erase(key);
  if (const auto* reservation = records_.find<Reservation>(key)) count(*reservation, 1);
}

namespace {

BookEntry entry(const Configuration& configuration, const std::vector<Booking>& bookings,
                Window window, bool is_reserved) {
  return {&bookings,   window, is_reserved ? std::optional(window) : std::nullopt,
          is_reserved, {},     slots_of(configuration, bookings)};
}

} // namespace

void Bookkeeping::enter(const std::vector<Booking>& bookings, Window window, bool is_reserved) {
  count(entry(records_.configuration(), bookings, window, is_reserved), 1);
}
void Bookkeeping::take_out(const std::vector<Booking>& bookings, Window window, bool is_reserved) {
  count(entry(records_.configuration(), bookings, window, is_reserved), -1);
}

// ---- one length or two ------------------------------------------------------------------------

void Bookkeeping::expect(const JobRequest& request) {
  if (!books_.firm() && needs_two_lengths(request)) split();
}

// Where jobs without a limit are taken for endless by reservations and for shorter by holds, one
// ledger is not enough.
void Bookkeeping::split() {
  books_.keep_two_lengths(true);
  const auto enter = [&](const std::vector<Booking>& bookings, Window window, bool is_reserved) {
    books_.enter_firmly({&bookings, window, window, is_reserved, {}, 0});
  };
  for (const auto& reservation : Listing<Reservation>(records_.all<Reservation>())) {
    if (reservations_aside_.contains(reservation.key)) continue;
    if (reservation.phase != ReservationPhase::proposed)
      enter(reservation.shape.bookings, booked_window(reservation), true);
    for (const auto& proposal : reservation.proposed)
      enter(proposal.shape.bookings, proposal.shape.window, true);
  }
  for (const auto& task : Listing<Task>(records_.all<Task>()))
    if (!records_.find<Job>(task.job)->reservation_key)
      enter(task.bookings, firm_window(task), false);
}

} // namespace almanac
