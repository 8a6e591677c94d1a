#include "actors/master/life_cycles.hpp"

#include "actors/inspection.hpp"
#include "actors/master/audit.hpp"
#include "actors/master/known_accounts.hpp"
#include "actors/master/waiting_answers.hpp"
#include "actors/support.hpp"
#include "actors/master/warrants.hpp"
#include "actors/warnings.hpp"
#include "core/execution/fence.hpp"
#include "core/execution/reconcile.hpp"
#include "core/host/seat_contest.hpp"
#include "core/planning/questions/host_tasks.hpp"
#include "core/policy/standing.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace almanac {

namespace {

constexpr auto beat_period = std::chrono::seconds(1);
constexpr int fence_beats = 5; // between two looks at what is fenced
// Beats that an agent has to find a master that has just started.
constexpr int reconnect_window = 10;

// A task that the agent is to have, and what it has been told in this session.
struct Wanted {
  WantTask want;
  bool launched = false, killed = false, suspended = false;
};

// Whoever has proved to have the host's key is a newcomer, until the planner says that it has the
// host's name; then it is in the seat, and whoever was there before is not.
//
//   absent --newcomer, register--> registering --durable--> ready --session down--> absent
//
// The lease is the number of silent beats since the session went down: the host is suspect at once,
// and unknown after max_unheard.
struct HostLife {
  static inline const char* name = "host";
  explicit HostLife(HostActor::pointer self) : self(self) {}

  enum class Phase { absent, registering, ready };

  void change(const HostChanged& change) {
    record = change.state;
    record.name = host;
    const bool is_news = settings.agent != change.settings.agent;
    settings = change.settings, key = change.key;
    if (is_news && phase == Phase::ready) say(settings.agent);
    check_key();
  }

  // ---- the session ----------------------------------------------------------------------------

  // It may come while the one before is not known to be down yet.
  void session_up(const SessionUp& up) { newcomers[up.id] = {up.session, up.claim}; }

  void take_seat(std::uint64_t id) {
    if (session) {
      refuse(session, in_its_place());
      contest.taken_over();
    }
    const auto& newcomer = newcomers.at(id);
    session = newcomer.session, session_id = id, claim = newcomer.claim;
    newcomers.erase(id);
    phase = Phase::registering;
    silent_beats = 0, was_here = true;
    forget_told();
  }

  std::string in_its_place() const {
    return "another agent of host " + host + " has come in its place";
  }

  // Its tasks are those of a host that can't be reached.
  void dismiss(const std::string& reason) {
    refuse(session, reason);
    lose_session(reason, 0);
  }

  void refuse(const caf::strong_actor_ptr& whom, const std::string& reason) {
    audit({"", "", nobody, nobody, host, "session"}, "", "is the agent of its host",
          Answer::refusal(reason));
    write_audit();
    caf::anon_send(caf::actor_cast<SessionActor>(whom), Say{session::Refused{reason}});
  }

  void check_key() {
    if (!session) return;
    if (auto why = key_obstacle(key, claim, context.clock->now()))
      dismiss("the agent of host " + host + " is not let in: " + *why);
  }

  // What was told in another session may never have been heard.
  void forget_told() {
    answers.clear();
    early.clear(), to_send_again.clear(), doubtful.clear();
    for (auto& [attempt, wanted] : tasks)
      wanted.launched = wanted.killed = wanted.suspended = false;
  }

  void session_down(const SessionDown& down) {
    if (newcomers.erase(down.id) != 0 || down.id != session_id) return;
    lose_session(down.reason, down.silent);
  }

  void lose_session(const std::string& reason, int silent) {
    spdlog::warn("host lost its session host={} reason={}", host, reason);
    session = nullptr, session_id = 0;
    contest = {};
    phase = Phase::absent;
    silent_beats = silent, told_unknown = false;
    beats_since_lease += silent;
    start_beating();
    forget_told();
    tell_silent();
  }

  // Not while somebody is being registered: that would come too late.
  void tell_silent() {
    if (!session && registering == 0)
      caf::anon_send(context.calendar, Tell{HostSilent{host, false}});
  }

