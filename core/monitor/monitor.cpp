#include "core/monitor/monitor.hpp"

#include "core/job/inside.hpp"
#include "core/monitor/booked_slots.hpp"
#include "core/monitor/loan_watch.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// From the moment something is seen to be due to the record of it: clocks jump, daemons are
// stopped.
constexpr Duration grace{20};
constexpr Duration longest_awake{2}; // that a single tick speaks for

std::int64_t slots_for_tasks(const Reservation& reservation, const InstanceName& instance,
                             Instant at) {
  auto slots = reservation.shape.slots_on(instance);
  for (const auto& loan : reservation.lent)
    if (loan.window.contains(at))
      for (const auto& grant : loan.grants)
        if (grant.instance == instance) slots -= grant.slots;
  for (const auto& left : reservation.left_behind)
    if (left.instance == instance) slots += left.slots;
  return slots;
}

std::string named(JobNumber job, const Task& task) {
  return "job " + to_string(job) + (task.number > 0 ? "." + std::to_string(task.number) : "");
}

} // namespace

void Monitor::complain(Invariant invariant, std::string what) {
  if (!violation_) violation_ = {invariant, std::move(what)};
}

void Monitor::take(const std::vector<Grant>& grants, ReservationKey inside, std::int64_t sign) {
  for (const auto& grant : grants)
    (inside ? used_inside_[{inside, grant.instance}] : used_[grant.instance]) += sign * grant.slots;
}

void Monitor::rebuild(const Records& records) {
  used_.clear(), used_inside_.clear(), due_.clear(), in_time_order_.clear();
  moved_holds_.clear(), started_.clear(), gone_.clear(), touched_.clear(), new_.clear();
  promised_.clear(), promised_to_.clear(), begun_.clear(), borrowing_.clear();
  held_ = {}, placed_.clear(), given_.clear();
  jobs_of_.rebuild(records), attracted_.rebuild(records), maintenances_.rebuild(records);
  for (const auto& reservation : Listing<Reservation>(records.all<Reservation>()))
    note(reservation), promise(reservation, 1);
  for (const auto& [key, job] : records.all<Job>()) note(*job);
  for (const auto& task : Listing<Task>(records.all<Task>()))
    if (const auto* job = records.find<Job>(task.job)) note(task, reservation_of(*job, task));
  last_key_ = highest_key_ = std::max(highest_key_, records.counters().last_key);
  last_accounting_ = records.counters().last_accounting;
}

void Monitor::settle() {
  last_key_ = highest_key_;
  for (auto& [job, what] : std::exchange(moved_holds_, {}))
    if (!started_.contains(job) && records_.find<Job>(job))
      complain(Invariant::holds_keep_their_promise, std::move(what));
  for (const auto key : std::exchange(started_, {}))
    if (const auto* job = records_.find<Job>(key); job && job->starts_at_once())
      complain(Invariant::concurrent_tasks_start_together,
               "a task of job " + to_string(job->number) + " starts, and " +
                   std::to_string(job->fresh_tasks()) + " others do not");
  for (const auto gone : std::exchange(gone_, {})) {
    const auto complain_of = [&](JobKey key) {
      complain(Invariant::reservations_outlive_their_jobs,
               "a reservation goes while the job with the key " + to_string(key) + " is in it");
    };
    for (const auto key : jobs_of_.of(gone))
      if (!records_.tasks_of(key).empty()) complain_of(key);
    for (const auto& id : attracted_.of(gone)) complain_of(id.job);
  }
  for (const auto key : std::exchange(touched_, {}))
    if (const auto* reservation = records_.find<Reservation>(key))
      check_inside(*reservation), check_loans(*reservation);
  for (const auto& reservation : std::exchange(new_, {})) note_new(reservation);
  for (const auto key : std::exchange(promised_to_, {}))
    if (const auto* reservation = records_.find<Reservation>(key))
      check_promises(*reservation, Invariant::preempting_reservations_fit);
  for (const auto key : std::exchange(borrowing_, {}))
    if (const auto* reservation = records_.find<Reservation>(key))
      check_promises(*reservation, Invariant::loans_are_kept);
  for (const auto key : std::exchange(begun_, {}))
    if (const auto* reservation = records_.find<Reservation>(key)) check_gave_way(*reservation);
  check_given();
}

