#include "actors/master/calendar.hpp"

#include "core/answer/gridengine.hpp"
#include "actors/master/dispatch.hpp"
#include "actors/master/kept_scripts.hpp"
#include "actors/master/suspects.hpp"
#include "actors/support.hpp"
#include "core/planning/questions/host_tasks.hpp"
#include "schema/codec.hpp"
#include "schema/store/records.hpp"

#include <algorithm>
#include <deque>
#include <optional>

namespace almanac {

namespace {

// An input that is decided and not yet durable, with those who wait for it.
struct Decided {
  Decisions decisions;
  std::map<TaskId, LaunchPlan> plans; ///< of tasks that are to be launched
  caf::typed_response_promise<Answer> answer;
  caf::typed_response_promise<HostTasks> registered;
  HostTasks host_tasks; ///< its answer
};

// A question that has more to look at.
struct Asked {
  Inquiry inquiry;
  std::string key; ///< for the notebook
  caf::typed_response_promise<Answer> answer;
};

// decided inputs --one batch at a time--> journal --durable--> views, life cycles, answers
struct CalendarState {
  static inline const char* name = "calendar";
  explicit CalendarState(CalendarActor::pointer self) : self(self) {}

  void begin(CalendarSetup given) {
    setup.emplace(std::move(given));
    time = setup->last_time;
    dispatch.emplace(self->system(),
                     LifeCycleContext{CalendarActor(self), setup->archive, setup->views,
                                      setup->gate, setup->directory, setup->clock, setup->identity,
                                      setup->store_id, setup->term, setup->vouched});
    enlist(self, setup->directory, "calendar", "");
    restart();
  }

  // All records are news to the views and make their actors; then the planner hears that it was
  // restarted.
  void restart() {
    const auto& state = planner().state();
    auto decided = std::make_shared<std::vector<std::vector<Effect>>>();
    const auto& effects = decided->emplace_back(state.records().as_effects());
    for (const auto& [key, job] : state.jobs()) scripts.note(*job);
    std::map<TaskId, LaunchPlan> plans;
    for (const auto& task : state.tasks())
      if (task.is_active()) plans[task.id()] = dispatch->plan(state, task);
    setup->store->scan(store::Family::scripts, [this](std::string_view hash, std::string_view) {
      if (!scripts.has(std::string(hash))) drop_script(std::string(hash));
    });
    caf::anon_send(setup->views, Publish{decided, now()});
    follow_configuration();
    for (const auto& effect : effects) dispatch->send(effect, plans);
    if (setup->passes_off)
      spdlog::error("passes are off: the master has crashed three times within five minutes; once "
                    "the cause is found, stop it and start it again");
    decide(Restarted{setup->term, planner().digest(), setup->passes_off, setup->zone.changes,
                     setup->host});
    flush();
    schedule_heartbeat();
    caf::anon_send(setup->gate, OpenGate{caf::actor_cast<caf::strong_actor_ptr>(self)});
  }

  Planner& planner() { return setup->planner; }

  // Planner time never goes back.
  Instant now() { return time = std::max(time, setup->clock->now()); }

  Decided& decide(ValidInput input) {
    const auto at = now();
    auto& entry = open.emplace_back();
    entry.decisions = planner().handle(input, at);
    const Sequence sequence{++setup->last_sequence.value};
    auto changed = store::writes_of(entry.decisions);
    writes->push_back({store::Family::inputs, store::number_key(sequence.value),
                       encode(JournaledInput{sequence, at, Planner::version, *std::move(input),
                                             store::fingerprint(entry.decisions, changed)})});
    writes->insert(writes->end(), std::make_move_iterator(changed.begin()),
                   std::make_move_iterator(changed.end()));
    for (const auto& effect : entry.decisions.effects) {
      if (const auto* record = std::get_if<AccountingRecord>(&effect))
        writes->push_back(store::index_of(*record));
      else if (const auto* job = std::get_if<JobPtr>(&effect)) scripts.note(**job);
      else if (const auto* task = std::get_if<TaskPtr>(&effect)) {
        if ((*task)->state == TaskState::sent)
          entry.plans[(*task)->id()] = dispatch->plan(planner().state(), **task);
      } else if (const auto* gone = std::get_if<Erased<Job>>(&effect)) {
        if (const auto hash = scripts.forget(gone->key)) drop_script(*hash);
      }
    }
    if (entry.decisions.pass_wanted) want_pass(entry.decisions.gather);
    await_turn(entry.decisions.next_turn, at);
    return entry;
  }