  // The planner has heard of somebody since it was told that the host is unknown.
  void count_anew() {
    silent_beats = 0, told_unknown = false;
    start_beating();
    tell_silent();
  }

  void say(session::Message message) {
    if (session) caf::anon_send(caf::actor_cast<SessionActor>(session), Say{std::move(message)});
  }

  void hear(const SessionSaid& said) {
    const auto* list = std::get_if<session::Register>(said.message.get());
    if (list && newcomers.contains(said.id)) return take_register(said.id, *list);
    if (said.id != session_id) return;
    contest.heard(context.clock->now());
    if (const auto* report = std::get_if<session::TaskReport>(said.message.get()))
      take_report(*report);
    else if (const auto* load = std::get_if<HostLoad>(said.message.get())) take_load(*load);
    else if (const auto* relay = std::get_if<session::Relay>(said.message.get()))
      take_relay(*relay);
    else if (const auto* renew = std::get_if<session::Renew>(said.message.get())) grant(*renew);
    else if (const auto* part = std::get_if<PartSilent>(said.message.get())) take_silent(*part);
    else spdlog::warn("host sent what only a master may say host={}", host);
  }

  // Only the first host of a task looks after its parts: what another says of them is none of its
  // business.
  void take_silent(const PartSilent& part) {
    const auto it = tasks.find(part.attempt);
    if (it != tasks.end() && it->second.want.order->parts.front().host == host)
      caf::anon_send(context.calendar, Tell{part});
  }

  // ---- the lease ------------------------------------------------------------------------------

  void grant(const session::Renew& renew) {
    check_key(); // a ticket may have expired
    if (phase != Phase::ready) return;
    beats_since_lease = 0;
    if (!renew.nonce.content.empty()) nonce = renew.nonce;
    say(session::Renewed{renew.asked});
  }

  // Repeated: whether the task may run elsewhere depends on its other hosts, too.
  void tell_fenced() {
    if (!told_unknown || ++beats_without_fence < fence_beats) return;
    beats_without_fence = 0;
    for (const auto& [attempt, task] : tasks) {
      const auto& order = *task.want.order;
      if (order.parts.front().host == host &&
          has_surely_fired(order.job.tasks.front().fence, Duration{beats_since_lease}))
        caf::anon_send(context.calendar, Tell{TaskFenced{attempt, host}});
    }
  }

  // ---- reconciliation -------------------------------------------------------------------------

  // Where nobody looks at warrants there is no nonce.
  bool reads_warrants(const session::Register& list) const {
    return list.nonce.content.empty() || list.warrant_version == warrant_version;
  }

  void refuse_old_helper(std::uint64_t id, std::int64_t version) {
    const auto what = "agent " + host + " reads warrants of version " +
                      std::to_string(std::max<std::int64_t>(1, version)) + ": upgrade " +
                      (version < warrant_version ? "it" : "the master");
    warn_of(host, what);
    caf::anon_send(context.views, PublishNotice{host, what});
    refuse(newcomers.at(id).session, what);
    newcomers.erase(id);
  }

  void take_register(std::uint64_t id, const session::Register& list) {
    if (!reads_warrants(list)) return refuse_old_helper(id, list.warrant_version);
    const bool same_spool =
        record.facts.spool_id.empty() || record.facts.spool_id == list.facts.spool_id;
    const auto rival = session ? contest.rival(context.clock->now()) : Rival::none;
    RegisterHost news{host, list.facts, {}, newcomers.at(id).claim, rival};
    for (const auto& task : list.tasks)
      if (task.store_id == context.store_id) news.tasks.push_back(task.attempt);
    ++registering;
    self->request(context.calendar, caf::infinite, std::move(news))
        .then([this, id, list, same_spool](const HostTasks& known) {
          --registering;
          registered(id, list, same_spool, known);
        });
  }