// ---- tasks --------------------------------------------------------------------------------------

void Monitor::changed(const Task* before, const Task* after) {
  ++checked_;
  attracted_.changed(before, after);
  const auto* job = records_.find<Job>((before ? before : after)->job);
  if (!job) return;
  for (const auto* task : {before, after})
    if (task && reservation_of(*job, *task)) touched_.insert(reservation_of(*job, *task));
  if (before) take(before->grants, reservation_of(*job, *before), -1);
  if (before) hold(*before, reservation_of(*job, *before), -1);
  if (!after) return;
  note(*after, reservation_of(*job, *after));
  const auto attempt = before ? before->attempt : 0;
  if (after->attempt < attempt)
    complain(Invariant::attempts_only_grow, named(job->number, *after) + " goes from attempt " +
                                                std::to_string(attempt) + " to " +
                                                std::to_string(after->attempt));
  if (after->attempt <= attempt) return;
  started_.insert(job->key);
  if (after->is_active()) note_start(*job, *after);
}

void Monitor::note(const Task& task, ReservationKey inside) {
  take(task.grants, inside, 1);
  hold(task, inside, 1);
  if (task.is_active() == task.grants.empty())
    complain(
        Invariant::grants_mean_active,
        named(records_.find<Job>(task.job)->number, task) +
            (task.grants.empty() ? " is active without slots" : " holds slots and is not active"));
}

void Monitor::note_start(const Job& job, const Task& task) {
  const auto inside_of = reservation_of(job, task);
  const auto* reservation = records_.find<Reservation>(inside_of);
  if (!inside_of) placed_.insert(task.id());
  if (inside_of && !reservation)
    complain(Invariant::reservations_outlive_their_jobs,
             named(job.number, task) + " starts in a reservation that is gone");
  for (const auto& grant : task.grants) {
    const auto* instance = records_.configuration().instance(grant.instance);
    const bool in_maintenance = reservation && reservation->request.maintenance;
    const auto used = !reservation     ? used_[grant.instance]
                      : in_maintenance ? used_[grant.instance] +
                                             used_inside_[{job.reservation_key, grant.instance}]
                                       : 0;
    if (instance && used > instance->settings.slots)
      complain(Invariant::starts_fit,
               named(job.number, task) + " makes it " + std::to_string(used) + " of " +
                   std::to_string(instance->settings.slots) + " slots on " + grant.instance.text());
    check_maintenance(job, task, grant.instance.host);
    if (!reservation || reservation->request.maintenance) continue;
    const auto inside = used_inside_[{inside_of, grant.instance}];
    const auto there = slots_for_tasks(*reservation, grant.instance, task.booked.start);
    if (inside > there)
      complain(Invariant::reservation_jobs_keep_inside,
               named(job.number, task) + " makes it " + std::to_string(inside) + " slots on " +
                   grant.instance.text() + ", reservation " + to_string(reservation->number) +
                   " has " + std::to_string(there));
  }
}

// One that came later closes what runs already; jobs inside have the hosts.
void Monitor::check_maintenance(const Job& job, const Task& task, const std::string& host) {
  const auto* inside = records_.find<Reservation>(job.reservation_key);
  if (inside && closes_host(*inside, host)) return;
  const auto& start = task.booked.start;
  for (const auto& one : maintenances_.on(host)) {
    const auto end = start + task.limit;
    if (one.window.end <= start || end <= one.window.start ||
        records_.find<Reservation>(one.key)->closes_since >= start)
      continue;
    complain(Invariant::starts_keep_clear_of_maintenance,
             named(job.number, task) + " starts on " + host + " and reaches into maintenance " +
                 to_string(one.number));
  }
}

// ---- jobs ---------------------------------------------------------------------------------------