  void drop_script(const std::string& hash) {
    writes->push_back({store::Family::scripts, hash, std::nullopt});
  }

  // Once a pass has been put off, others of its kind join it.
  void want_pass(Duration gather) {
    if (gather.seconds <= 0) pass_wanted = true;
    else if (!std::exchange(pass_put_off, true))
      self->delayed_send(self, to_chrono(gather), ContinuePass{});
  }

  // A pass opens and closes what calendars say.
  void await_turn(Instant turn, Instant at) {
    if (turn == awaited_turn) return;
    awaited_turn = turn;
    if (!turn.is_never()) self->delayed_send(self, to_chrono(turn - at), ContinuePass{});
  }

  // Commits at once when idle; what comes while a commit is in flight goes with the next one.
  void flush() {
    if (committing || (open.empty() && !pass_wanted && !checkpoint_wanted)) return;
    if (pass_wanted) {
      pass_wanted = pass_put_off = false;
      run_slice();
      if (pass_wanted) {
        pass_wanted = false;
        self->send(self, ContinuePass{});
      }
    }
    committing = true;
    auto batch = std::make_shared<std::vector<Decided>>(std::move(open));
    open.clear();
    const CommitBatch request{std::move(writes)};
    writes = std::make_shared<std::vector<store::Write>>();
    self->request(setup->journal, caf::infinite, request)
        .then([this, batch](const Durable&) { publish(*batch); },
              [](const caf::error&) { throw Bug("the journal answers"); });
    if (std::exchange(checkpoint_wanted, false)) begin_checkpoint();
  }

  // The batch that is on its way is the last one in the checkpoint. Whoever replays from there has
  // the records alone: what comes next is decided as after a restart.
  void begin_checkpoint() {
    checkpoint_behind = setup->last_sequence;
    Restarted anew{setup->term, planner().digest(), planner().state().counters().passes_off,
                   setup->zone.changes, setup->host};
    anew.is_checkpoint = true;
    decide(anew);
  }

  // Its time is shown to people, nothing is decided by it.
  void run_slice() {
    const auto begun = std::chrono::steady_clock::now();
    decide(Pass{});
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begun;
    const auto us = static_cast<std::int64_t>(took.count());
    ++passes, pass_us += us, longest_pass_us = std::max(longest_pass_us, us);
  }

  void follow_configuration() {
    const auto& configuration = planner().state().configuration();
    if (setup->set_log_level) setup->set_log_level(configuration.global().log_level);
    dispatch->follow(configuration);
    if (auto now_first = precedence_in(configuration); now_first != precedence) {
      precedence = std::move(now_first);
      caf::anon_send(setup->gate, PrecedenceChanged{precedence});
    }
    if (const auto& kept = configuration.global().kept; kept != retentions) {
      retentions = kept;
      caf::anon_send(setup->archive,
                     RetentionsChanged{kept, caf::actor_cast<caf::strong_actor_ptr>(self)});
    }
  }

  static bool is_of_configuration(const Effect& effect) {
    return std::holds_alternative<ConfigurationObject>(effect) ||
           std::holds_alternative<ObjectErased>(effect);
  }

  void publish(std::vector<Decided>& batch) {
    if (const auto behind = std::exchange(checkpoint_behind, std::nullopt))
      caf::anon_send(setup->archive, SnapshotTaken{setup->store->snapshot(), *behind});
    auto decided = std::make_shared<std::vector<std::vector<Effect>>>();
    for (const auto& entry : batch) decided->push_back(entry.decisions.effects);
    const bool configures =
        std::any_of(decided->begin(), decided->end(), [](const std::vector<Effect>& effects) {
          return std::any_of(effects.begin(), effects.end(), is_of_configuration);
        });
    if (configures) follow_configuration();
    caf::anon_send(setup->views, Publish{decided, time});
    caf::anon_send(setup->exporter, Publish{decided, time});
    if (setup->postman) caf::anon_send(setup->postman, Publish{decided, time});
    for (auto& entry : batch)
      if (!entry.decisions.schedule.empty())
        caf::anon_send(setup->exporter, ScheduleRun{std::move(entry.decisions.schedule)});
    for (auto& entry : batch)
      for (const auto& effect : entry.decisions.effects) dispatch->send(effect, entry.plans);
    crash_point("before-answer");
    for (auto& entry : batch) {
      if (entry.answer.pending()) entry.answer.deliver(*entry.decisions.answer);
      if (entry.registered.pending()) entry.registered.deliver(std::move(entry.host_tasks));
    }
    committing = false;
    flush();
  }

