#include "actors/master/calendar.hpp"

#include "actors/master/inquiries.hpp"
#include "actors/master/next_commit.hpp"
#include "actors/master/publisher.hpp"
#include "actors/master/registration.hpp"
#include "actors/master/site_answers.hpp"
#include "actors/master/suspects.hpp"
#include "actors/support.hpp"
#include "core/planning/in_words.hpp"
#include "core/planning/pass_timing.hpp"

#include <algorithm>
#include <list>
#include <optional>
#include <utility>

namespace almanac {

namespace {

// How long slices of passes take: shown to people, nothing is decided by it.
struct SliceTimes {
  std::int64_t count = 0, us = 0, longest_us = 0;

  template <class Slice> void measure(Slice slice) {
    const auto begun = std::chrono::steady_clock::now();
    slice();
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begun);
    ++count, us += took.count(), longest_us = std::max<std::int64_t>(longest_us, took.count());
  }
  std::string shown() const {
    return "\npasses: " + std::to_string(count) + "\npass_us: " + std::to_string(us) +
           "\nlongest_pass_us: " + std::to_string(longest_us);
  }
};

LifeCycleContext context_of(const CalendarSetup& setup, CalendarActor self) {
  return {std::move(self), setup.archive, setup.views,       setup.gate,
          setup.directory, setup.clock,   setup.identity,    setup.store_id,
          setup.term,      setup.vouched, setup.common_files};
}

Publisher::Readers readers_of(const CalendarSetup& setup, const CalendarActor& self) {
  return {setup.views, setup.exporter,      setup.postman,
          setup.hooks, setup.archive,       setup.gate,
          setup.feed,  setup.set_log_level, caf::actor_cast<caf::strong_actor_ptr>(self)};
}

// Why the request with this key is not decided.
std::optional<Answer> obstacle(const CalendarSetup& setup, const Command& command,
                               const std::string& key) {
  const bool adds_work = std::holds_alternative<Submit>(command.body) ||
                         std::holds_alternative<Reserve>(command.body) ||
                         std::holds_alternative<ResubmitJobs>(command.body);
  if (adds_work && !setup.store->has_space()) return Answer::refusal(nearly_full);
  return crashed_over(*setup.notebook, command.caller, key);
}

Restarted restarted(const CalendarSetup& setup, bool passes_off) {
  return {setup.term, setup.planner.digest(), passes_off, setup.zone.changes, setup.host};
}

caf::strong_actor_ptr job_actor(const State& state, const Publisher& publisher, JobNumber number) {
  const auto* job = state.job_by_number(number);
  return job ? publisher.job(job->key) : nullptr;
}

// Who asks for jobs that are not there. How one has ended may be on its way to the disk: who looks for
// it in the store is answered once it has arrived.
class AskersOfGoneJobs {
public:
  /// `is_open`: more is decided than is on its way.
  caf::result<caf::strong_actor_ptr> answer(CalendarActor::pointer self, bool is_committing,
                                            bool is_open) {
    if (!is_committing && !is_open) return caf::make_error(caf::sec::invalid_argument);
    auto& askers = is_open ? next_ : now_;
    return askers.emplace_back(self->make_response_promise<caf::strong_actor_ptr>());
  }
  void begin_batch() { now_.splice(now_.end(), next_); }
  void end_batch() {
    for (auto& asker : std::exchange(now_, {}))
      asker.deliver(caf::make_error(caf::sec::invalid_argument));
  }

private:
  std::list<caf::typed_response_promise<caf::strong_actor_ptr>> now_, next_;
};

caf::result<caf::strong_actor_ptr> host_actor_named(const Publisher& publisher,
                                                    const std::string& host) {
  if (auto actor = publisher.host(host)) return actor;
  return caf::make_error(caf::sec::invalid_argument);
}

// decided inputs --one batch at a time--> journal --durable--> views, life cycles, answers
//
// What the batch writes (NextCommit), when passes are decided (PassTiming), which questions wait
// (Inquiries) and who hears of what is durable (Publisher) are classes of their own.
void tell_of_crashes() {
  spdlog::error("passes are off: the master has crashed three times within five minutes; once "
                "the cause is found, stop it and start it again");
}

std::string shown(const State& state) {
  return "\njobs: " + std::to_string(state.jobs().size()) +
         "\nreservations: " + std::to_string(state.reservations().size()) +
         "\nhosts: " + std::to_string(state.records().all<HostState>().size()) +
         "\nscheduling: " + (state.counters().passes_off ? "off" : "on");
}

struct CalendarState {
  static inline const char* name = "calendar";
  explicit CalendarState(CalendarActor::pointer self) : self(self) {}

