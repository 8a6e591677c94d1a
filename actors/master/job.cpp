#include "actors/master/life_cycles.hpp"

#include "actors/inspection.hpp"
#include "actors/master/waiting_clients.hpp"
#include "actors/support.hpp"
#include "core/job/step.hpp"
#include "core/records/task_tally.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

struct Given {
  std::shared_ptr<const session::Launch> order;
  std::vector<caf::strong_actor_ptr> hosts;
};

std::shared_ptr<const session::Launch> order_for(const LifeCycleContext& context, const Job& job,
                                                 const Task& task, const LaunchPlan& plan,
                                                 const std::string* script) {
  auto order = std::make_shared<session::Launch>();
  order->attempt = {job.key, task.number, task.attempt};
  order->job = session::launch_job(job, task);
  // Its user may have named a series, or nothing.
  if (plan.reservation && plan.reservation != job.request->reservation)
    order->job.request.edit().reservation = plan.reservation;
  if (script) order->script.content = *script;
  order->parts = plan.parts;
  order->shell = plan.shell, order->shell_start_mode = plan.shell_start_mode;
  order->prolog = plan.prolog, order->epilog = plan.epilog;
  order->pe_start = plan.pe_start, order->pe_stop = plan.pe_stop;
  order->cell = context.identity->cell;
  order->control_slaves = plan.control_slaves;
  order->job_is_first_task = plan.job_is_first_task;
  order->daemon_forks_slaves = plan.daemon_forks_slaves;
  order->notice = plan.notice, order->methods = plan.methods;
  order->checkpoint_directory = plan.checkpoint_directory;
  order->checkpoint = plan.checkpoint;
  session::Credential credential{
      context.store_id, context.term,    order->attempt, job.owner.user, job.owner.uid, {}, 0,
      job.script_hash,  Instant::never()};
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

// It owns the waiting and the telling of one job, not its place: the planner decides.
struct JobState {
  static inline const char* name = "job";
  explicit JobState(JobActor::pointer self) : self(self) {}

  void change(const JobChanged& change) {
    job = change.job;
    moments.changed(*job);
    advance();
    // Tasks that leave the queue with this change are told of next: then they decide.
    if (is_stuck()) self->delayed_send(self, std::chrono::seconds(1), Wake{generation});
  }

  void change(TaskChanged change) {
    auto& known = tasks[change.task->number];
    note(known.get(), change.task.get());
    known = std::move(change.task);
    if (change.plan) plans[known->number] = std::move(*change.plan);
    drop_stale_orders(known->number);
    tell_if_runs();
    if (script || job->script_hash.empty() || known->state != TaskState::sent) give_order(*known);
    else fetch_script();
    advance();
    tell_if_stuck();
  }

  void forget(std::int64_t number) {
    auto gone = tasks.extract(number);
    if (gone.empty()) return;
    note(gone.mapped().get(), nullptr);
    plans.erase(number);
    drop_stale_orders(number);
    advance();
    tell_if_stuck();
  }

  void note(const Task* before, const Task* after) {
    moments.changed(before, after);
    tallies.changed(before, after);
  }

  // The script is read once, when the first task is to be launched.
  void fetch_script() {
    if (std::exchange(awaits_script, true)) return;
    self->request(context.archive, caf::infinite, GetScript{job->script_hash})
        .then([this](const ScriptContent& found) {
          script = found.content;
          for (const auto& [number, task] : tasks) give_order(*task);
        });
  }

  void give_order(const Task& task) {
    if (!task.is_active()) return;
    const Attempt attempt{job->key, task.number, task.attempt};
    auto given = orders.find(attempt);
    // The order has all of the plan that is needed from here on.
    if (auto plan = plans.extract(task.number); plan && given == orders.end())
      given =
          orders
              .emplace(attempt, Given{order_for(context, *job, task, plan.mapped(), script.get()),
                                      std::move(plan.mapped().hosts)})
              .first;
    if (given == orders.end()) return;
    crash_point("before-launch");
    for (const auto& host : given->second.hosts)
      caf::anon_send(caf::actor_cast<HostActor>(host),
                     WantTask{given->second.order, task.state == TaskState::sent, task.deleting,
                              task.suspended && !task.is_moving(), limit_of(task),
                              is_tried_again(task.after_end), !task.gives_way_to.empty()});
    clients.tell(*given->second.order, *context.identity);
  }

  // It may have become longer since the host was told, with its reservation.
  std::int64_t limit_of(const Task& task) const {
    const bool follows = job->reservation_key && task.limit < asked_limit(job->request);
    return follows ? task.limit.seconds : 0;
  }

  caf::result<PlaceForClient> await_place(const AwaitPlace& await) {
    auto promise = self->make_response_promise<PlaceForClient>();
    clients.add(await.caller, promise, job ? job->owner : Caller());
    for (const auto& [attempt, given] : orders) clients.tell(*given.order, *context.identity);
    tell_if_stuck();
    return promise;
  }

  // Attempts that the record does not have any more are not wanted anywhere.
  void drop_stale_orders(std::int64_t number) {
    const auto known = tasks.find(number);
    const auto* task = known == tasks.end() ? nullptr : known->second.get();
    for (auto it = orders.lower_bound({job->key, number, 0});
         it != orders.end() && it->first.task == number;) {
      const bool is_wanted = task && task->is_active() && task->attempt == it->first.attempt;
      it = is_wanted ? std::next(it) : drop_order(it);
    }
  }

  std::map<Attempt, Given>::iterator drop_order(std::map<Attempt, Given>::iterator order) {
    for (const auto& host : order->second.hosts)
      caf::anon_send(caf::actor_cast<HostActor>(host), UnwantTask{order->first});
    return orders.erase(order);
  }

  void advance() {
    const auto now = context.clock->now();
    const auto due = moments.step(seen, now);
    seen = now;
    for (const auto& attempt : due.overdue)
      caf::anon_send(context.calendar, Tell{TaskOverdue{attempt}});
    if (due.may_start) caf::anon_send(context.calendar, Tell{Pass{}});
    ++generation;
    if (!due.look_again.is_never())
      self->delayed_send(self, until(due.look_again, now), Wake{generation});
  }

  void gone() {
    const auto key = job ? job->key : JobKey{};
    for (auto it = orders.begin(); it != orders.end();) it = drop_order(it);
    job = nullptr;
    tell_end({key, {}});
    clients.refuse("it was deleted before it ran");
    self->quit();
  }

  bool is_stuck() const {
    const bool is_awaited = !awaiting.empty() || !awaiting_start.empty() || !clients.empty();
    if (!is_awaited || !job || !job->fresh.empty()) return false;
    const auto& tally = tallies.of(job->key);
    return tally.in_error > 0 && tally.in_error == tally.all();
  }

  std::string show_all(bool json) const {
    if (!job) return "";
    JobWithTasks whole{*job, {}};
    for (const auto& [number, task] : tasks) whole.tasks.push_back(*task);
    return show(whole, json);
  }

  void tell_end(const JobEnd& end) {
    for (auto* list : {&awaiting, &awaiting_start}) {
      for (auto& waiting : *list) waiting.deliver(end);
      list->clear();
    }
  }

  void tell_if_runs() {
    if (awaiting_start.empty() || !job) return;
    const bool runs = std::any_of(tasks.begin(), tasks.end(), [](const auto& entry) {
      return entry.second->state == TaskState::running;
    });
    if (!runs) return;
    for (auto& waiting : awaiting_start) waiting.deliver(JobEnd{job->key, {}, true});
    awaiting_start.clear();
  }

  // Nothing of it goes on before somebody clears its error: who waits for its end is told, instead
  // of waiting for ever.
  void tell_if_stuck() {
    if (!is_stuck()) return;
    JobEnd end{job->key, {}};
    for (const auto& [number, task] : tasks) {
      auto& record = end.in_error.emplace_back();
      record.job = job->key, record.job_number = job->number, record.task = number;
      record.record = not_started("it is in the error state: " + task->reason);
      clients.refuse(record.record.reason);
    }
    tell_end(end);
  }

  JobActor::pointer self;
  LifeCycleContext context;
  JobPtr job;
  std::map<std::int64_t, TaskPtr> tasks;
  TaskTallies tallies;
  JobMoments moments;
  Instant seen;
  std::shared_ptr<const std::string> script;
  bool awaits_script = false;
  std::map<std::int64_t, LaunchPlan> plans; ///< of tasks without an order yet
  std::map<Attempt, Given> orders;
  std::vector<caf::typed_response_promise<JobEnd>> awaiting, awaiting_start;
  WaitingClients clients;
  std::int64_t generation = 0;
};

JobActor::behavior_type job_actor(Watched<JobActor, JobState> self, LifeCycleContext context,
                                  JobNumber number) {
  end_process_on_exception(self, "job");
  enlist(self, context.directory, "job", to_string(number));
  self->state.context = std::move(context);
  return {
      [self](const JobChanged& change) { self->state.change(change); },
      [self](const TaskChanged& change) { self->state.change(change); },
      [self](const TaskGone& gone) { self->state.forget(gone.number); },
      [self](const JobGone&) { self->state.gone(); },
      [self](const AwaitEnd& await) -> caf::result<JobEnd> {
        auto promise = self->make_response_promise<JobEnd>();
        auto& state = self->state;
        (await.or_start ? state.awaiting_start : state.awaiting).push_back(promise);
        state.tell_if_runs();
        self->state.tell_if_stuck();
        return promise;
      },
      [self](const AwaitPlace& await) { return self->state.await_place(await); },
      [self](const Wake& wake) {
        if (wake.generation != self->state.generation || !self->state.job) return;
        self->state.advance();
        self->state.tell_if_stuck();
      },
      [self](const Inspect& inspect) { return ActorState{self->state.show_all(inspect.json)}; },
  };
}

} // namespace

JobActor spawn_job(caf::actor_system& system, const LifeCycleContext& context, JobNumber number) {
  return system.spawn(job_actor, context, number);
}

} // namespace almanac
