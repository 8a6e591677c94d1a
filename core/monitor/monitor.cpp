#include "core/monitor/monitor.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// From the moment something is seen to be due to the record of it: clocks jump, daemons are
// stopped.
constexpr Duration grace{20};
constexpr Duration longest_awake{2}; // that a single tick speaks for

std::string named(const WholeJob& job, const Task& task) {
  return "job " + to_string(job.number) +
         (task.number > 0 ? "." + std::to_string(task.number) : "");
}

std::int64_t attempts_of(const WholeJob& job) {
  std::int64_t sum = 0;
  for (const auto& task : job.tasks) sum += task.attempt;
  return sum;
}

} // namespace

void Monitor::complain(Invariant invariant, std::string what) {
  if (!violation_) violation_ = {invariant, std::move(what)};
}

void Monitor::take(const std::vector<Grant>& grants, ReservationKey reservation_key,
                   std::int64_t sign) {
  for (const auto& grant : grants)
    (reservation_key ? used_inside_[{reservation_key, grant.instance}] : used_[grant.instance]) +=
        sign * grant.slots;
}

void Monitor::forget_job(JobKey key) {
  const auto it = jobs_.find(key);
  if (it == jobs_.end()) return;
  for (const auto& [number, task] : it->second.tasks)
    take(task.grants, it->second.reservation_key, -1);
  if (const auto within = jobs_in_.find(it->second.reservation_key); within != jobs_in_.end())
    if (within->second.erase(key) > 0 && within->second.empty()) jobs_in_.erase(within);
  jobs_.erase(it);
}

void Monitor::note_start(const WholeJob& job, const Task& task,
                         const Configuration& configuration) {
  const auto* reservation = job.reservation_key && reservations_.contains(job.reservation_key)
                                ? &reservations_.at(job.reservation_key)
                                : nullptr;
  if (job.reservation_key && !reservation)
    complain(Invariant::reservations_outlive_their_jobs,
             named(job, task) + " starts in a reservation that is gone");
  for (const auto& grant : task.grants) {
    const auto* instance = configuration.instance(grant.instance.text());
    const auto used = reservation ? 0 : used_[grant.instance];
    if (instance && used > instance->settings.slots)
      complain(Invariant::starts_fit, named(job, task) + " makes it " + std::to_string(used) +
                                          " of " + std::to_string(instance->settings.slots) +
                                          " slots on " + grant.instance.text());
    if (!reservation) continue;
    const auto inside = used_inside_[{job.reservation_key, grant.instance}];
    if (inside > reservation->slots_on(grant.instance))
      complain(Invariant::reservation_jobs_keep_inside,
               named(job, task) + " makes it " + std::to_string(inside) + " slots on " +
                   grant.instance.text() + ", reservation " + to_string(reservation->number) +
                   " has " + std::to_string(reservation->slots_on(grant.instance)));
  }
}

void Monitor::note_job(const WholeJob& job, const Configuration* configuration) {
  const auto before = jobs_.contains(job.key) ? jobs_.at(job.key) : JobMemo();
  if (!jobs_.contains(job.key)) {
    if (configuration && job.key.value <= last_key_)
      complain(Invariant::keys_are_never_reused,
               "job " + to_string(job.number) + " has the key " + to_string(job.key) + ", and " +
                   std::to_string(last_key_) + " was given before");
    highest_key_ = std::max(highest_key_, job.key.value);
  }
  forget_job(job.key);
  auto& memo = jobs_[job.key];
  memo.reservation_key = job.reservation_key;
  if (job.reservation_key) jobs_in_[job.reservation_key].insert(job.key);
  for (const auto& task : job.tasks) {
    memo.tasks[task.number] = {task.attempt, task.grants};
    take(task.grants, job.reservation_key, 1);
    if (task.is_active() == task.grants.empty())
      complain(Invariant::grants_mean_active,
               named(job, task) + (task.grants.empty() ? " is active without slots"
                                                       : " holds slots and is not active"));
  }
  memo.attempts = attempts_of(job);
  for (const auto& hold : job.holds) memo.holds.push_back(hold.window.start);
  const bool is_promised = configuration && configuration->scheduler().keeps_holds;
  note_holds(job, is_promised ? before : JobMemo());
  if (!configuration) return;
  for (const auto& task : job.tasks) {
    const auto old = before.tasks.find(task.number);
    if (old != before.tasks.end() && task.attempt < old->second.attempt)
      complain(Invariant::attempts_only_grow, named(job, task) + " goes from attempt " +
                                                  std::to_string(old->second.attempt) + " to " +
                                                  std::to_string(task.attempt));
    const bool starts =
        task.is_active() && (old == before.tasks.end() || old->second.attempt < task.attempt);
    if (starts) note_start(job, task, *configuration);
  }
}

