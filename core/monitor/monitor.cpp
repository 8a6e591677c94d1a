#include "core/monitor/monitor.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// From the moment something is seen to be due to the record of it: clocks jump, daemons are
// stopped.
constexpr Duration grace{20};
constexpr Duration longest_awake{2}; // that a single tick speaks for

std::string named(JobNumber job, const Task& task) {
  return "job " + to_string(job) + (task.number > 0 ? "." + std::to_string(task.number) : "");
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
  while (!it->second.tasks.empty()) forget_task(it->second, it->second.tasks.begin()->first);
  if (const auto within = jobs_in_.find(it->second.reservation_key); within != jobs_in_.end())
    if (within->second.erase(key) > 0 && within->second.empty()) jobs_in_.erase(within);
  jobs_.erase(it);
}

void Monitor::forget_task(JobMemo& job, std::int64_t number) {
  const auto it = job.tasks.find(number);
  if (it == job.tasks.end()) return;
  take(it->second.grants, job.reservation_key, -1);
  job.tasks.erase(it);
}

// What its tasks take is taken elsewhere.
void Monitor::move(JobKey key, ReservationKey to) {
  auto& job = jobs_.at(key);
  for (const auto& [number, task] : job.tasks)
    take(task.grants, job.reservation_key, -1), take(task.grants, to, 1);
  if (const auto within = jobs_in_.find(job.reservation_key); within != jobs_in_.end())
    within->second.erase(key);
}

void Monitor::note_start(const JobMemo& job, const Task& task, const Configuration& configuration) {
  const auto* reservation = job.reservation_key && reservations_.contains(job.reservation_key)
                                ? &reservations_.at(job.reservation_key)
                                : nullptr;
  if (job.reservation_key && !reservation)
    complain(Invariant::reservations_outlive_their_jobs,
             named(job.number, task) + " starts in a reservation that is gone");
  for (const auto& grant : task.grants) {
    const auto* instance = configuration.instance(grant.instance.text());
    const auto used = reservation ? 0 : used_[grant.instance];
    if (instance && used > instance->settings.slots)
      complain(Invariant::starts_fit,
               named(job.number, task) + " makes it " + std::to_string(used) + " of " +
                   std::to_string(instance->settings.slots) + " slots on " + grant.instance.text());
    if (!reservation) continue;
    const auto inside = used_inside_[{job.reservation_key, grant.instance}];
    if (inside > reservation->slots_on(grant.instance))
      complain(Invariant::reservation_jobs_keep_inside,
               named(job.number, task) + " makes it " + std::to_string(inside) + " slots on " +
                   grant.instance.text() + ", reservation " + to_string(reservation->number) +
                   " has " + std::to_string(reservation->slots_on(grant.instance)));
  }
}

void Monitor::note_job(const Job& job, const Configuration* configuration) {
  const bool is_new = !jobs_.contains(job.key);
  if (is_new) {
    if (configuration && job.key.value <= last_key_)
      complain(Invariant::keys_are_never_reused,
               "job " + to_string(job.number) + " has the key " + to_string(job.key) + ", and " +
                   std::to_string(last_key_) + " was given before");
    highest_key_ = std::max(highest_key_, job.key.value);
  }
  auto& memo = jobs_[job.key];
  if (!is_new && memo.reservation_key != job.reservation_key) move(job.key, job.reservation_key);
  memo.number = job.number, memo.reservation_key = job.reservation_key;
  if (job.reservation_key) jobs_in_[job.reservation_key].insert(job.key);
  note_holds(job, memo, configuration && configuration->scheduler().keeps_holds);
}

void Monitor::note_task(const Task& task, const Configuration* configuration) {
  const auto job = jobs_.find(task.job);
  if (job == jobs_.end()) return;
  auto& memo = job->second;
  const auto before = memo.tasks.contains(task.number) ? memo.tasks.at(task.number) : TaskMemo();
  forget_task(memo, task.number);
  memo.tasks[task.number] = {task.attempt, task.grants};
  if (task.attempt > before.attempt) ++memo.starts;
  take(task.grants, memo.reservation_key, 1);
  if (task.is_active() == task.grants.empty())
    complain(Invariant::grants_mean_active,
             named(memo.number, task) + (task.grants.empty() ? " is active without slots"
                                                             : " holds slots and is not active"));
  if (!configuration) return;
  if (task.attempt < before.attempt)
    complain(Invariant::attempts_only_grow, named(memo.number, task) + " goes from attempt " +
                                                std::to_string(before.attempt) + " to " +
                                                std::to_string(task.attempt));
  if (task.is_active() && task.attempt > before.attempt) note_start(memo, task, *configuration);
}

void Monitor::note(const Effect& effect, const Configuration& configuration, Instant) {
  ++checked_;
  if (const auto* job = std::get_if<JobPtr>(&effect)) note_job(**job, &configuration);
  else if (const auto* gone = std::get_if<JobErased>(&effect)) {
    forget_job(gone->key);
    expect(gone->key.value, Awaited::hold, Instant::never());
  } else if (const auto* task = std::get_if<TaskPtr>(&effect)) note_task(**task, &configuration);
  else if (const auto* ended_task = std::get_if<TaskErased>(&effect)) {
    if (const auto of = jobs_.find(ended_task->id.job); of != jobs_.end())
      forget_task(of->second, ended_task->id.task);
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
  for (auto& moved : std::exchange(moved_holds_, {}))
    if (const auto job = jobs_.find(moved.job);
        job != jobs_.end() && job->second.starts == moved.starts)
      complain(Invariant::holds_keep_their_promise, std::move(moved.what));
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
  for (const auto& task : records.tasks) note_task(task, nullptr);
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

// One by one where none was given up; whether none has come to a start is known once the tasks of
// the same batch are. With HOLDS=fresh nothing is promised.
void Monitor::note_holds(const Job& job, JobMemo& memo, bool is_promised) {
  expect(job.key.value, Awaited::hold,
         job.holds.empty() ? Instant::never() : job.holds.front().window.start);
  const auto before = std::exchange(memo.holds, {});
  for (const auto& hold : job.holds) memo.holds.push_back(hold.window.start);
  if (!is_promised || before.size() != memo.holds.size()) return;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (memo.holds[i] > before[i] && job.holds[i].cause.empty())
      moved_holds_.push_back({job.key, memo.starts,
                              "what is held for job " + to_string(job.number) + " starts " +
                                  std::to_string((memo.holds[i] - before[i]).seconds) +
                                  " s later than before"});
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