  void registered(std::uint64_t id, const session::Register& list, bool same_spool,
                  const HostTasks& known) {
    if (!known.alarm.empty()) spdlog::error("host {}: {}", host, known.alarm);
    const auto newcomer = newcomers.find(id);
    if (!known.refusal.empty()) {
      warn_of(host, "session refused peer=" + host + " reason=" + known.refusal);
      if (session) contest.sent_away(context.clock->now());
      tell_silent();
      if (newcomer == newcomers.end()) return;
      refuse(newcomer->second.session, known.refusal);
      newcomers.erase(newcomer);
      return;
    }
    // It had the name, and is gone already: so is whoever it took it from.
    if (newcomer == newcomers.end()) return session ? dismiss(in_its_place()) : count_anew();
    take_seat(id);
    spdlog::info("host registered host={} tasks={} same_spool={}", host, list.tasks.size(),
                 same_spool);
    nonce = list.nonce;
    give_verdicts(list, same_spool, known);
  }

  void give_verdicts(const session::Register& list, bool same_spool, const HostTasks& known) {
    const std::set<Attempt> over(known.over.begin(), known.over.end());
    std::vector<ReportedTask> reported;
    for (const auto& task : list.tasks)
      reported.push_back({task.attempt, task.store_id, task.term,
                          task.phase == session::TaskPhase::ended, over.contains(task.attempt)});
    const auto verdict =
        reconcile(known.wanted, reported, same_spool, context.store_id, context.term);
    say(settings.agent); // which grants the lease, too
    beats_since_lease = 0;
    phase = Phase::ready;
    for (const auto& attempt : verdict.forget) say(session::Forget{attempt});
    if (!verdict.doubtful.empty())
      spdlog::error(
          "host {} has {} tasks that the master does not know: none is stopped, please look", host,
          verdict.doubtful.size());
    for (const auto& attempt : verdict.doubtful)
      spdlog::warn("host={} has task {} of the job with the key {}, which no record knows", host,
                   attempt.task, attempt.job.value);
    doubtful.insert(verdict.doubtful.begin(), verdict.doubtful.end());
    for (const auto& attempt : verdict.lost)
      caf::anon_send(context.calendar, Tell{TaskLost{attempt, host}});
    to_send_again.insert(verdict.send_again.begin(), verdict.send_again.end());
    std::set<Attempt> wanted;
    for (const auto& task : known.wanted) wanted.insert(task.attempt);
    for (const auto& report : list.tasks)
      if (wanted.contains(report.attempt)) early.emplace(report.attempt, report);
    for (auto& [attempt, task] : tasks) settle(attempt, task);
  }

  // Brings together what is wanted and what the agent was found to have, whichever came first.
  void settle(const Attempt& attempt, Wanted& task) {
    if (to_send_again.erase(attempt) != 0) task.want.launch = true;
    const auto found = early.extract(attempt);
    if (!found.empty()) task.launched = true;
    push(attempt, task);
    if (!found.empty()) take_report(found.mapped());
  }

  // ---- tasks ----------------------------------------------------------------------------------

  void want(const WantTask& want) {
    const auto attempt = want.order->attempt;
    auto& task = tasks[attempt];
    const bool launch_again = task.want.launch;
    task.want = want;
    task.want.launch = want.launch || (launch_again && !task.launched);
    settle(attempt, task);
  }

  void push(const Attempt& attempt, Wanted& task) {
    if (phase != Phase::ready) return;
    if (task.want.launch && !task.launched) {
      task.launched = true;
      launch(*task.want.order);
    }
    if (task.want.kill && !task.killed) {
      task.killed = true;
      say(session::Control{attempt, session::TaskAction::kill});
    }
    if (task.want.suspended != task.suspended) {
      task.suspended = task.want.suspended;
      say(session::Control{attempt, task.suspended ? session::TaskAction::suspend
                                                   : session::TaskAction::resume});
    }
  }

