#include "actors/agent/agent_parts.hpp"
#include "actors/agent/call_replies.hpp"
#include "actors/inspection.hpp"
#include "actors/support.hpp"
#include "schema/warrant.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace almanac {

namespace {

constexpr Duration patience{10};        // that a peer's start waits for the part to be spooled here
constexpr Duration client_patience{30}; // that an interactive job waits for its client
constexpr std::int64_t no_client = -1;  // the generation of a Wake; others are numbers of calls
constexpr const char* has_ended = "the job has ended";
constexpr std::size_t most_waiting_input = 1 << 20; // bytes; no client sends more unasked

// As many at once as the job has slots on a host; the script may count or not (ruling on
// qrsh -inherit). A daemon that makes the others itself is the only one (sge_pe(5),
// daemon_forks_slaves), beside the script, too.
std::size_t most_processes(const session::Launch& order, const std::string& host) {
  std::int64_t slots = 0;
  for (const auto& part : order.parts)
    if (part.host == host) slots += part.slots;
  if (order.parts.front().host == host && !order.job_is_first_task) ++slots;
  if (order.daemon_forks_slaves) slots = std::min<std::int64_t>(1, slots);
  return static_cast<std::size_t>(std::max<std::int64_t>(0, slots));
}

std::string no_more_than(std::size_t most, const session::Launch& order, const std::string& host) {
  return "job " + to_string(order.job.number) + " has " + std::to_string(most) +
         (most == 1 ? " task" : " tasks") + " on host \"" + host +
         "\" already, no more may run there" +
         (order.daemon_forks_slaves ? " (daemon_forks_slaves TRUE)" : "");
}

// Where a process of qrsh -inherit may run that was asked for on this host.
Result<session::Part> part_for(const session::Launch& order, const door::Inherit& request,
                               const std::string& own_host) {
  if (!order.control_slaves)
    return Error{
        "the parallel environment does not allow tasks to be started (control_slaves FALSE)"};
  const auto part = std::find_if(order.parts.begin(), order.parts.end(), [&](auto& p) {
    return equal_ignoring_case(p.host, request.host);
  });
  if (part == order.parts.end())
    return Error{"host \"" + request.host + "\" is not granted to job " + to_string(request.job)};
  if (order.parts.front().host != own_host)
    return Error{"tasks of a job are started on its first host, \"" + order.parts.front().host +
                 "\", alone"};
  return *part;
}

// Until the task is spooled: no more than a client sends unasked.
void keep(std::vector<CallInput>& waiting, const CallInput& input) {
  std::size_t bytes = input.content.size();
  for (const auto& each : waiting) bytes += each.content.size();
  if (bytes <= most_waiting_input) waiting.push_back(input);
}

void say(const CallTaker& taker, session::Message message) {
  caf::anon_send(caf::actor_cast<SessionActor>(taker.guest), Say{std::move(message)});
}

// awaited --spooled--> here --ended--> over          (awaited: a peer was faster than the master)
struct TaskLife {
  static inline const char* name = "task";
  explicit TaskLife(TaskActor::pointer self) : self(self) {}

  const std::string& own_host() const { return context->setup.identity->name; }

  void launcher_said(const session::TaskReport& said) {
    report = said;
    if (!is_spooled()) return;
    for (auto& start : std::exchange(waiting, {})) call_here(std::move(start));
    for (const auto& input : std::exchange(waiting_input, {})) take_input(input);
    if (order->parts.front().host != own_host()) return;
    look_after_parts();
    if (report.phase == session::TaskPhase::spooled &&
        order->job.request->interaction != Interaction::none)
      self->delayed_send(self, to_chrono(client_patience), Wake{no_client});
  }

  // The launcher knows of it a moment before this actor is told.
  bool is_spooled() {
    if (!order) order = context->setup.launcher->order_of(attempt);
    return order.has_value();
  }

  // The first host watches over the others; with the end of the job's script all parts end, with
  // the master down as well.
  void look_after_parts() {
    const bool over = report.phase == session::TaskPhase::ended;
    watch_parts(!over);
    for (const auto& part : order->parts)
      if (over && part.host != own_host())
        self->send(context->agent,
                   ToPeer{part.host, part.address,
                          session::PeerClear{attempt, order->credential, order->signature}});
  }