void Monitor::changed(const Job* before, const Job* after) {
  ++checked_;
  jobs_of_.changed(before, after);
  if (!after) return expect(before->key.value, Awaited::hold, Instant::never());
  if (!before) note_new(*after);
  else if (before->reservation_key != after->reservation_key)
    for (const auto& task : records_.tasks_of(after->key))
      take(task.grants, reservation_of(*before, task), -1),
          take(task.grants, reservation_of(*after, task), 1),
          hold(task, reservation_of(*before, task), -1),
          hold(task, reservation_of(*after, task), 1);
  note(*after);
  if (before) note_holds(*before, *after);
}

void Monitor::note(const Job& job) {
  highest_key_ = std::max(highest_key_, job.key.value);
  expect(job.key.value, Awaited::hold,
         job.holds.empty() ? Instant::never() : job.holds.front().window.start);
}

void Monitor::note_new(const Job& job) {
  if (job.key.value <= last_key_)
    complain(Invariant::keys_are_never_reused, "job " + to_string(job.number) + " has the key " +
                                                   to_string(job.key) + ", and " +
                                                   std::to_string(last_key_) + " was given before");
}

// One by one where none was given up; whether none has come to a start is known once the tasks of
// the same batch are. With HOLDS=fresh nothing is promised.
void Monitor::note_holds(const Job& before, const Job& after) {
  if (!records_.configuration().scheduler().keeps_holds ||
      before.holds.size() != after.holds.size())
    return;
  for (std::size_t i = 0; i < before.holds.size(); ++i) {
    const auto later = after.holds[i].window.start - before.holds[i].window.start;
    if (later > Duration{0} && after.holds[i].cause.empty())
      moved_holds_.emplace_back(after.key, "what is held for job " + to_string(after.number) +
                                               " starts " + std::to_string(later.seconds) +
                                               " s later than before");
  }
}

// ---- reservations, accounting -------------------------------------------------------------------

void Monitor::changed(const Reservation* before, const Reservation* after) {
  ++checked_;
  maintenances_.changed(before, after);
  if (before) promise(*before, -1);
  if (after) promise(*after, 1);
  if (after && after->request.preempts) {
    if (!before || (before->proposed.empty() && !after->proposed.empty()))
      promised_to_.insert(after->key);
    if (after->phase == ReservationPhase::running &&
        !(before && before->phase == ReservationPhase::running))
      begun_.insert(after->key);
  }
  if (after) {
    note_loans(before, *after);
    note_given(before, *after);
    touched_.insert(after->key);
    if (!before) new_.push_back(*after);
    return note(*after);
  }
  gone_.push_back(before->key);
  expect(before->key.value, Awaited::reservation, Instant::never());
  expect(before->key.value, Awaited::proposal, Instant::never());
}

void Monitor::note(const Reservation& reservation) {
  const auto key = reservation.key.value;
  highest_key_ = std::max(highest_key_, key);
  const auto& window = reservation.shape.window;
  expect(key, Awaited::reservation,
         reservation.phase == ReservationPhase::waiting
             ? (reservation.others_end_since == Instant{}
                    ? window.start
                    : reservation.others_end_since + longest_giving_way)
         : reservation.phase == ReservationPhase::running ? window.end
                                                          : Instant::never());
  expect(key, Awaited::proposal,
         reservation.proposed.empty() ? Instant::never() : reservation.proposed.front().held_until);
}

void Monitor::note_new(const Reservation& reservation) {
  // Prepared and committed in one step, it has settled its own.
  const auto is_its_own = [&](const SettledTransaction& settled) {
    return settled.committed && settled.is_new &&
           settled.until == reservation.submitted + remembered_for;
  };
  const auto& all = records_.all<SettledTransaction>();
  for (auto it = all.lower_bound({reservation.number, ""});
       it != all.end() && it->first.number == reservation.number; ++it)
    if (!is_its_own(*it->second))
      complain(Invariant::settled_numbers_stay, "reservation " + to_string(reservation.number) +
                                                    " has the number of transaction \"" +
                                                    it->first.transaction + "\"");
}

