#include "core/records/bookkeeping.hpp"

#include "core/job/inside.hpp"
#include "core/records/records.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Reservations and holds count with different lengths of it.
bool needs_two_lengths(const JobRequest& request) {
  return asked_length(request) != sure_length(request);
}

bool books_the_same(const Shape& a, const Shape& b) {
  return a.window == b.window && a.bookings == b.bookings && a.spare_bookings == b.spare_bookings;
}

bool books_the_same(const Proposal& a, const Proposal& b) {
  return a.verb == b.verb && books_the_same(a.shape, b.shape);
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

// Takes the entries of a reservation.
template <class Take>
void each_entry_of(const Configuration& configuration, const Reservation& reservation, Take take) {
  each_booked(reservation, [&](const std::vector<Booking>& bookings, Window window, Claim claim) {
    take(reserved_entry(configuration, bookings, window, claim));
  });
  // Its own jobs find what it lends taken.
  for (const auto& loan : reservation.lent)
    take(BookEntry{&loan.bookings, loan.window, std::nullopt, false, reservation.key, 0,
                   Claim::plain});
}

// Takes the bookings of its spare hosts.
template <class Take> void each_spare(const Reservation& reservation, Take take) {
  each_booked(reservation, [&](const std::vector<Booking>& bookings, Window, Claim claim) {
    if (claim == Claim::spare) take(bookings);
  });
}

// Takes the bookings for which jobs will give way.
template <class Take> void each_preempting(const Reservation& reservation, Take take) {
  each_booked(reservation, [&](const std::vector<Booking>& bookings, Window, Claim claim) {
    if (claim == Claim::preempting) take(bookings);
  });
}

Claim claim_of(bool rerunnable) { return rerunnable ? Claim::rerunnable : Claim::plain; }

ReservationKey inside_of(const Records& records, const Task& task) {
  const auto* job = records.find<Job>(task.job);
  return job ? reservation_of(*job, task) : task.attracted_by;
}

// Takes the entries of all that is booked, but for reservations that are set aside.
template <class Take>
void each_entry(const Records& records, const std::set<ReservationKey>& aside, Take take) {
  const auto& configuration = records.configuration();
  for (const auto& reservation : Listing<Reservation>(records.all<Reservation>()))
    if (!aside.contains(reservation.key)) each_entry_of(configuration, reservation, take);
  for (const auto& [key, job] : records.all<Job>())
    for (const auto& hold : job->holds) take(entry_of(configuration, hold));
  for (const auto& task : Listing<Task>(records.all<Task>()))
    take(entry_of(configuration, task, inside_of(records, task)));
}

} // namespace

bool books_the_same(const Reservation& a, const Reservation& b) {
  if (a.phase != b.phase || !books_the_same(a.shape, b.shape) || a.left_behind != b.left_behind ||
      a.lent != b.lent || a.proposed.size() != b.proposed.size() ||
      booked_claim(a) != booked_claim(b))
    return false;
  return a.proposed.empty() || books_the_same(a.proposed.front(), b.proposed.front());
}

BookEntry entry_of(const Configuration& configuration, const Task& task, ReservationKey inside) {
  return {&task.bookings,
          task.booked,
          firm_window(task),
          false,
          inside,
          inside ? 0 : slots_of(configuration, task.bookings),
          claim_of(task.rerunnable)};
}

BookEntry entry_of(const Configuration& configuration, const Hold& hold) {
  return {&hold.bookings,
          hold.window,
          std::nullopt,
          false,
          {},
          slots_of(configuration, hold.bookings),
          claim_of(hold.rerunnable)};
}

BookEntry reserved_entry(const Configuration& configuration, const std::vector<Booking>& bookings,
                         Window window, Claim claim) {
  const bool counts = claim != Claim::spare && claim != Claim::preempting;
  const auto slots = counts ? slots_of(configuration, bookings) : 0;
  return {&bookings, window, window, true, {}, slots, claim};
}

Window firm_window(const Task& task) {
  const bool ends =
      task.booked == Window{} || (!task.limit.is_endless() && task.booked.length() >= task.limit);
  return {task.booked.start, ends ? task.booked.end : Instant::never()};
}

void Bookkeeping::rebuild(const Records& records) {
  books_ = Books();
  aside_.clear(), reservations_aside_.clear();
  for (const auto& [key, job] : records.all<Job>())
    if (needs_two_lengths(job->request)) books_.keep_two_lengths(true);
  if (!records.configuration().scheduler().default_duration.is_endless())
    books_.keep_two_lengths(true);
  // Before anything is booked: nothing has to be taken out.
  for (const auto& reservation : Listing<Reservation>(records.all<Reservation>())) {
    each_spare(reservation, [&](const auto& bookings) { books_.open_spares(bookings); });
    open_preempted(reservation);
  }
  each_entry(records, {}, [&](const BookEntry& entry) { books_.enter(entry); });
}

bool Bookkeeping::agrees(const Records& records) const {
  Books rebuilt;
  Bookkeeping(records, rebuilt).rebuild(records);
  return books_ == rebuilt;
}