  void watch_parts(bool watch) {
    if (watch == watching) return;
    watching = watch;
    for (const auto& part : order->parts)
      if (part.host != own_host())
        self->send(context->agent, WatchPart{part.host, part.address, attempt, watch});
  }

  void forgotten() {
    watch_parts(false);
    while (!calls.empty()) end_call(calls.begin()->first, not_started(has_ended));
    self->quit();
  }

  // ---- qrsh -inherit --------------------------------------------------------------------------

  void call_here(CallHere call) {
    if (!is_spooled()) {
      self->delayed_send(self, to_chrono(patience), Wake{call.start.call});
      waiting.push_back(std::move(call));
      return;
    }
    start_here(call.start, call.taker);
  }

  void start_here(const InheritedStart& start, const CallTaker& taker) {
    if (start.attaches) return attach_here(start, taker);
    const auto most_here = most_processes(*order, own_host());
    const auto has_room = calls.size() - away.size() - calls.count(attached) < most_here;
    if (report.phase == session::TaskPhase::ended) return refuse(taker, start.call, has_ended);
    if (!has_room) return refuse(taker, start.call, no_more_than(most_here, *order, own_host()));
    calls[start.call] = taker;
    context->setup.launcher->start_inherited(attempt, start);
  }

  // The agent hears it, too: it would wait for the process when the task ends.
  void refuse(const CallTaker& taker, std::int64_t call, const std::string& why) {
    calls[call] = taker;
    end_call(call, not_started(why));
    self->send(context->agent, CallEnded{call, not_started(why)});
  }

  void attach_here(const InheritedStart& start, const CallTaker& taker) {
    calls[start.call] = taker;
    if (report.phase == session::TaskPhase::ended) return end_call(start.call, report.record);
    if (attached != 0)
      return end_call(start.call, not_started("a client has attached to the job before"));
    attached = start.call;
    context->setup.launcher->start_inherited(attempt, start);
  }

  void wake(std::int64_t generation) {
    if (generation != no_client) return give_up(generation);
    if (attached == 0)
      context->setup.launcher->control(attempt,
                                       session::TaskAction::kill); // as if it had come and gone
  }

  // Nobody reads what it writes any more.
  void hang_up(std::int64_t call) {
    const auto is_it = [call](const CallHere& each) { return each.start.call == call; };
    if (std::erase_if(waiting, is_it) > 0)
      return self->send(context->agent, CallEnded{call, not_started("its client has gone")});
    if (!calls.contains(call)) return;
    const auto there = away.find(call);
    if (there == away.end()) return context->setup.launcher->hang_up(attempt, call);
    const session::PeerInput last{call, {}, true, 0, 0, 0, true};
    self->send(context->agent, ToPeer{there->second.first, there->second.second, last});
  }

  void give_up(std::int64_t call) {
    std::erase_if(waiting, [&](const CallHere& each) {
      if (each.start.call != call) return false;
      calls[call] = each.taker;
      end_call(call, not_started("the job has no part on " + own_host()));
      return true;
    });
    if (!order && waiting.empty()) self->send(context->agent, TaskIdle{attempt});
  }

  void inherit(const CallInherit& call) {
    const auto& request = call.request;
    const auto part = is_spooled() ? part_for(*order, request, own_host())
                                   : Error{"the job has no part on " + own_host()};
    if (!part) return refuse(call.taker, call.call, part.what());
    if (report.phase == session::TaskPhase::ended) return refuse(call.taker, call.call, has_ended);
    // What the helper there asks for: the user's words, as this host's agent has heard them.
    const Bytes proof{context->setup.identity->key.sign(
        print_call({part->host, attempt, call.call, request.command, request.environment,
                    request.directory, request.input}))};
    if (part->host == own_host())
      return start_here({call.call, request.command, request.environment, request.directory,
                         request.input, call.call, proof},
                        call.taker);
    calls[call.call] = call.taker;
    away[call.call] = {part->host, part->address};
    self->send(context->agent,
               ToPeer{part->host, part->address,
                      session::PeerStart{call.call, attempt, request.command, request.environment,
                                         request.directory, order->credential, order->signature,
                                         request.input, proof}});
  }

