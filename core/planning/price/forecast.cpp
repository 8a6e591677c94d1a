#include "core/planning/price/forecast.hpp"

#include "core/base/fingerprint.hpp"

#include <algorithm>

namespace almanac {

namespace {

std::uint64_t mark(const TaskId& task, Instant end) {
  Fingerprint mark;
  mark.add_number(static_cast<std::uint64_t>(task.job.value));
  mark.add_number(static_cast<std::uint64_t>(task.task));
  mark.add_number(static_cast<std::uint64_t>(end.seconds));
  return mark.value();
}

// It is told to end and waits again.
bool is_put_back(const Task& task) { return task.deleting && is_tried_again(task.after_end); }

// At its limit; one that is late, or has none, when what it has is booked no more.
Instant end_of(const Task& task, Instant now) {
  const auto last = task.limit.is_endless() ? Instant::never() : task.last_moment();
  return last > now ? std::min(last, task.booked.end) : task.booked.end;
}

// A task that waited at first and waits no more; told apart from all ends.
std::uint64_t mark_of_start(const TaskId& task) { return mark(task, {-1}); }

ValidInput told(const Command& command) {
  auto found = validated(command);
  check(std::holds_alternative<Valid<Command>>(found), "it was found valid when it was asked");
  return ValidInput(std::get<Valid<Command>>(found));
}

} // namespace

Forecast::Forecast(Planner planner, Instant now, ReservationKey left_out)
    : planner_(std::move(planner)), now_(now), left_out_(left_out) {
  planner_.set_checking(false);
  for (const auto& task : state().tasks()) follow(task);
  starts_.clear(); // these began before
  for (const auto& reservation : state().reservations()) follow(reservation);
  await_times();
}

Answer Forecast::carry_out(const Caller& caller, const CommandBody& command) {
  auto decisions = planner_.handle(told(Command{caller, command}), now_);
  for (const auto& effect : decisions.effects)
    if (const auto* reservation = std::get_if<ReservationPtr>(&effect)) follow(**reservation);
    else if (const auto* task = std::get_if<TaskPtr>(&effect)) follow(**task);
  return *decisions.answer;
}

void Forecast::begin() { settle(); }

Instant Forecast::next() const {
  auto next = Instant::never();
  if (!ends_.empty()) next = std::min(next, ends_.begin()->first);
  if (!dues_.empty()) next = std::min(next, dues_.begin()->first);
  if (!passes_.empty()) next = std::min(next, *passes_.begin());
  return next;
}

void Forecast::go_on() {
  now_ = std::max(now_, next());
  while (!ends_.empty() && ends_.begin()->first <= now_) {
    const auto id = ends_.begin()->second;
    ends_.erase(ends_.begin());
    const auto* task = state().task(id);
    if (!task || !task->is_active()) continue;
    ExitRecord record;
    if (is_put_back(*task)) record.failed = failed::killed;
    handle(TaskEnded{{id.job, id.task, task->attempt}, record});
  }
  while (!dues_.empty() && dues_.begin()->first <= now_) {
    const auto key = dues_.begin()->second;
    dues_.erase(dues_.begin());
    looks_.erase(key);
    handle(ReservationDue{key});
  }
  while (!passes_.empty() && *passes_.begin() <= now_) {
    passes_.erase(passes_.begin());
    pass_wanted_ = true;
  }
  settle();
}

// Passes until nothing more can start, and what was placed begins.
void Forecast::settle() {
  while (pass_wanted_ || !sent_.empty()) {
    if (sent_.empty()) {
      pass_wanted_ = false;
      handle(Pass{});
      continue;
    }
    const auto id = *sent_.begin();
    sent_.erase(sent_.begin());
    if (const auto* task = state().task(id); task && task->state == TaskState::sent)
      handle(TaskStarted{{id.job, id.task, task->attempt}});
  }
}

void Forecast::handle(const ValidInput& input) {
  const auto decisions = planner_.handle(input, now_);
  pass_wanted_ = pass_wanted_ || decisions.pass_wanted;
  if (!decisions.next_turn.is_never()) passes_.insert(decisions.next_turn);
  for (const auto& effect : decisions.effects)
    if (const auto* task = std::get_if<TaskPtr>(&effect)) follow(**task);
    else if (const auto* gone = std::get_if<Erased<Task>>(&effect)) forget(gone->key);
    else if (const auto* reservation = std::get_if<ReservationPtr>(&effect)) follow(**reservation);
}

void Forecast::forget(const TaskId& id) {
  const auto known = running_.find(id);
  if (known == running_.end()) return;
  const auto& [end, slots, counts] = known->second;
  if (counts) used_slots_ -= slots, condition_ -= mark(id, end);
  ends_.erase({end, id});
  running_.erase(known);
}

void Forecast::follow(const Task& task) {
  const auto id = task.id();
  const bool ran = running_.contains(id);
  forget(id);
  if (!task.is_active()) return;
  const auto slots = slots_of(task.grants);
  const auto end = is_put_back(task) ? now_ : end_of(task, now_);
  const bool counts =
      left_out_ == ReservationKey{} || state().job(id.job)->reservation_key != left_out_;
  running_[id] = {end, slots, counts};
  if (counts) used_slots_ += slots, condition_ += mark(id, end);
  if (!end.is_never()) ends_.emplace(end, id);
  if (task.state == TaskState::sent) sent_.insert(id);
  if (!counts || ran) return;
  if (starts_.emplace(id, now_).second) condition_ += mark_of_start(id);
}

void Forecast::follow(const Reservation& reservation) {
  const auto key = reservation.key;
  if (const auto known = looks_.find(key); known != looks_.end()) {
    dues_.erase({known->second, key});
    looks_.erase(known);
  }
  const auto due = step(reservation, now_);
  const auto look = due.is_due() ? now_ : due.look_again;
  if (look.is_never()) return;
  looks_[key] = look;
  dues_.emplace(look, key);
}

// The master looks for jobs whose time has come each schedule_interval.
void Forecast::await_times() {
  const auto interval =
      std::max<std::int64_t>(1, state().configuration().scheduler().schedule_interval.seconds);
  const auto await = [&](Instant time) {
    if (time <= now_ || time.is_never()) return;
    const auto looks = (time.seconds - now_.seconds + interval - 1) / interval;
    passes_.insert(now_ + Duration{looks * interval});
  };
  for (const auto& [key, job] : state().jobs()) await(job->request->execution_time);
  for (const auto& task : state().tasks())
    if (task.rests()) await(task.rests_until);
}

} // namespace almanac