// Without a firm ledger there is no job that needs one: it would have been made for it.
void Bookkeeping::reconfigured(const Records& records, ChangedKinds kinds) {
  const auto& jobs = records.all<Job>();
  const auto any_job_needs_two = [&] {
    return std::any_of(jobs.begin(), jobs.end(),
                       [](const auto& entry) { return needs_two_lengths(entry.second->request); });
  };
  const bool two = !records.configuration().scheduler().default_duration.is_endless() ||
                   (books_.firm() && any_job_needs_two());
  if (two && !books_.firm()) split();
  else if (!two) books_.keep_two_lengths(false);
  if (kinds.may_change_instances()) count_slots_anew();
}

// ---- what records say -------------------------------------------------------------------------

void Bookkeeping::changed(const Task* before, const Task* after) {
  if (before && after && before->bookings == after->bookings && before->booked == after->booked &&
      before->limit == after->limit && before->attracted_by == after->attracted_by &&
      before->rerunnable == after->rerunnable)
    return;
  if (before) count(*before, inside(*before), -1);
  if (after) count(*after, inside(*after), 1);
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
  if (!(before && after && books_the_same(*before, *after))) {
    const bool counts = !reservations_aside_.contains(key);
    if (after) open_spares(*after), open_preempted(*after);
    if (before && counts) count(*before, -1);
    if (after && counts) count(*after, 1);
    if (before) close_spares(*before), close_preempted(*before);
  }
  if (!after) books_.inside_.erase(key);
}

// ---- entries ----------------------------------------------------------------------------------

ReservationKey Bookkeeping::inside(const Task& task) const { return inside_of(records_, task); }

void Bookkeeping::count(const Task& task, ReservationKey inside, std::int64_t sign) {
  count(entry_of(records_.configuration(), task, inside), sign);
}

void Bookkeeping::count(const std::vector<Hold>& holds, std::int64_t sign) {
  for (const auto& hold : holds) count(entry_of(records_.configuration(), hold), sign);
}

void Bookkeeping::count(const Reservation& reservation, std::int64_t sign) {
  each_entry_of(records_.configuration(), reservation,
                [&](const BookEntry& entry) { count(entry, sign); });
}

void Bookkeeping::count(const BookEntry& entry, std::int64_t sign) {
  if (sign > 0) books_.enter(entry);
  else books_.take_out(entry);
}

// ---- where spare hosts lie --------------------------------------------------------------------

// Also of reservations that are set aside: what is decided depends on records alone.
void Bookkeeping::open_spares(const Reservation& reservation) {
  Books::Places opened;
  each_spare(reservation,
             [&](const auto& bookings) { opened.merge(books_.open_spares(bookings)); });
  if (opened.empty()) return;
  const auto take_out = [&](const BookEntry& entry) {
    if (entry.claim == Claim::rerunnable && !entry.inside)
      books_.take_out_beside_spares(entry, opened);
  };
  for (const auto& [id, task] : records_.all<Task>())
    if (task->rerunnable) take_out(entry_of(records_.configuration(), *task, inside(*task)));
  for (const auto& [key, job] : records_.all<Job>())
    if (!job->holds.empty() && !is_aside(key))
      for (const auto& hold : job->holds) take_out(entry_of(records_.configuration(), hold));
}

void Bookkeeping::close_spares(const Reservation& reservation) {
  each_spare(reservation, [&](const auto& bookings) { books_.close_spares(bookings); });
}

void Bookkeeping::open_preempted(const Reservation& reservation) {
  each_preempting(reservation, [&](const auto& bookings) { books_.open_preempted(bookings); });
}

void Bookkeeping::close_preempted(const Reservation& reservation) {
  each_preempting(reservation, [&](const auto& bookings) { books_.close_preempted(bookings); });
}

// With another configuration other instances are there.
void Bookkeeping::count_slots_anew() {
  books_.all_slots_ = {};
  each_entry(records_, {}, [&](const BookEntry& entry) { books_.count_slots(entry, 1); });
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
                Window window, bool is_reserved, Claim claim) {
  return {&bookings,   window, is_reserved ? std::optional(window) : std::nullopt,
          is_reserved, {},     claim == Claim::preempting ? 0 : slots_of(configuration, bookings),
          claim};
}

} // namespace

void Bookkeeping::enter(const std::vector<Booking>& bookings, Window window, bool is_reserved,
                        Claim claim) {
  count(entry(records_.configuration(), bookings, window, is_reserved, claim), 1);
}
void Bookkeeping::take_out(const std::vector<Booking>& bookings, Window window, bool is_reserved,
                           Claim claim) {
  count(entry(records_.configuration(), bookings, window, is_reserved, claim), -1);
}

// ---- one length or two ------------------------------------------------------------------------

void Bookkeeping::expect(const JobRequest& request) {
  if (!books_.firm() && needs_two_lengths(request)) split();
}

// Where jobs without a limit are taken for endless by reservations and for shorter by holds, one
// ledger is not enough.
void Bookkeeping::split() {
  books_.keep_two_lengths(true);
  each_entry(records_, reservations_aside_, [&](const BookEntry& entry) {
    if (!entry.inside) books_.enter_firmly(entry);
  });
}

} // namespace almanac