  void take_input(const CallInput& input) {
    if (!order) return keep(waiting_input, input);
    const auto& [rows, columns] = input.terminal;
    if (const auto there = away.find(input.call); there != away.end())
      return self->send(
          context->agent,
          ToPeer{there->second.first, there->second.second,
                 session::PeerInput{
                     input.call, {input.content}, input.end, input.taken, rows, columns}});
    auto& launcher = *context->setup.launcher;
    if (rows > 0) launcher.resize(attempt, input.call, input.terminal);
    if (input.taken > 0) launcher.take_output(attempt, input.call, input.taken);
    if (input.end || !input.content.empty())
      launcher.write_input(attempt, input.call, input.content, input.end);
  }

  void output(const CallOutput& output) {
    const auto it = calls.find(output.call);
    if (it == calls.end()) return;
    const auto& taker = it->second;
    if (taker.guest)
      say(taker, session::PeerOutput{taker.peer_call, {output.content}, output.error, output.room});
    else reply(taker, reply_with(taker.connection, output, context->agent));
  }

  void end_call(std::int64_t call, const ExitRecord& record) {
    const auto it = calls.find(call);
    if (it == calls.end()) return;
    const auto taker = it->second;
    calls.erase(it);
    away.erase(call);
    if (taker.guest) return say(taker, session::PeerEnded{taker.peer_call, record});
    reply(taker, reply_with(taker.connection, record));
  }

  void reply(const CallTaker& taker, DoorReply reply) {
    self->send(caf::actor_cast<DoorKeeperActor>(taker.keeper), std::move(reply));
  }

  ActorState inspect(bool json) const {
    if (json) return {show(report, true)};
    return {"watching_parts: " + std::string(watching ? "yes" : "no") +
            "\ncalls: " + std::to_string(calls.size()) +
            "\nwaiting: " + std::to_string(waiting.size()) + "\n" + show(report, false)};
  }

  TaskActor::pointer self;
  std::shared_ptr<const AgentContext> context;
  Attempt attempt;
  session::TaskReport report;
  std::optional<session::Launch> order;
  bool watching = false;
  std::int64_t attached = 0; ///< the call of the job's client; 0: none has come yet
  std::vector<CallHere> waiting;
  std::vector<CallInput> waiting_input;
  std::map<std::int64_t, CallTaker> calls;
  std::map<std::int64_t, std::pair<std::string, std::string>> away; // host and address
};

TaskActor::behavior_type task(Watched<TaskActor, TaskLife> self,
                              std::shared_ptr<const AgentContext> context, Attempt attempt) {
  end_process_on_exception(self, "task");
  enlist(self, context->setup.directory, "task",
         to_string(attempt.job) + "." + std::to_string(attempt.task) + "." +
             std::to_string(attempt.attempt));
  self->state.context = std::move(context), self->state.attempt = attempt;
  return {
      [self](const LauncherSaid& said) { self->state.launcher_said(said.report); },
      [self](CallHere& call) { self->state.call_here(std::move(call)); },
      [self](const CallInherit& call) { self->state.inherit(call); },
      [self](const CallInput& input) { self->state.take_input(input); },
      [self](const CallOutput& output) { self->state.output(output); },
      [self](const CallEnded& ended) { self->state.end_call(ended.call, ended.record); },
      [self](const TaskForgotten&) { self->state.forgotten(); },
      [self](const CallHungUp& hung_up) { self->state.hang_up(hung_up.call); },
      [self](const Wake& wake) { self->state.wake(wake.generation); },
      [self](const Inspect& inspect) { return self->state.inspect(inspect.json); },
  };
}

} // namespace

TaskActor spawn_task(caf::actor_system& system, std::shared_ptr<const AgentContext> context,
                     const Attempt& attempt) {
  return system.spawn(task, std::move(context), attempt);
}

} // namespace almanac