void Monitor::note(const Effect& effect, const Configuration& configuration, Instant) {
  ++checked_;
  if (const auto* job = std::get_if<WholeJobPtr>(&effect)) note_job(**job, &configuration);
  else if (const auto* gone = std::get_if<JobErased>(&effect)) {
    forget_job(gone->key);
    expect(gone->key.value, Awaited::hold, Instant::never());
  } else if (const auto* reservation = std::get_if<ReservationPtr>(&effect))
    note_reservation(**reservation);
  else if (const auto* ended = std::get_if<ReservationErased>(&effect)) {
    forget_reservation(ended->key);
    gone_.push_back(ended->key);
  } else if (const auto* record = std::get_if<AccountingRecord>(&effect)) {
    if (last_accounting_ > 0 && record->sequence != last_accounting_ + 1)
      complain(Invariant::accounting_has_no_gap, "record " + std::to_string(record->sequence) +
                                                     " follows " +
                                                     std::to_string(last_accounting_));
    last_accounting_ = record->sequence;
  } else if (const auto* counters = std::get_if<Counters>(&effect))
    passes_off_ = counters->passes_off;
}

void Monitor::settle() {
  last_key_ = highest_key_;
  for (const auto gone : std::exchange(gone_, {})) {
    const auto within = jobs_in_.find(gone);
    if (within == jobs_in_.end()) continue;
    for (const auto key : within->second)
      if (!jobs_.at(key).tasks.empty())
        complain(Invariant::reservations_outlive_their_jobs,
                 "a reservation goes while the job with the key " + to_string(key) + " is in it");
  }
}

void Monitor::begin(const Records& records) {
  jobs_.clear(), jobs_in_.clear(), reservations_.clear(), used_.clear(), used_inside_.clear();
  due_.clear(), in_time_order_.clear();
  for (const auto& reservation : records.reservations) note_reservation(reservation);
  for (const auto& job : records.jobs) note_job(job, nullptr);
  last_key_ = highest_key_ = std::max(highest_key_, records.counters.last_key);
  last_accounting_ = records.counters.last_accounting;
  passes_off_ = records.counters.passes_off;
}

void Monitor::note_reservation(const Reservation& reservation) {
  const auto key = reservation.key;
  reservations_[key] = reservation;
  highest_key_ = std::max(highest_key_, key.value);
  const auto& window = reservation.shape.window;
  expect(key.value, Awaited::reservation,
         reservation.phase == ReservationPhase::waiting   ? window.start
         : reservation.phase == ReservationPhase::running ? window.end
                                                          : Instant::never());
  expect(key.value, Awaited::proposal,
         reservation.proposed.empty() ? Instant::never() : reservation.proposed.front().held_until);
}

void Monitor::forget_reservation(ReservationKey key) {
  reservations_.erase(key);
  expect(key.value, Awaited::reservation, Instant::never());
  expect(key.value, Awaited::proposal, Instant::never());
}

// One by one where none has come to a start and none was given up; with HOLDS=fresh nothing is
// promised.
void Monitor::note_holds(const WholeJob& job, const JobMemo& before) {
  expect(job.key.value, Awaited::hold,
         job.holds.empty() ? Instant::never() : job.holds.front().window.start);
  if (before.holds.size() != job.holds.size() || before.attempts != attempts_of(job)) return;
  for (std::size_t i = 0; i < job.holds.size(); ++i)
    if (job.holds[i].window.start > before.holds[i] && job.holds[i].cause.empty())
      complain(Invariant::holds_keep_their_promise,
               "what is held for job " + to_string(job.number) + " starts " +
                   std::to_string((job.holds[i].window.start - before.holds[i]).seconds) +
                   " s later than before");
}

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
      if (!passes_off_)
        complain(Invariant::holds_keep_their_promise,
                 "what is held for the job with the key " + std::to_string(key) + " is late");
      continue;
    }
    const auto named = "reservation " + to_string(reservations_.at({key}).number);
    if (what == Awaited::proposal)
      complain(Invariant::proposals_expire, "the proposal for " + named + " is late");
    else complain(Invariant::reservations_open_and_close_in_time, named + " is late");
  }
}

} // namespace almanac