  void begin(CalendarSetup given) {
    setup.emplace(std::move(given));
    time = setup->last_time;
    next.emplace(setup->last_sequence, std::move(setup->answers));
    inquiries.emplace(planner(), *setup->notebook);
    publisher.emplace(self->system(), context_of(*setup, self), readers_of(*setup, self));
    enlist(self, setup->directory, "calendar", "");
    restart();
  }

  // The planner hears that it was restarted; only then may anybody ask.
  void restart() {
    auto records = state().records().as_effects();
    next->begin(state(), records, *setup->store, setup->term, now());
    publisher->begin(state(), std::move(records), now());
    if (setup->passes_off) tell_of_crashes();
    decide(restarted(*setup, setup->passes_off));
    flush();
    schedule_heartbeat();
    caf::anon_send(setup->gate, OpenGate{caf::actor_cast<caf::strong_actor_ptr>(self)});
  }

  Planner& planner() { return setup->planner; }
  const State& state() const { return setup->planner.state(); }

  // Planner time never goes back.
  Instant now() { return time = std::max(time, setup->clock->now()); }

  // ---- inputs ---------------------------------------------------------------------------------

  Decided& decide(ValidInput input) {
    const auto at = now();
    auto& entry = open.emplace_back();
    entry.decisions = planner().handle(input, at);
    if (!entry.decisions.effects.empty() && spdlog::should_log(spdlog::level::info))
      entry.cause = in_words(*input);
    entry.sequence = {next->last_sequence().value + 1};
    entry.changes = store::rows_of(entry.sequence, state().records().events());
    next->add(state(), std::move(input), at, entry.decisions, entry.changes);
    at_sites.settle(entry, *next, at);
    entry.plans = publisher->plans(state(), entry.decisions);
    if (entry.decisions.pass_wanted) wake_for_pass(passes.want(entry.decisions.gather));
    wake_for_pass(passes.await_turn(entry.decisions.next_turn, at));
    return entry;
  }

  void wake_for_pass(std::optional<Duration> after) {
    if (after) self->delayed_send(self, to_chrono(*after), ContinuePass{});
  }

  caf::result<Answer> command(HandleCommand& request) {
    const auto key = answer_key(request.command->caller, request.request_id);
    if (const auto* known = next->answer(key)) {
      if (known->request_hash != request.request_hash)
        return Answer::refusal("the request id " + request.request_id +
                               " was used for another request");
      if (at_sites.is_awaited(key))
        return at_sites.join(key, self->make_response_promise<Answer>());
      return repeat(known->answer);
    }
    if (auto refusal = obstacle(*setup, *request.command, key)) return *refusal;
    setup->notebook->note(key);
    crash_point("in-hand");
    auto& entry = decide(request.command);
    setup->notebook->note({});
    if (!entry.decisions.effects.empty() || entry.decisions.answer->exit_code == 0)
      next->keep_answer(key, {request.request_hash, *entry.decisions.answer, time});
    if (const auto* submit = std::get_if<Submit>(&request.command->body); submit && request.script)
      next->add_script(submit->script_hash, *request.script);
    if (!entry.decisions.awaits) return answer_once_durable(entry);
    at_sites.begin(key, request.request_hash, entry.decisions);
    flush();
    return at_sites.join(key, self->make_response_promise<Answer>());
  }

  caf::typed_response_promise<Answer> answer_once_durable(Decided& entry) {
    auto promise = entry.answer = self->make_response_promise<Answer>();
    flush();
    return promise;
  }

  // A repetition waits for whatever is on its way to the disk, then gets the first answer.
  caf::result<Answer> repeat(const Answer& answer) {
    if (!committing && open.empty()) return answer;
    auto& entry = open.emplace_back();
    entry.decisions.answer = answer;
    return answer_once_durable(entry);
  }

  caf::result<HostTasks> register_host(const RegisterHost& news) {
    const auto alarm_before = state().host_key(news.host).alarm_at;
    auto& entry = decide(registration_of(news));
    entry.host_tasks = known_tasks(news, state(), entry.decisions, alarm_before);
    auto promise = entry.registered = self->make_response_promise<HostTasks>();
    flush();
    return promise;
  }

  caf::result<caf::strong_actor_ptr> find_job(const GetJobActor& query) {
    if (auto actor = job_actor(state(), *publisher, query.number)) return actor;
    return askers_of_gone.answer(self, committing, !open.empty());
  }

  // ---- commits --------------------------------------------------------------------------------

  // Commits at once when idle; what comes while a commit is in flight goes with the next one.
  void flush() {
    if (committing || (open.empty() && !passes.is_wanted() && !checkpoint_wanted)) return;
    if (passes.begin_slice()) {
      slices.measure([this] { decide(Pass{}); });
      if (passes.end_slice()) self->send(self, ContinuePass{});
    }
    committing = true;
    auto batch = std::make_shared<std::vector<Decided>>(std::exchange(open, {}));
    askers_of_gone.begin_batch();
    self->request(setup->journal, caf::infinite, CommitBatch{next->take()})
        .then([this, batch](const Durable&) { publish(*batch); },
              [](const caf::error&) { throw Bug("the journal answers"); });
    if (std::exchange(checkpoint_wanted, false)) begin_checkpoint();
  }