namespace {

// Where hosts were granted, slots of parallel environments were not.
bool is_of_shape(const Shape& shape, const Container& container) {
  return container.kind != Container::Kind::pe || !shape.pe.empty();
}

} // namespace

// Once a batch is whole: a reservation that ends is written before its tasks.
void Monitor::check_inside(const Reservation& reservation) {
  if (reservation.request.maintenance) return; // nothing is booked for it
  if (reservation.phase != ReservationPhase::proposed) check_fits(reservation, reservation.shape);
  for (const auto& proposal : reservation.proposed)
    if (proposal.verb == ReservationVerb::change) check_fits(reservation, proposal.shape);
}

// ---- reservations that preempt -----------------------------------------------------------------

void Monitor::promise(const Reservation& reservation, std::int64_t sign) {
  held_.count(reservation, sign);
  each_booked_slots(reservation,
                    [&](const InstanceName& name, std::int64_t slots, Window window, Claim) {
                      if (sign > 0) promised_[name].add(window, slots);
                      else promised_[name].remove(window, slots);
                    });
}

// When it is granted or prepared, and not later: what is lost by then was promised.
void Monitor::check_promises(const Reservation& reservation, Invariant promise) {
  if (reservation.is_over()) return;
  each_booked_slots(reservation, [&](const InstanceName& name, std::int64_t, Window window, Claim) {
    const auto* instance = records_.configuration().instance(name);
    const auto used = promised_[name].max(window);
    if (instance && used > instance->settings.slots)
      complain(promise, "reservation " + to_string(reservation.number) + " makes it " +
                            std::to_string(used) + " of " +
                            std::to_string(instance->settings.slots) + " slots on " + name.text());
  });
}

// ---- room of others -----------------------------------------------------------------------------

void Monitor::note_loans(const Reservation* before, const Reservation& after) {
  std::set<ReservationKey> known;
  if (before)
    for (const auto& loan : before->lent) known.insert(loan.to);
  for (const auto& loan : after.lent)
    if (!known.contains(loan.to)) borrowing_.insert(loan.to);
}

void Monitor::check_loans(const Reservation& reservation) {
  if (reservation.lent.empty()) return;
  std::vector<const Task*> tasks;
  for (const auto key : jobs_of_.of(reservation.key))
    for (const auto& task : records_.tasks_of(key))
      if (task.is_active()) tasks.push_back(&task);
  for (const auto& id : attracted_.of(reservation.key)) tasks.push_back(records_.find<Task>(id));
  if (auto what = broken_loan(records_, reservation, tasks))
    complain(Invariant::loans_are_kept, std::move(*what));
}

// ---- what is given ------------------------------------------------------------------------------

void Monitor::hold(const Task& task, ReservationKey inside, std::int64_t sign) {
  if (!inside) held_.count(task, sign);
}

void Monitor::note_given(const Reservation* before, const Reservation& after) {
  const bool is_prepared = before && before->proposed.empty() && !after.proposed.empty();
  if (!before) given_[after.key] = true;
  else if (is_prepared) given_.emplace(after.key, false);
}

// Once a batch is whole: what makes room may be written after what takes it.
void Monitor::check_given() {
  const auto& configuration = records_.configuration();
  const auto complain_of = [&](const std::string& whose, const std::string& where) {
    complain(Invariant::held_room_is_kept, whose + " makes it " + where);
  };
  for (const auto& id : std::exchange(placed_, {})) {
    const auto* task = records_.find<Task>(id);
    const auto* job = records_.find<Job>(id.job);
    if (!task || !job || !task->is_active() || task->deleting || reservation_of(*job, *task))
      continue;
    if (const auto where = held_.taken_by(configuration, *task))
      complain_of(named(job->number, *task), *where);
  }
  for (const auto& [key, is_new] : std::exchange(given_, {}))
    if (const auto* reservation = records_.find<Reservation>(key))
      if (const auto where = held_.taken_by(configuration, *reservation, is_new))
        complain_of("reservation " + to_string(reservation->number), *where);
}

