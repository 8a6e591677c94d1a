#include "actors/master/life_cycles.hpp"

#include "actors/inspection.hpp"
#include "actors/master/agent_door.hpp"
#include "actors/master/common_file_offer.hpp"
#include "actors/master/host_hooks.hpp"
#include "actors/master/seat.hpp"
#include "actors/master/wanted_tasks.hpp"
#include "actors/support.hpp"
#include "actors/warnings.hpp"
#include "core/execution/lease.hpp"

#include <optional>

namespace almanac {

namespace {

constexpr auto beat_period = std::chrono::seconds(1);

template <class T> const T* heard_as(const SessionSaid& said) {
  return std::get_if<T>(said.message.get());
}

// What the agent of one host says and is told, and what the planner hears of the host. Who speaks
// for it (Seat), what its agent is to run (WantedTasks), what its users ask (AgentDoor), which of
// the cell's files it may have (CommonFileOffer) and what its silence means (Lease) are classes of
// their own.
//
//   absent --a newcomer has registered--> ready --session down--> absent: suspect at once, and
//                                                 unknown after max_unheard
struct HostLife {
  static inline const char* name = "host";
  explicit HostLife(HostActor::pointer self) : self(self) {}

  void begin(LifeCycleContext given, std::string name_of_host) {
    context = std::move(given), host = std::move(name_of_host);
    enlist(self, context.directory, "host", host);
    seat.emplace(host);
    tasks.emplace(
        context.calendar,
        WarrantSigner::Master{context.identity, context.store_id, context.term, context.warrants},
        host);
    hooks.emplace(tasks->signer()), door.emplace(host, context.vouched);
    if (context.common_files) self->send(context.common_files, FollowCommonFiles{});
    start_beating();
  }

  void change(const HostChanged& change) {
    record = change.state, record.name = host;
    const bool is_news = !settings.says_the_same(change.settings);
    settings = change.settings, key = change.key;
    if (is_news) seat->say(tasks->told(settings));
    check_key();
  }

  Instant now() const { return context.clock->now(); }
  void tell(ValidInput fact) { caf::anon_send(context.calendar, Tell{std::move(fact)}); }

  // ---- registration ---------------------------------------------------------------------------

  void take_register(std::uint64_t id, const session::Register& list) {
    if (const auto why = tasks->obstacle(list)) return refuse_old_helper(id, *why);
    const bool same_spool =
        record.facts.spool_id.empty() || record.facts.spool_id == list.facts.spool_id;
    self->request(context.calendar, caf::infinite,
                  seat->begin_registration(id, list, context.store_id, now()))
        .then([this, id, list, same_spool](const HostTasks& known) {
          seat->end_registration();
          registered(id, list, same_spool, known);
        });
  }

  void refuse_old_helper(std::uint64_t id, const std::string& what) {
    warn_of(host, what);
    caf::anon_send(context.views, PublishNotice{host, what});
    seat->send_away(id, what);
  }

  void registered(std::uint64_t id, const session::Register& list, bool same_spool,
                  const HostTasks& known) {
    if (!known.alarm.empty()) spdlog::error("host {}: {}", host, known.alarm);
    if (!known.refusal.empty()) {
      tell_silent();
      return seat->refuse(id, known.refusal, now());
    }
    // It had the name, and is gone already: so is whoever it took it from.
    if (!seat->is_newcomer(id)) return seat->is_taken() ? dismiss(seat->replaced()) : count_anew();
    seat->take(id);
    lease.agent_came(), lease.renewed();
    spdlog::info("host registered host={} tasks={} same_spool={}", host, list.tasks.size(),
                 same_spool);
    door->open(seat->session()), hooks->open(seat->session(), list);
    tasks->take_nonce(list), seat->say(tasks->told(settings)); // which grants the lease, too
    tasks->begin_session(seat->session(), list, known, same_spool);
    common_files.open(seat->session(), list);
  }

  // The planner has heard of somebody since it was told that the host is unknown.
  void count_anew() {
    lease.begin_anew();
    start_beating();
    tell_silent();
  }

  // ---- the session ----------------------------------------------------------------------------

  void hear(const SessionSaid& said) {
    const auto* list = heard_as<session::Register>(said);
    if (list && seat->is_newcomer(said.id)) return take_register(said.id, *list);
    if (!seat->is_taken_by(said.id)) return;
    seat->heard(now());
    if (hooks->hear(*said.message)) return;
    if (const auto* report = heard_as<session::TaskReport>(said)) tasks->take(*report);
    else if (const auto* load = heard_as<HostLoad>(said)) take_load(*load);
    else if (const auto* uses = heard_as<session::TaskUses>(said))
      caf::anon_send(context.views, PublishUsage{host, *uses});
    else if (const auto* relay = heard_as<session::Relay>(said)) take_relay(*relay);
    else if (const auto* renew = heard_as<session::Renew>(said)) grant(*renew);
    else if (const auto* file = heard_as<session::GetCommonFile>(said)) common_files.take(*file);
    else if (const auto* part = heard_as<PartSilent>(said)) tasks->take(*part);
    else spdlog::warn("host sent what only a master may say host={}", host);
  }