  // The batch that is on its way is the last one in the checkpoint. Whoever replays from there has
  // the records alone: what comes next is decided as after a restart.
  void begin_checkpoint() {
    checkpoint_behind = next->last_sequence();
    auto anew = restarted(*setup, state().counters().passes_off);
    anew.is_checkpoint = true;
    decide(anew);
  }

  void publish(std::vector<Decided>& batch) {
    if (const auto behind = std::exchange(checkpoint_behind, std::nullopt))
      caf::anon_send(setup->archive, SnapshotTaken{setup->store->snapshot(), *behind});
    publisher->publish(batch, state().configuration(), time);
    crash_point("before-answer");
    for (auto& entry : batch) entry.deliver();
    askers_of_gone.end_batch();
    committing = false;
    flush();
  }

  void heartbeat() {
    passes.heartbeat(!state().jobs().empty(), now());
    next->forget_old_answers(time);
    flush();
    schedule_heartbeat();
  }

  void schedule_heartbeat() {
    self->delayed_send(self, to_chrono(state().configuration().scheduler().schedule_interval),
                       Wake{});
  }

  // ---- questions ------------------------------------------------------------------------------

  caf::result<Answer> answer(const Ask& ask) {
    caf::typed_response_promise<Answer> promise;
    const auto at_once = inquiries->begin(ask, now(), [&]() -> Inquiries::Reply {
      promise = self->make_response_promise<Answer>();
      return [promise](Answer answer) mutable { promise.deliver(std::move(answer)); };
    });
    if (at_once) return *at_once;
    if (inquiries->size() == 1) self->send(self, ContinueInquiry{});
    return promise;
  }

  void continue_inquiry() {
    inquiries->go_on(now());
    if (inquiries->size() > 0) self->send(self, ContinueInquiry{});
  }

  ActorState inspect() {
    return {"sequence: " + to_string(next->last_sequence()) + "\nterm: " + to_string(setup->term) +
            "\nstore_id: " + setup->store_id + shown(state()) + "\ncommitting: " +
            (committing ? "yes" : "no") + "\nspace: " + (setup->store->has_space() ? "yes" : "no") +
            "\nquestions: " + std::to_string(inquiries->size()) +
            "\nat sites: " + std::to_string(at_sites.size()) + slices.shown() +
            "\nmailbox: " + std::to_string(self->mailbox().size()) + "\n"};
  }

  CalendarActor::pointer self;
  std::optional<CalendarSetup> setup;
  Instant time;
  std::vector<Decided> open;
  std::optional<NextCommit> next; ///< with what `open` has changed
  PassTiming passes;
  std::optional<Inquiries> inquiries;
  std::optional<Publisher> publisher;
  SiteAnswers at_sites;
  SliceTimes slices;
  std::optional<Sequence> checkpoint_behind; ///< the input, while its batch is on its way
  AskersOfGoneJobs askers_of_gone;
  bool committing = false, checkpoint_wanted = false;
};

CalendarActor::behavior_type calendar(Watched<CalendarActor, CalendarState> self,
                                      std::shared_ptr<CalendarSetup> setup) {
  end_process_on_exception(self, "calendar");
  self->state.begin(std::move(*setup));
  return {
      [self](HandleCommand& request) { return self->state.command(request); },
      [self](const Tell& fact) {
        self->state.decide(fact.input);
        self->state.flush();
      },
      [self](const RegisterHost& news) { return self->state.register_host(news); },
      [self](const Ask& ask) { return self->state.answer(ask); },
      [self](const GetHost& query) {
        auto& state = self->state;
        return found_host(query, state.publisher->host(query.name),
                          state.state().host_key(query.name), state.now());
      },
      [self](const GetJobActor& query) { return self->state.find_job(query); },
      [self](const GetHostActor& query) {
        return host_actor_named(*self->state.publisher, query.host);
      },
      [self](const GetRecords&) {
        return RecordsNow{
            std::make_shared<const std::vector<Effect>>(self->state.state().records().as_effects()),
            self->state.now()};
      },
      [self](const WantCheckpoint&) {
        self->state.checkpoint_wanted = true;
        self->state.flush();
      },
      [self](const ContinuePass&) {
        self->state.passes.due();
        self->state.flush();
      },
      [self](const ContinueInquiry&) { self->state.continue_inquiry(); },
      [self](const Wake&) { self->state.heartbeat(); },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

CalendarActor spawn_calendar(caf::actor_system& system, CalendarSetup setup) {
  return system.spawn(calendar, std::make_shared<CalendarSetup>(std::move(setup)));
}

} // namespace almanac