  caf::result<Answer> command(HandleCommand& request) {
    const auto key = answer_key(request.command->caller, request.request_id);
    if (const auto* known = setup->answers.find(key)) {
      if (known->request_hash != request.request_hash)
        return Answer::refusal("the request id " + request.request_id +
                               " was used for another request");
      return repeat(known->answer);
    }
    const bool adds_work = std::holds_alternative<Submit>(request.command->body) ||
                           std::holds_alternative<Reserve>(request.command->body);
    if (adds_work && !setup->store->has_space()) return Answer::refusal(nearly_full);
    if (auto refusal = crashed_over(*setup->notebook, request.command->caller, key))
      return *refusal;
    setup->notebook->note(key);
    crash_point("in-hand");
    auto& entry = decide(request.command);
    setup->notebook->note({});
    if (!entry.decisions.effects.empty() || entry.decisions.answer->exit_code == 0)
      keep_answer(key, {request.request_hash, *entry.decisions.answer, time});
    if (const auto* submit = std::get_if<Submit>(&request.command->body);
        submit && request.script && scripts.has(submit->script_hash))
      writes->push_back({store::Family::scripts, submit->script_hash, *request.script});
    entry.answer = self->make_response_promise<Answer>();
    auto promise = entry.answer;
    flush();
    return promise;
  }

  void keep_answer(const std::string& key, const KeptAnswer& kept) {
    writes->push_back({store::Family::answers, key, encode_answer(kept)});
    for (const auto& dropped : setup->answers.keep(key, kept))
      writes->push_back({store::Family::answers, dropped, std::nullopt});
  }

  // Most are answered in one slice. The others are so one after the other: in turns, each would have
  // more inputs come between, and begin anew more often.
  caf::result<Answer> answer(const Ask& ask) {
    const auto key = answer_key(ask.caller, "question " + std::to_string((*ask.question).index()));
    if (auto refusal = crashed_over(*setup->notebook, ask.caller, key)) return *refusal;
    Asked asked{Inquiry(ask.question), key, {}};
    if (auto answer = go_on(asked)) return *answer;
    asked.answer = self->make_response_promise<Answer>();
    auto promise = asked.answer;
    inquiries.push_back(std::move(asked));
    if (inquiries.size() == 1) self->send(self, ContinueInquiry{});
    return promise;
  }

  std::optional<Answer> go_on(Asked& asked) {
    setup->notebook->note(asked.key);
    crash_point("question");
    auto answer = planner().go_on(asked.inquiry, now());
    setup->notebook->note({});
    return answer;
  }

  void continue_inquiry() {
    auto& first = inquiries.front();
    if (auto answer = go_on(first)) {
      first.answer.deliver(std::move(*answer));
      inquiries.pop_front();
    }
    if (!inquiries.empty()) self->send(self, ContinueInquiry{});
  }

  // A repetition waits for whatever is on its way to the disk, then gets the first answer.
  caf::result<Answer> repeat(const Answer& answer) {
    if (!committing && open.empty()) return answer;
    auto& entry = open.emplace_back();
    entry.decisions.answer = answer;
    entry.answer = self->make_response_promise<Answer>();
    auto promise = entry.answer;
    flush();
    return promise;
  }

  caf::result<HostTasks> register_host(const RegisterHost& news) {
    std::int64_t highest_key = 0;
    for (const auto& attempt : news.tasks) highest_key = std::max(highest_key, attempt.job.value);
    const auto alarm_before = planner().state().host_key(news.host).alarm_at;
    auto& entry =
        decide(HostRegistered{news.host, news.facts, highest_key, news.claim, news.rival});
    const auto& key = planner().state().host_key(news.host);
    if (key.alarm_at != alarm_before) entry.host_tasks.alarm = key.alarm;
    if (entry.decisions.answer)
      entry.host_tasks.refusal = gridengine::first_line_of(*entry.decisions.answer);
    entry.host_tasks.wanted = tasks_wanted_on(planner().state(), news.host);
    for (const auto& attempt : news.tasks)
      if (is_over(planner().state(), attempt)) entry.host_tasks.over.push_back(attempt);
    entry.registered = self->make_response_promise<HostTasks>();
    auto promise = entry.registered;
    flush();
    return promise;
  }