// Those that end, however late, were told to.
void Monitor::check_gave_way(const Reservation& reservation) {
  std::map<InstanceName, std::int64_t> others;
  for (const auto& task : Listing<Task>(records_.all<Task>())) {
    const auto* job = records_.find<Job>(task.job);
    if (!job || task.deleting || reservation_of(*job, task)) continue;
    if (task.booked.start >= reservation.shape.window.end) continue; // begins where it ends
    for (const auto& grant : task.grants) others[grant.instance] += grant.slots;
  }
  for (const auto& grant : reservation.shape.grants) {
    const auto* instance = records_.configuration().instance(grant.instance);
    const auto all = others[grant.instance] + reservation.shape.slots_on(grant.instance);
    if (instance && all > instance->settings.slots)
      complain(Invariant::jobs_give_way, "reservation " + to_string(reservation.number) +
                                             " begins, and others go on: " + std::to_string(all) +
                                             " of " + std::to_string(instance->settings.slots) +
                                             " slots on " + grant.instance.text());
  }
}

void Monitor::check_fits(const Reservation& reservation, const Shape& shape) {
  auto left = amounts_of(shape.bookings);
  if (!reservation.is_over())
    for (const auto& behind : reservation.left_behind)
      for (const auto& booking : behind.bookings)
        left[{booking.container, booking.resource}] += booking.amount;
  const auto fits = [&](const Task& task) {
    for (const auto& [container, resource, amount] : task.bookings)
      if (is_of_shape(shape, container) && !resource.beside &&
          (left[{container, resource}] -= amount) < 0) {
        complain(Invariant::changes_can_be_committed,
                 named(records_.find<Job>(task.job)->number, task) + " holds " + resource.name +
                     " of " + container.text() + " that reservation " +
                     to_string(reservation.number) + " has not, or would not have");
        return false;
      }
    return true;
  };
  for (const auto key : jobs_of_.of(reservation.key))
    for (const auto& task : records_.tasks_of(key))
      if (!fits(task)) return;
  for (const auto& id : attracted_.of(reservation.key))
    if (!fits(*records_.find<Task>(id))) return;
}

void Monitor::appended(const AccountingRecord& record) {
  ++checked_;
  if (last_accounting_ > 0 && record.sequence != last_accounting_ + 1)
    complain(Invariant::accounting_has_no_gap, "record " + std::to_string(record.sequence) +
                                                   " follows " + std::to_string(last_accounting_));
  last_accounting_ = record.sequence;
}

// ---- time ---------------------------------------------------------------------------------------

// Never: nothing is expected.
void Monitor::expect(std::int64_t key, Awaited what, Instant due) {
  const auto it = due_.find({key, what});
  if (it != due_.end()) {
    if (it->second.at == due) return;
    in_time_order_.erase({it->second.at, key, what});
    due_.erase(it);
  }
  if (due.is_never()) return;
  due_[{key, what}] = {due, {}};
  in_time_order_.insert({due, key, what});
}

void Monitor::tick(Instant now, Instant steady) {
  awake_ = awake_ + std::min(steady - last_tick_, longest_awake);
  last_tick_ = steady;
  for (auto it = in_time_order_.begin(); it != in_time_order_.end() && std::get<0>(*it) <= now;
       ++it) {
    const auto& [at, key, what] = *it;
    auto& due = due_.at({key, what});
    if (!due.seen) due.seen = awake_;
    if (awake_ - *due.seen <= grace) continue;
    if (what == Awaited::hold) {
      if (!records_.counters().passes_off)
        complain(Invariant::holds_keep_their_promise,
                 "what is held for the job with the key " + std::to_string(key) + " is late");
      continue;
    }
    const auto named =
        "reservation " + to_string(records_.find<Reservation>(ReservationKey{key})->number);
    if (what == Awaited::proposal)
      complain(Invariant::proposals_expire, "the proposal for " + named + " is late");
    else complain(Invariant::reservations_open_and_close_in_time, named + " is late");
  }
}

} // namespace almanac