  // Anew each time it is sent: the agent's helper takes each warrant once.
  void launch(session::Launch order) {
    if (!nonce.content.empty()) { // else nobody asks for it
      auto warrant = warrant_for(order, host);
      if (!warrant) return launch_failed(order.attempt, warrant.what(), Fault::hosts);
      warrant->nonce = nonce, warrant->number = ++*context.warrants;
      warrant->store_id = context.store_id, warrant->term = context.term;
      auto bytes = sendable(*warrant);
      if (!bytes) return launch_failed(order.attempt, bytes.what(), Fault::users);
      order.warrant.content = std::move(*bytes);
      order.warrant_signature.content =
          context.identity->key.sign(warrant_label + order.warrant.content);
    }
    say(std::move(order));
    crash_point("spooled");
  }

  enum class Fault { hosts, users };
  void launch_failed(const Attempt& attempt, const std::string& why, Fault fault) {
    ExitRecord record;
    record.failed = failed::before_job, record.reason = why;
    caf::anon_send(context.calendar,
                   Tell{LaunchFailed{attempt, host, fault == Fault::users, record}});
  }

  void unwant(const Attempt& attempt) {
    tasks.erase(attempt), early.erase(attempt), to_send_again.erase(attempt);
    if (phase == Phase::ready) say(session::Forget{attempt});
    crash_point("acknowledged");
  }

  void take_report(const session::TaskReport& report) {
    const auto it = tasks.find(report.attempt);
    if (const auto known = early.find(report.attempt); known != early.end()) {
      known->second = report;
      return;
    }
    if (doubtful.contains(report.attempt) && report.phase != session::TaskPhase::ended) return;
    if (it == tasks.end()) {
      // Nobody waits for it any more: its end is known or it was taken away.
      if (report.store_id == context.store_id && report.term <= context.term &&
          phase == Phase::ready)
        say(session::Forget{report.attempt});
      return;
    }
    const bool is_master = it->second.want.order->parts.front().host == host;
    if (report.phase == session::TaskPhase::running) {
      crash_point("forked");
      it->second.want.launch = false;
      if (is_master) caf::anon_send(context.calendar, Tell{TaskStarted{report.attempt}});
    }
    if (report.phase != session::TaskPhase::ended) return;
    crash_point("exit-written");
    const LaunchFailed end{report.attempt, host, report.user_fault, report.record};
    // Once it is durable the record lets the attempt go, and with it goes the agent's copy.
    if (is_master) caf::anon_send(context.calendar, Tell{fact_of_end(end, report.began)});
    else if (const auto fact = fact_of_part(end, report.began))
      caf::anon_send(context.calendar, Tell{*fact});
  }

  // ---- the rest -------------------------------------------------------------------------------

  void take_load(const HostLoad& load) {
    caf::anon_send(context.views, PublishLoad{host, load});
    const auto counts = quantised(load, record.facts.memory);
    if (counts != record.load) caf::anon_send(context.calendar, Tell{LoadChanged{host, counts}});
  }

  void take_relay(const session::Relay& relay) {
    if (!context.gate) return;
    // The agent is believed who it is, and whom it serves on its own host.
    auto caller = relay.caller;
    caller.host = host, caller.through = agent_on(host);
    const auto& [known, doubt] = accounts.find(caller, context.vouched, context.clock->now());
    if (!doubt.empty()) warn_of(host, caller.through + " is not believed, " + doubt);
    self->send(context.gate, DoorFrame{relay.connection, known, relay.frame.content});
  }

  // A long answer goes as the agent takes it.
  void door_reply(const DoorReply& reply) {
    const auto taken = answers.take(reply);
    if (taken.at_once) answer(*taken.at_once);
    if (taken.is_next) await_room();
  }

  void answer(WaitingAnswers::Frame frame) {
    say(session::RelayAnswer{frame.connection, {std::move(frame.content)}});
  }

  void await_room() {
    if (!session) return answers.clear();
    self->request(caf::actor_cast<SessionActor>(session), caf::infinite, AwaitRoom{})
        .then([this, id = session_id](const AwaitRoom&) { go_on_answering(id); },
              [](const caf::error&) {}); // it has ended: whoever waits asks again
  }

