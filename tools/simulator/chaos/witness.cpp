#include "tools/simulator/chaos/witness.hpp"

#include "actors/master/kept_answers.hpp"
#include "core/base/fingerprint.hpp"
#include "core/monitor/booked_on.hpp"
#include "core/policy/standing.hpp"
#include "schema/codec.hpp"
#include "schema/store/records.hpp"

#include <algorithm>

namespace almanac {

Witness::Witness(VirtualWorld& world, const std::vector<std::string>& hosts, int mutation)
    : world_(world), mutation_(mutation) {
  world.journal().on_commit = [this](const auto& batch, auto fate) { commit(batch, fate); };
  for (const auto& host : hosts) {
    auto& launcher = world.launcher(host);
    launcher.on_process = [this, host](const Attempt& attempt, bool starts) {
      starts ? started(host, attempt) : ended(host, attempt);
    };
    launcher.on_order = [this, host](const Attempt& attempt, bool kills) {
      ordered(host, attempt, kills);
    };
  }
  begin();
}

void Witness::distrust(const std::string& host) {
  distrusted_.insert(host);
  for (auto& [task, hosts] : running_) hosts.erase(host);
  for (const auto& [id, task] : records_.all<Task>()) note_hosts(*task);
}

void Witness::note_hosts(const Task& task) {
  const auto* job = records_.find<Job>(task.job);
  for (const auto& grant : task.grants)
    if (job && !is_trusted(grant.instance.host)) ill_fated_.insert(job->request->name);
}

void Witness::look() {
  if (found_) throw Broken{*found_};
  if (monitor_.violation()) throw Broken{*monitor_.violation()};
  if (!world_.first_error().empty())
    throw Broken{{Invariant::no_error_is_logged, world_.first_error()}};
}

void Witness::full_check() {
  const auto stored = this->stored();
  Records records;
  check(records.restore(stored).ok(), "what was committed is consistent");
  Monitor fresh(records);
  fresh.rebuild(records);
  if (fresh.violation()) throw Broken{*fresh.violation()};
  check_scripts(stored);
}

void Witness::check_suspension() const {
  for (const auto& [id, task] : records_.all<Task>()) {
    if (task->state != TaskState::running || task->deleting) continue;
    const auto& name = task->grants.front().instance.host;
    const auto* host = records_.find<HostState>(name);
    if (!is_trusted(name) || !host || host->phase != HostPhase::up) continue;
    const Attempt attempt{task->job, task->number, task->attempt};
    const auto& launcher = world_.launcher(name);
    if (!launcher.order_of(attempt) || launcher.has_ended(attempt)) continue;
    if (launcher.stands(attempt) != task->suspended)
      throw Broken{{Invariant::suspended_means_stopped,
                    named(attempt) + (task->suspended ? " runs" : " stands") + " on " + name}};
  }
}

// None is kept for nobody: what users submit and delete would fill the disk.
void Witness::check_scripts(const RecordSet& records) const {
  std::set<std::string> wanted;
  for (const auto& job : records.jobs) wanted.insert(job.script_hash);
  world_.journal().scan(store::Family::scripts, [&](std::string_view hash, std::string_view) {
    check(wanted.contains(std::string(hash)), "each script in the store is a job's");
  });
}

RecordSet Witness::stored() const {
  const auto& journal = world_.journal();
  auto stored = store::read_stored(
      [&](store::Family family, const auto& visit) { journal.scan(family, visit); });
  check(stored.ok() && stored->set_aside.empty(), "the stored records can be read");
  return std::move(stored->records);
}

void Witness::complain(Invariant invariant, std::string what) {
  if (!found_) found_ = {invariant, std::move(what)};
}

void Witness::begin() {
  check(records_.restore(stored()).ok(), "what was committed is consistent");
  monitor_.rebuild(records_);
  records_.follow(monitor_), records_.follow(quotas_);
}

void Witness::commit(const std::vector<store::Write>& batch, MemoryJournal::Fate fate) {
  went_wrong_ = went_wrong_ || fate != MemoryJournal::Fate::durable;
  if (fate == MemoryJournal::Fate::lost) return;
  ++commits_;
  for (const auto& write : batch) note_write(write);
  apply_effects();
  monitor_.tick(world_.now(), world_.clock().steady());
}

void Witness::apply_effects() {
  const auto effects = std::exchange(effects_, {});
  records_.apply(effects);
  monitor_.settle();
  check_commit();
  if (auto violation = quotas_.settle()) complain(violation->invariant, std::move(violation->what));
  if (distrusted_.empty()) return;
  for (const auto& effect : effects)
    if (const auto* task = std::get_if<TaskPtr>(&effect)) note_hosts(**task);
}

void Witness::note_write(const store::Write& write) {
  if (write.family == store::Family::inputs && write.value) apply_effects();
  if (looks_at_inputs_) check_owner(write);
  const auto note = [&]<class R>() {
    if (!write.value) return;
    auto record = decode<R>(*write.value);
    if (!record) return;
    if constexpr (requires { mutate(*record); }) mutate(*record);
    if constexpr (std::is_constructible_v<Effect, R>) effects_.emplace_back(std::move(*record));
    else effects_.emplace_back(std::make_shared<const R>(std::move(*record)));
  };
  const auto note_kind = [&]<class R>() {
    note.template operator()<R>();
    if (!write.value) effects_.emplace_back(Erased<R>{store::key_of_stored<KeyOf<R>>(write.key)});
  };
  switch (write.family) {
#define KIND(type, table, family)                                                                  \
  case store::Family::table:                                                                       \
    return note_kind.template operator()<type>();
#include "core/records/kinds.def"
#undef KIND
  case store::Family::inputs:
    if (write.value)
      if (const auto journaled = decode<JournaledInput>(*write.value)) {
        note_commit(*journaled);
        if (looks_at_inputs_) note_input(*journaled);
      }
    break;
  case store::Family::objects: {
    const auto [kind, name] = store::key_object(write.key);
    if (write.value) note.template operator()<ConfigurationObject>();
    else effects_.emplace_back(ObjectErased{kind, name});
    break;
  }
  case store::Family::accounting: return note.template operator()<AccountingRecord>();
  case store::Family::meta:
    if (write.key == store::counters_key) note.template operator()<Counters>();
    break;
  default: break;
  }
}

// The effects of an input follow it in the batch.
void Witness::note_input(const JournaledInput& journaled) {
  asker_.reset(), changes_ = 0, is_command_ = false;
  const auto& input = journaled.input;
  if (const auto* command = std::get_if<Command>(&input)) {
    is_command_ = true;
    const auto& caller = command->caller;
    if (caller.user != "root" || caller.host != "simulator") asker_ = caller;
    input_time_ = journaled.now;
    // What is new is its asker's anyway: the invariant has to see what is done to what is there.
    const bool submits = std::holds_alternative<Submit>(command->body);
    if (mutation_ == 20 && asker_ && !submits) asker_->user += "-forged";
  } else if (const auto* end = std::get_if<TaskEnded>(&input)) note_end(*end);
  else if (const auto* failure = std::get_if<LaunchFailed>(&input)) note_end(*failure);
}

// Whoever prepared it asks in time, so that nothing may be refused (spec/plus.md section 4, rule 6).
void Witness::note_commit(const JournaledInput& journaled) {
  to_commit_.reset();
  const auto* command = std::get_if<Command>(&journaled.input);
  const auto* settle = command ? std::get_if<SettleReservation>(&command->body) : nullptr;
  if (!settle || !settle->commit || !command->claim.empty()) return;
  for (const auto& [key, reservation] : records_.all<Reservation>()) {
    if (reservation->number != settle->number || reservation->proposed.empty()) continue;
    const auto& held = reservation->proposed.front();
    const bool is_meant = settle->transaction.empty() || settle->transaction == held.transaction;
    if (is_meant && !held.awaits_site() && lapses_at(*reservation) > journaled.now &&
        owns(command->caller, requester(*reservation)))
      to_commit_ = TransactionKey{reservation->number, held.transaction};
  }
}

void Witness::check_commit() {
  const auto wanted = std::exchange(to_commit_, {});
  if (!wanted) return;
  const auto* settled = records_.find<SettledTransaction>(*wanted);
  if (!settled || !settled->committed)
    complain(Invariant::the_held_is_committed, "transaction \"" + wanted->transaction +
                                                   "\" of reservation " +
                                                   to_string(wanted->number) + " is not");
}

// Whoever has a reservation that preempts ends jobs of others with its start, and changes nothing else
// of them.
bool Witness::may_give_way(const Task& before, Task after) const {
  const auto is_on_its_hosts = [&](const Reservation& reservation) {
    return reservation.request.preempts &&
           std::any_of(before.grants.begin(), before.grants.end(), [&](const Grant& grant) {
             return has_part_on(reservation, grant.instance);
           });
  };
  const auto& all = records_.all<Reservation>();
  const bool is_in_the_way =
      !after.gives_way_to.empty() || std::any_of(all.begin(), all.end(), [&](const auto& entry) {
        return is_on_its_hosts(*entry.second);
      });
  if (!after.deleting || !is_in_the_way) return false;
  after.deleting = before.deleting, after.after_end = before.after_end;
  after.gives_way_to = before.gives_way_to, after.reason = before.reason;
  return fingerprint(before) == fingerprint(after);
}

const Task* Witness::active(const Attempt& attempt) const {
  const auto* task = records_.find<Task>({attempt.job, attempt.task});
  return task && task->is_active() && task->attempt == attempt.attempt ? task : nullptr;
}

// Whoever has the keys of one of its hosts may end a task; nobody else may say that it has ended.
template <class Fact> void Witness::note_end(const Fact& fact) {
  const auto* task = active(fact.attempt);
  if (!task) return;
  for (const auto& grant : task->grants) {
    const auto host = grant.instance.host;
    const bool has_ended = world_.launcher(host).has_ended(fact.attempt) && mutation_ != 21;
    if (!is_trusted(host) || has_ended) return;
  }
  complain(Invariant::ends_have_happened,
           named(fact.attempt) + " is said to have ended, and on none of its hosts it has");
}

// An order of somebody who may give it: the records want the end, or the task's first host, where
// it has ended.
void Witness::ordered(const std::string& host, const Attempt& attempt, bool kills) {
  const auto* task = active(attempt);
  if (!is_trusted(host) || !task) return;
  const auto first = task->grants.front().instance.host;
  if (!is_trusted(first)) return;
  if (kills && (task->deleting || world_.launcher(first).has_ended(attempt))) return;
  complain(Invariant::ends_have_happened, named(attempt) +
                                              (kills ? " is ended" : " is given a process") +
                                              " on " + host + ", which nobody wanted who may");
}

void Witness::check_owner(const store::Write& write) {
  const auto complain_of = [&](const std::string& what, const std::string& owner) {
    if (asker_ && owner != asker_->user)
      complain(Invariant::others_stay_untouched, "a request of " + asker_->user + " on " +
                                                     asker_->host + " changes " + what +
                                                     (owner.empty() ? "" : " of " + owner));
  };
  switch (write.family) {
  case store::Family::jobs: {
    const JobKey key{store::key_number(write.key)};
    const auto what = "the job with the key " + to_string(key);
    const auto* known = records_.find<Job>(key);
    const auto job = write.value ? decode<Job>(*write.value) : Result<Job>(Error{"it is erased"});
    if (known) complain_of(what, known->owner.user);
    if (job) complain_of(what, job->owner.user);
    break;
  }
  case store::Family::tasks: {
    const auto id = store::key_of_stored<TaskId>(write.key);
    const auto* job = records_.find<Job>(id.job);
    if (!job) break; // it comes with its job
    const auto* known = records_.find<Task>(id);
    const auto task =
        write.value ? decode<Task>(*write.value) : Result<Task>(Error{"it is erased"});
    if (known && task && is_only_booked_on(*known, *task, input_time_)) break;
    if (known && task && may_give_way(*known, *task)) break;
    complain_of("a task of the job with the key " + to_string(id.job), job->owner.user);
    break;
  }
  case store::Family::reservations: {
    const ReservationKey key{store::key_number(write.key)};
    if (const auto* known = records_.find<Reservation>(key))
      complain_of("the reservation with the key " + to_string(key), known->owner.user);
    break;
  }
  case store::Family::objects:
  case store::Family::hosts:
  case store::Family::instances:
  case store::Family::keys: complain_of("the cluster", ""); break;
  case store::Family::answers: return check_kept(write);
  default: return;
  }
  ++changes_;
}

// What changed nothing can be decided again: keeping it would let anybody fill the store.
void Witness::check_kept(const store::Write& write) {
  if (!is_command_ || !write.value) return;
  const auto kept = decode_answer(*write.value);
  const bool refuses = kept && (kept->answer.exit_code != 0 || mutation_ == 23);
  if (refuses && (changes_ == 0 || mutation_ == 23))
    complain(Invariant::refusals_leave_nothing, "an answer is kept under " + write.key);
}

// Deliberate violations, in what the witness is shown: each invariant must be seen to bite.
void Witness::mutate(Job& job) const {
  if (mutation_ == 4 && job.reservation_key) job.reservation_key = {1'000'000'000};
  if (mutation_ == 19)
    for (auto& hold : job.holds) hold.window.start = Instant{1}; // and no start ever comes of it
  if (mutation_ == 30) job.request.edit().concurrent = true;
  const bool has_tasks = !records_.tasks_of(job.key).empty();
  if (mutation_ == 6 && job.key.value > 20 && !has_tasks) job.key = {1};
}

void Witness::mutate(Task& task) const {
  const auto* job = records_.find<Job>(task.job);
  if (mutation_ == 1 && task.state == TaskState::running) task.attempt = 0;
  if (mutation_ == 2 && job && !job->reservation_key)
    for (auto& grant : task.grants) grant.slots += 100;
  if (mutation_ == 3 && job && job->reservation_key)
    for (auto& grant : task.grants) grant.slots += 100;
  if (mutation_ == 7 && task.state == TaskState::running) task.grants.clear();
  if (mutation_ == 29) task.suspended = !task.suspended;
}

void Witness::mutate(Reservation& reservation) const {
  if (mutation_ == 8) reservation.shape.window.end = reservation.shape.window.start;
  if (mutation_ == 9) reservation.proposed = {{"lost", Instant{1}, ReservationVerb::cancel, {}}};
  if (mutation_ == 25)
    for (auto& proposal : reservation.proposed) proposal.shape.bookings.clear();
  if (mutation_ == 34)
    for (auto& proposal : reservation.proposed)
      for (auto& booking : proposal.shape.bookings) booking.amount += 100;
  if (mutation_ == 31)
    for (auto& booking : reservation.shape.bookings)
      reservation.request.preempts = true, booking.amount += 100;
  if (mutation_ == 32 && reservation.phase == ReservationPhase::running)
    for (auto& grant : reservation.shape.grants)
      reservation.request.preempts = true, grant.slots += 100;
  if (mutation_ == 33)
    for (auto& loan : reservation.lent)
      for (auto& booking : loan.bookings) booking.amount += 100;
  if (mutation_ == 28) {
    auto& request = reservation.request;
    request.maintenance = true;
    for (const auto& grant : reservation.shape.grants) request.hosts.push_back(grant.instance.host);
    std::sort(request.hosts.begin(), request.hosts.end());
  }
}

// A transaction of a number that is given next.
void Witness::mutate(SettledTransaction& settled) const {
  if (mutation_ == 35) settled.committed = false;
  if (mutation_ == 26) settled.number.value = records_.counters().last_reservation_number + 1;
}

void Witness::mutate(AccountingRecord& record) const {
  if (mutation_ == 5 && record.sequence > 3) ++record.sequence;
}

void Witness::mutate(ConfigurationObject& object) const {
  if (mutation_ == 27 && object.kind == ObjectKind::quota_set)
    object.set("limit", "limit to slots=0");
}

std::string Witness::named(const Attempt& attempt) {
  return "attempt " + std::to_string(attempt.attempt) + " of job key " + to_string(attempt.job) +
         "." + std::to_string(attempt.task);
}

void Witness::started(const std::string& host, Attempt attempt) {
  if (!is_trusted(host)) return;
  if (mutation_ == 10 && attempt.job.value > 10) ++starts_[{attempt, host}];
  if (++starts_[{attempt, host}] > 1)
    complain(Invariant::an_attempt_starts_once, named(attempt) + " was started again on " + host);
  const TaskId task{attempt.job, attempt.task};
  auto& running = running_[task];
  if (mutation_ == 11 && attempt.job.value > 10) running.insert("elsewhere");
  if (!running.empty())
    complain(Invariant::one_attempt_at_a_time,
             named(attempt) + " starts on " + host + " while one runs on " + *running.begin());
  running.insert(host);
  auto& newest = newest_[task];
  if (mutation_ == 12 && attempt.job.value > 10) newest = attempt.attempt + 1;
  if (attempt.attempt < newest)
    complain(Invariant::no_attempt_after_a_newer_one,
             named(attempt) + " starts on " + host + " after attempt " + std::to_string(newest));
  newest = std::max(newest, attempt.attempt);
  if (mutation_ == 15 && attempt.job.value > 10) attempt.attempt += 7;
  const auto* stored = records_.find<Task>({attempt.job, attempt.task});
  if (stored && stored->attempt < attempt.attempt)
    complain(Invariant::starts_are_durable, named(attempt) + " starts on " + host +
                                                ", the store has attempt " +
                                                std::to_string(stored->attempt));
}

void Witness::ended(const std::string& host, const Attempt& attempt) {
  running_[{attempt.job, attempt.task}].erase(host);
}

} // namespace almanac
