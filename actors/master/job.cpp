#include "actors/master/life_cycles.hpp"

#include "actors/inspection.hpp"
#include "actors/support.hpp"
#include "core/job/step.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

// It owns the waiting and the telling of one job, not its place: the planner decides.
struct JobState {
  static inline const char* name = "job";
  explicit JobState(JobActor::pointer self) : self(self) {}

  void change(const JobChanged& change) {
    job = change.job;
    for (const auto& plan : change.plans) plans[plan.task] = plan;
    drop_stale_orders();
    if (script || job->script_hash.empty()) give_orders();
    else fetch_script();
    advance();
    tell_if_stuck();
  }

  // The script is read once, when the first task is to be launched.
  void fetch_script() {
    const bool needed = std::any_of(job->tasks.begin(), job->tasks.end(),
                                    [](auto& t) { return t.state == TaskState::sent; });
    if (!needed) return give_orders();
    self->request(context.journal, caf::infinite, GetScript{job->script_hash})
        .then([this](const ScriptContent& found) {
          script = found.content;
          give_orders();
        });
  }

  std::shared_ptr<const session::Launch> order_for(const Task& task, const LaunchPlan& plan) const {
    auto order = std::make_shared<session::Launch>();
    order->attempt = {job->key, task.number, task.attempt};
    order->job = *job;
    order->job.tasks = {task};
    order->job.fresh.clear();
    if (script) order->script.content = *script;
    order->parts = plan.parts;
    order->shell = plan.shell, order->shell_start_mode = plan.shell_start_mode;
    order->prolog = plan.prolog, order->epilog = plan.epilog;
    order->pe_start = plan.pe_start, order->pe_stop = plan.pe_stop;
    order->cell = context.identity->cell;
    order->control_slaves = plan.control_slaves;
    order->job_is_first_task = plan.job_is_first_task;
    order->notice = plan.notice;
    session::Credential credential{
        context.store_id, context.term,    order->attempt, job->owner.user, job->owner.uid, {}, 0,
        job->script_hash, Instant::never()};
    for (const auto& part : plan.parts) {
      credential.hosts.push_back(part.host);
      credential.slots += part.slots;
    }
    order->credential.content = encode(credential);
    // Only other hosts ask for proof that the first one may start processes there.
    if (plan.parts.size() > 1)
      order->signature.content =
          context.identity->key.sign("almanac-order" + order->credential.content);
    return order;
  }

  void give_orders() {
    for (const auto& task : job->tasks) {
      const auto plan = plans.find(task.number);
      if (!task.is_active() || plan == plans.end()) continue;
      auto& given = orders[{job->key, task.number, task.attempt}];
      if (!given.order) given = {order_for(task, plan->second), plan->second.hosts};
      crash_point("before-launch");
      for (const auto& host : given.hosts)
        caf::anon_send(
            caf::actor_cast<HostActor>(host),
            WantTask{given.order, task.state == TaskState::sent, task.deleting, task.suspended});
    }
  }

  // Attempts that the record does not have any more are not wanted anywhere.
  void drop_stale_orders() {
    std::erase_if(orders, [this](const auto& entry) {
      const auto& [attempt, given] = entry;
      const auto* task = job ? job->find(attempt.task) : nullptr;
      if (task && task->is_active() && task->attempt == attempt.attempt) return false;
      for (const auto& host : given.hosts)
        caf::anon_send(caf::actor_cast<HostActor>(host), UnwantTask{attempt});
      return true;
    });
  }

  void advance() {
    const auto now = context.clock->now();
    const auto due = step(*job, seen, now);
    seen = now;
    for (const auto& attempt : due.overdue)
      caf::anon_send(context.calendar, Tell{TaskOverdue{attempt}});
    if (due.may_start) caf::anon_send(context.calendar, Tell{Pass{}});
    ++generation;
    if (!due.look_again.is_never())
      self->delayed_send(self, until(due.look_again, now), Wake{generation});
  }

  void gone() {
    const auto number = job ? job->number : JobNumber{};
    job = nullptr;
    drop_stale_orders();
    tell_end(number);
    self->quit();
  }

  void tell_end(JobNumber number) {
    for (auto& waiting : awaiting) waiting.deliver(JobEnd{number, finished});
    awaiting.clear(), finished.clear();
  }

  // Nothing of it goes on before somebody clears its error: who waits for its end is told, instead
  // of waiting for ever.
  void tell_if_stuck() {
    const auto is_in_error = [](const Task& task) { return task.state == TaskState::error; };
    if (awaiting.empty() || !job || !job->fresh.empty() || job->tasks.empty() ||
        !std::all_of(job->tasks.begin(), job->tasks.end(), is_in_error))
      return;
    for (const auto& task : job->tasks) {
      std::erase_if(finished, [&](auto& record) { return record.task == task.number; });
      AccountingRecord record;
      record.job = job->key, record.job_number = job->number, record.task = task.number;
      record.record = not_started("it is in the error state: " + task.reason);
      finished.push_back(std::move(record));
    }
    tell_end(job->number);
  }

  JobActor::pointer self;
  LifeCycleContext context;
  WholeJobPtr job;
  Instant seen;
  std::shared_ptr<const std::string> script;
  std::map<std::int64_t, LaunchPlan> plans;
  struct Given {
    std::shared_ptr<const session::Launch> order;
    std::vector<caf::strong_actor_ptr> hosts;
  };
  std::map<Attempt, Given> orders;
  std::vector<AccountingRecord> finished;
  std::vector<caf::typed_response_promise<JobEnd>> awaiting;
  std::int64_t generation = 0;
};

JobActor::behavior_type job_actor(Watched<JobActor, JobState> self, LifeCycleContext context,
                                  JobNumber number) {
  end_process_on_exception(self, "job");
  enlist(self, context.directory, "job", to_string(number));
  self->state.context = std::move(context);
  return {
      [self](const JobChanged& change) { self->state.change(change); },
      [self](const TaskFinished& task) {
        // Only those who wait for the end need the records.
        if (!self->state.awaiting.empty()) self->state.finished.push_back(task.record);
      },
      [self](const JobGone&) { self->state.gone(); },
      [self](const AwaitEnd&) -> caf::result<JobEnd> {
        auto promise = self->make_response_promise<JobEnd>();
        self->state.awaiting.push_back(promise);
        self->state.tell_if_stuck();
        return promise;
      },
      [self](const Wake& wake) {
        if (wake.generation == self->state.generation && self->state.job) self->state.advance();
      },
      [self](const Inspect& inspect) {
        return ActorState{self->state.job ? show(*self->state.job, inspect.json) : ""};
      },
  };
}

} // namespace

JobActor spawn_job(caf::actor_system& system, const LifeCycleContext& context, JobNumber number) {
  return system.spawn(job_actor, context, number);
}

} // namespace almanac