  void go_on_answering(std::uint64_t id) {
    if (id != session_id || answers.empty()) return;
    auto next = answers.next();
    if (auto* wanted = std::get_if<WaitingAnswers::Wanted>(&next))
      return self->send(caf::actor_cast<ArchiveActor>(wanted->maker), std::move(wanted->frame));
    answer(std::move(std::get<WaitingAnswers::Frame>(next)));
    if (!answers.empty()) await_room();
  }

  // Seconds are counted while there is no session: too few of them at the most.
  void start_beating() {
    if (!std::exchange(beating, true)) self->delayed_send(self, beat_period, Beat{});
  }

  void beat() {
    beating = false;
    if (phase != Phase::absent) return;
    start_beating();
    ++silent_beats, ++beats_since_lease;
    if (registering > 0) return; // somebody is about to be heard
    tell_fenced();
    const auto patience = settings.max_unheard.seconds + (was_here ? 0 : reconnect_window);
    if (told_unknown || silent_beats < patience) return;
    told_unknown = true;
    caf::anon_send(context.calendar, Tell{HostSilent{host, true}});
  }

  void leave() {
    const auto reason = "host " + host + " is not an exec host of this cell";
    if (session) refuse(session, reason);
    for (const auto& [id, newcomer] : newcomers) refuse(newcomer.session, reason);
    self->quit();
  }

  ActorState inspect(bool json) const {
    static const char* const names[] = {"absent", "registering", "ready"};
    if (json) return {show(record, true)};
    return {"session: " + std::string(names[static_cast<int>(phase)]) +
            "\nsilent_beats: " + std::to_string(silent_beats) +
            "\ntasks: " + std::to_string(tasks.size()) + "\n" + show(record, false)};
  }

  HostActor::pointer self;
  LifeCycleContext context;
  std::string host;
  HostState record;
  HostSettings settings;
  HostKey key;
  KeyClaim claim; ///< of the session
  struct Newcomer {
    caf::strong_actor_ptr session;
    KeyClaim claim;
  };
  std::map<std::uint64_t, Newcomer> newcomers; ///< by the session's id
  int registering = 0;                         ///< of them, with the planner
  SeatContest contest;                         ///< for a seat that is taken
  Phase phase = Phase::absent;
  caf::strong_actor_ptr session;
  std::uint64_t session_id = 0;
  std::map<Attempt, Wanted> tasks;
  std::map<Attempt, session::TaskReport> early; ///< the agent has it; who wants it comes still
  std::set<Attempt> to_send_again;              ///< the agent does not have it; likewise
  std::set<Attempt> doubtful;                   ///< the agent has it, the records do not know it
  Bytes nonce;                                  ///< of the agent's helper
  WaitingAnswers answers;
  KnownAccounts accounts;
  int silent_beats = 0, beats_since_lease = 0, beats_without_fence = 0;
  bool told_unknown = false, beating = false;
  bool was_here = false; ///< since this master was started
};

HostActor::behavior_type host_actor(Watched<HostActor, HostLife> self, LifeCycleContext context,
                                    std::string host) {
  end_process_on_exception(self, "host");
  enlist(self, context.directory, "host", host);
  self->state.context = std::move(context);
  self->state.host = std::move(host);
  self->state.start_beating();
  return {
      [self](const HostChanged& change) { self->state.change(change); },
      [self](const WantTask& want) { self->state.want(want); },
      [self](const UnwantTask& unwant) { self->state.unwant(unwant.attempt); },
      [self](const HostGone&) { self->state.leave(); },
      [self](const SessionUp& up) { self->state.session_up(up); },
      [self](const SessionSaid& said) { self->state.hear(said); },
      [self](const SessionDown& down) { self->state.session_down(down); },
      [self](const DoorReply& reply) { self->state.door_reply(reply); },
      [self](const Beat&) { self->state.beat(); },
      [self](const Inspect& inspect) { return self->state.inspect(inspect.json); },
  };
}

} // namespace

HostActor spawn_host(caf::actor_system& system, const LifeCycleContext& context,
                     const std::string& host) {
  return system.spawn(host_actor, context, host);
}

} // namespace almanac