  void grant(const session::Renew& renew) {
    check_key(); // a ticket may have expired
    if (!seat->is_taken()) return;
    lease.renewed();
    tasks->take(renew);
    seat->say(session::Renewed{renew.asked});
  }

  void check_key() {
    if (auto why = seat->obstacle(key, now()))
      dismiss("the agent of host " + host + " is not let in: " + *why);
  }

  // Its tasks are those of a host that can't be reached.
  void dismiss(const std::string& reason) {
    seat->dismiss(reason);
    lose_session(reason, 0);
  }

  void session_down(const SessionDown& down) {
    if (seat->is_newcomer(down.id)) return seat->forget(down.id);
    if (!seat->is_taken_by(down.id)) return;
    seat->leave();
    lose_session(down.reason, down.silent);
  }

  void lose_session(const std::string& reason, int silent) {
    spdlog::warn("host lost its session host={} reason={}", host, reason);
    lease.agent_left({silent}), start_beating();
    door->close(), tasks->end_session(), hooks->close(), common_files.close();
    tell_silent();
  }

  // ---- silence --------------------------------------------------------------------------------

  // Not while somebody is being registered: that would come too late.
  void tell_silent() {
    if (!seat->is_taken() && !seat->is_registering()) tell(HostSilent{host, false});
  }

  // Seconds are counted while there is no session.
  void start_beating() {
    if (!std::exchange(beating, true)) self->delayed_send(self, beat_period, Beat{});
  }

  void beat() {
    beating = false;
    if (seat->is_taken()) return;
    start_beating();
    lease.pass_second();
    if (seat->is_registering()) return; // somebody is about to be heard
    if (lease.is_time_for_fences()) tasks->tell_fenced(lease);
    if (lease.becomes_unknown(settings.max_unheard)) tell(HostSilent{host, true});
  }

  // ---- the rest -------------------------------------------------------------------------------

  void take_load(HostLoad load) {
    if (settings.load_sensors.empty()) load.values.clear(); // it has none
    caf::anon_send(context.views, PublishLoad{host, load, tasks->doubt()});
    const auto counts = quantised(load, record.facts.memory);
    if (counts != record.load) tell(LoadChanged{host, counts});
  }

  void take_relay(const session::Relay& relay) {
    if (context.gate) self->send(context.gate, door->frame_of(relay, now()));
  }

  void door_reply(const DoorReply& reply) {
    if (door->take(reply)) await_room();
  }

  void await_room() {
    self->request(seat->session(), caf::infinite, AwaitRoom{})
        .then([this, id = seat->id()](const AwaitRoom&) { go_on_answering(id); },
              [](const caf::error&) {}); // it has ended: whoever waits asks again
  }

  void go_on_answering(std::uint64_t id) {
    if (!seat->is_taken_by(id)) return;
    const auto next = door->go_on();
    if (next.wanted)
      self->send(caf::actor_cast<FrameMakerActor>(next.wanted->maker), next.wanted->frame);
    if (next.wants_room) await_room();
  }

  ActorState inspect(bool json) const {
    if (json) return {show(record, true)};
    return {"session: " + std::string(seat->is_taken() ? "ready" : "absent") +
            "\nsilent_beats: " + std::to_string(lease.silent().seconds) +
            "\ntasks: " + std::to_string(tasks->size()) + "\n" + show(record, false)};
  }

  HostActor::pointer self;
  LifeCycleContext context;
  std::string host;
  HostState record;
  HostSettings settings;
  HostKey key;
  Lease lease;
  std::optional<Seat> seat;
  std::optional<WantedTasks> tasks;
  std::optional<HostHooks> hooks;
  std::optional<AgentDoor> door;
  CommonFileOffer common_files;
  bool beating = false;
};

HostActor::behavior_type host_actor(Watched<HostActor, HostLife> self, LifeCycleContext context,
                                    std::string host) {
  end_process_on_exception(self, "host");
  self->state.begin(std::move(context), std::move(host));
  return {
      [self](const HostChanged& change) { self->state.change(change); },
      [self](const WantTask& want) { self->state.tasks->want(want); },
      [self](const UnwantTask& unwant) { self->state.tasks->unwant(unwant.attempt); },
      [self](const HostGone&) {
        self->state.seat->send_all_away();
        self->state.hooks->close();
        self->quit();
      },
      [self](const RunHook& hook) {
        auto promise = self->make_response_promise<HookRan>();
        if (self->state.hooks->start(hook, promise))
          self->delayed_send(self, to_chrono(hook.run.timeout), HookOverdue{hook.sequence});
        return promise;
      },
      [self](const HookOverdue& late) { self->state.hooks->overdue(late.sequence); },
      [self](const CommonFilesChanged& news) { self->state.common_files.change(news); },
      [self](const SessionUp& up) { self->state.seat->come(up); },
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