  void tell(const ValidInput& input) {
    decide(input);
    flush();
  }

  void heartbeat() {
    pass_wanted = pass_wanted || !planner().state().jobs().empty() || now() >= awaited_turn;
    forget_old_answers();
    flush();
    schedule_heartbeat();
  }

  void schedule_heartbeat() {
    self->delayed_send(
        self, to_chrono(planner().state().configuration().scheduler().schedule_interval), Wake{});
  }

  void forget_old_answers() {
    if (now() < next_cleaning) return;
    next_cleaning = now() + Duration{600};
    for (const auto& key : setup->answers.forget_old(time))
      writes->push_back({store::Family::answers, key, std::nullopt});
  }

  template <class Pointer> caf::result<caf::strong_actor_ptr> found(Pointer pointer) const {
    if (!pointer) return caf::make_error(caf::sec::invalid_argument);
    return pointer;
  }

  FoundHost find_host(const GetHost& query) {
    auto host = dispatch->host(query.name);
    if (!host) return {nullptr, "host " + query.name + " is not an exec host of this cell"};
    if (auto why = key_obstacle(planner().state().host_key(query.name), query.claim, now()))
      return {nullptr, "the agent of host " + query.name + " is not let in: " + *why};
    return {std::move(host), {}};
  }

  caf::result<caf::strong_actor_ptr> job_actor(JobNumber number) {
    const auto* job = planner().state().job_by_number(number);
    return found(job ? dispatch->job(job->key) : caf::strong_actor_ptr());
  }

  ActorState inspect() {
    const auto& state = planner().state();
    return {"sequence: " + to_string(setup->last_sequence) + "\nterm: " + to_string(setup->term) +
            "\nstore_id: " + setup->store_id + "\njobs: " + std::to_string(state.jobs().size()) +
            "\nreservations: " + std::to_string(state.reservations().size()) +
            "\nhosts: " + std::to_string(state.records().all<HostState>().size()) +
            "\ncommitting: " + (committing ? "yes" : "no") +
            "\nspace: " + (setup->store->has_space() ? "yes" : "no") +
            "\nscheduling: " + (state.counters().passes_off ? "off" : "on") +
            "\nquestions: " + std::to_string(inquiries.size()) +
            "\npasses: " + std::to_string(passes) + "\npass_us: " + std::to_string(pass_us) +
            "\nlongest_pass_us: " + std::to_string(longest_pass_us) +
            "\nmailbox: " + std::to_string(self->mailbox().size()) + "\n"};
  }

  CalendarActor::pointer self;
  std::optional<CalendarSetup> setup;
  std::optional<Dispatch> dispatch;
  Instant time, next_cleaning, awaited_turn = Instant::never();
  std::vector<Decided> open;
  std::deque<Asked> inquiries; ///< in the order in which they came
  std::shared_ptr<std::vector<store::Write>> writes = std::make_shared<std::vector<store::Write>>();
  KeptScripts scripts;   ///< as the store has them, or will have once `writes` are written
  Precedence precedence; ///< as the gate knows it
  std::optional<Retentions> retentions; ///< as the archive knows them
  std::int64_t passes = 0, pass_us = 0, longest_pass_us = 0;
  std::optional<Sequence> checkpoint_behind; ///< the input, while its batch is on its way
  bool committing = false, pass_wanted = false, pass_put_off = false, checkpoint_wanted = false;
};

CalendarActor::behavior_type calendar(Watched<CalendarActor, CalendarState> self,
                                      std::shared_ptr<CalendarSetup> setup) {
  end_process_on_exception(self, "calendar");
  self->state.begin(std::move(*setup));
  return {
      [self](HandleCommand& request) { return self->state.command(request); },
      [self](const Tell& fact) { self->state.tell(fact.input); },
      [self](const RegisterHost& news) { return self->state.register_host(news); },
      [self](const Ask& ask) { return self->state.answer(ask); },
      [self](const GetHost& query) { return self->state.find_host(query); },
      [self](const GetJobActor& query) { return self->state.job_actor(query.number); },
      [self](const WantCheckpoint&) {
        self->state.checkpoint_wanted = true;
        self->state.flush();
      },
      [self](const ContinuePass&) {
        self->state.pass_wanted = true;
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
