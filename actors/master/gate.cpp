#include "actors/master/gate.hpp"

#include "actors/audit.hpp"
#include "actors/master/gate_questions.hpp"
#include "actors/master/inside.hpp"
#include "actors/master/visitors.hpp"
#include "actors/support.hpp"
#include "actors/trust/keyring.hpp"
#include "core/policy/attaching.hpp"
#include "core/policy/standing.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace almanac {

namespace {

constexpr std::int64_t retry_after_ms = 100;

template <class T>
concept asks_views = one_of<T, door::GetJobs, door::GetLines, door::GetReservations,
                            door::GetCluster, door::GetObjects, door::GetQuotas>;
template <class T>
concept looks_inside =
    one_of<T, door::ListActors, door::InspectActor, door::GetMessages, door::GetInputs>;

template <class T>
concept reads_archive = one_of<T, door::GetAccounting, door::GetUsage>;
template <class T>
concept belongs_to_agents = one_of<T, door::Inherit, door::InheritInput, door::Attach>;

// Its streams would go through the master.
Answer needs_an_agent() {
  return Answer::refusal("an interactive job needs the door of an agent, and this is that of the "
                         "master: set ALMANAC_DIR to the folder of this host's agent");
}

bool is_interactive(const CommandBody& command) {
  const auto* submit = std::get_if<Submit>(&command);
  return submit && submit->request.interaction != Interaction::none;
}

Answer has_no_place(JobNumber number, const std::string& why = "it has ended") {
  return Answer::refusal("Unable to run job " + to_string(number) + ": " + why + ".");
}

Answer refusal_of(const door::Inherit&) {
  return Answer::refusal("qrsh -inherit works on an execution host, inside a parallel job");
}
Answer refusal_of(const door::Attach&) { return needs_an_agent(); }
Answer refusal_of(const door::InheritInput&) {
  return Answer::refusal("no process is waiting for this input");
}

// The script travels beside its job: the record has its hash.
std::shared_ptr<std::string> script_out_of(CommandBody& command) {
  auto* submit = std::get_if<Submit>(&command);
  if (!submit) return nullptr;
  auto script = std::make_shared<std::string>(std::move(submit->request.script.content));
  submit->request.script.content.clear();
  submit->script_hash = script->empty() ? "" : sha256(*script);
  submit->script_bytes = static_cast<std::int64_t>(script->size());
  return script;
}

Follow follow(const Visit& visit, const door::Subscribe& request) {
  return {request, visit.caller, visit.version, visit.keeper, visit.connection};
}

FindAccounting find(const Visit& visit, AccountingQuery query) {
  return {std::move(query), visit.caller.uid, visit.version};
}
FindAccounting find(const Visit& visit, const door::GetAccounting& request) {
  return find(visit, AccountingQuery{request.filter, {}, {}});
}
FindUsage find(const Visit& visit, const door::GetUsage& request) {
  return {request, visit.caller.uid, visit.version};
}

// Which records are wanted of a job that has ended.
AccountingQuery end_of(JobNumber number, JobKey job = {},
                       std::vector<AccountingRecord> in_error = {}) {
  AccountingFilter filter;
  filter.number = number, filter.tasks_only = true;
  return {std::move(filter), job, std::move(in_error)};
}

// Programs of the site that are configured, and whether others would be run.
struct SitePrograms {
  ReservationHooks hooks;
  std::string jsv_url;
  HookTrust distrust;
  JsvTrust distrust_of_jsv;
};

// Why a command does not reach the planner.
std::optional<Answer> obstacle(const Visit& visit, const CommandBody& command,
                               const std::string& what, bool is_first,
                               const SitePrograms& programs) {
  if (is_interactive(command) && !may_have_streams(visit.caller)) return needs_an_agent();
  if (!is_first) return std::nullopt; // others are refused anyway, and hear nothing of files
  if (changes_the_cell(command) && !audit_ahead(visit.caller, visit.request_id, what))
    return Answer::refusal("the audit log cannot be written: nothing is configured");
  auto why = distrusted_hook(command, programs.hooks, programs.distrust);
  if (why.empty()) why = distrusted_jsv(command, programs.jsv_url, programs.distrust_of_jsv);
  if (!why.empty()) return Answer::refusal("denied: " + why);
  return std::nullopt;
}

// A JSV has refused it, or has failed.
Answer not_verified(const std::string& why) {
  return Answer::refusal({AnswerCode::unable_to_run_job, {{"why", Statement::said(why)}}});
}

// The job that a JSV is to look at first; nullptr: of none.
Submit* verified_part(Command& command) { return std::get_if<Submit>(&command.body); }
Submit* verified_part(VerifySubmit& question) {
  return question.is_of_jobs() ? nullptr : &question.command;
}

// It may take days: others have the visit's place meanwhile.
template <class Found, class Gate, class Question, class Use, class Gone>
void rest_at(Gate& gate, Visit visit, const caf::strong_actor_ptr& job, Question question, Use use,
             Gone gone) {
  if (!gate.visitors.rest(visit)) return gate.reply(visit, door::Busy{retry_after_ms});
  gate.wake_next();
  gate.self->request(caf::actor_cast<JobActor>(job), caf::infinite, std::move(question))
      .then(
          [&gate, visit, use](Found& found) {
            gate.visitors.wake(visit);
            use(visit, found);
          },
          [&gate, visit, gone](const caf::error&) {
            gate.visitors.wake(visit);
            gone(visit);
          });
}

// Asks the actor of a job; `gone` where there is none, or none any more.
template <class Found, class Gate, class Question, class Use, class Gone> void
ask_job(Gate& gate, const Visit& visit, JobNumber number, Question question, Use use, Gone gone) {
  gate.let_in(visit, [=, &gate] {
    gate.self->request(*gate.calendar, caf::infinite, GetJobActor{number})
        .then(
            [=, &gate](const caf::strong_actor_ptr& job) {
              rest_at<Found>(gate, visit, job, question, use, gone);
            },
            [=](const caf::error&) { gone(visit); });
  });
}

// A job that is valid is shown to the JSV of the cell, where there is one. What it makes of the job is
// asked the same again. Others have the visit's place meanwhile.
template <class Gate, class Request, class Use> void if_verified(Gate& gate, const Visit& visit,
                                                                 const std::string& what,
                                                                 Request request, const Use& use) {
  auto* job = verified_part(request);
  if (job) job->verified_by.clear(); // whatever the client says
  gate.if_valid(visit, what, request, [&](const Valid<Request>& valid) {
    const auto& url = gate.programs.jsv_url;
    if (!job || url.empty()) return use(visit, valid);
    if (!gate.verifiers)
      return gate.refuse(visit, what, not_verified("no JSV can be started here"));
    auto asking = visit;
    if (!gate.visitors.rest(asking)) return gate.reply(visit, door::Busy{retry_after_ms});
    gate.wake_next();
    const VerifyJob question{url, visit.caller,
                             std::make_shared<const JobRequest>(std::move(job->request))};
    gate.self->request(gate.verifiers, caf::infinite, question)
        .then([&gate, visit = asking, what, request, use, url](const JobVerified& found) mutable {
          gate.visitors.wake(visit);
          if (!found.refusal.empty()) return gate.refuse(visit, what, not_verified(found.refusal));
          auto& job = *verified_part(request);
          job.request = *found.request, job.verified_by = url;
          gate.if_valid(visit, what, std::move(request),
                        [&](const Valid<Request>& valid) { use(visit, valid); });
        });
  });
}

// Hands a command to the calendar, with what only the gate can add to it.
template <class Gate>
void run(Gate& gate, const Visit& visit, const std::string& what, Command command) {
  look_up(whom_of(command), gate.uid_of);
  if (auto drawn = draw_for(command.body, owner_in(command), gate.keys); !drawn)
    return gate.refuse(visit, what, Answer::refusal("denied: " + drawn.what()));
  auto script = script_out_of(command.body);
  if_verified(gate, visit, what, std::move(command),
              [&gate, what, script](const Visit& visit, const Valid<Command>& command) {
                gate.ask(*gate.calendar, visit,
                         HandleCommand{command, visit.request_id, visit.frame_hash, script},
                         [&gate, visit, what](const Answer& answer) {
                           gate.reply_audited(visit, what, answer);
                         });
              });
}

// Its proof is of the command as it came; who has the keys says what it is worth.
template <class Gate> void check_claim(Gate& gate, const Visit& visit, const std::string& what,
                                       door::RunCommand request) {
  if (!gate.keys)
    return gate.refuse(visit, what, Answer::refusal("this cell has no keys of reservations"));
  const auto said = ReservationKeys::said_by(request.claim.front());
  const auto key = said ? said->incarnation : ReservationKey{};
  const auto sent = std::make_shared<door::RunCommand>(std::move(request));
  gate.ask(gate.views, visit, FindReservation{visit.caller, {}, key, {}},
           [&gate, visit, what, sent](const FoundReservation& found) {
             auto checked =
                 gate.keys->check(sent->claim.front(), proved_by_claim(sent->body, sent->whom),
                                  found.reservation.get());
             run(gate, visit, what,
                 Command{visit.caller, std::move(sent->body), {std::move(checked)}, sent->whom});
           });
}

// A key may have its secret in it: only the owner gets it, whoever acts for the owner, and managers.
template <class Gate> void give_key(Gate& gate, const Visit& visit, door::GetGrant& request) {
  look_up(whom_of(request), gate.uid_of);
  const FindReservation wanted{visit.caller, request.number, {}, std::move(request.whom)};
  gate.let_in(visit, [&gate, visit, wanted] {
    gate.ask(gate.views, visit, wanted,
             [&gate, visit, number = wanted.number](const FoundReservation& found) {
               gate.reply(visit, key_for(visit.caller, number, found, gate.keys));
             });
  });
}

// Hands each request to whoever answers it, and the answer back to the door. Who is let in and whose
// turn it is (Visitors), how a visit is read and written (Visit) and what the console sees (Inside)
// have files of their own.
struct GateState {
  static inline const char* name = "gate";
  explicit GateState(GateActor::pointer self) : self(self) {}

  void enter(const DoorFrame& frame) {
    auto arrival = arrival_of(frame, self->current_sender());
    auto& visit = arrival.visit;
    if (arrival.refusal) return refuse(visit, arrival.what, *arrival.refusal);
    if (!calendar) visitors.turn_away();
    if (!calendar || !visitors.take_place(visit)) return reply(visit, door::Busy{retry_after_ms});
    visit.frame_hash = sha256(frame.content);
    visitors.line_up(std::move(visit), std::move(arrival.body));
    serve_next();
  }

  void serve_next() {
    while (auto next = visitors.next())
      std::visit([&visit = next->visit, this](auto& request) { serve(visit, request); },
                 next->body);
  }

  // ---- answers --------------------------------------------------------------------------------

  void reply(const Visit& visit, door::ReplyBody body) {
    send(visit, visit.reply(std::move(body)));
  }

  void refuse(const Visit& visit, const std::string& what, const Answer& answer) {
    reply_audited(visit, what, answer);
  }

  auto answers(const Visit& visit) {
    return [this, visit](const Answer& answer) { reply(visit, answer); };
  }

  // An answer leaves once the audit log has it. What is answered in a row takes one write.
  void reply_audited(const Visit& visit, const std::string& what, const Answer& answer) {
    if (!audit(visit.caller, visit.request_id, what, answer)) return reply(visit, answer);
    audited.push_back({visit, answer});
    if (audited.size() == 1) self->send(self, Wake{});
  }
  void reply_to_audited() {
    if (audited.empty()) return;
    write_audit();
    for (const auto& [visit, answer] : std::exchange(audited, {})) reply(visit, answer);
  }

  void send(const Visit& visit, DoorReply reply) {
    reply.connection = visit.connection;
    self->send(caf::actor_cast<DoorKeeperActor>(visit.keeper), std::move(reply));
    if (visit.at_rest) return;
    visitors.leave(visit);
    wake_next();
  }

  // Not from within: a row of refusals would be a stack of them.
  void wake_next() {
    if (visitors.is_anybody_waiting()) self->send(self, Wake{});
  }

  // ---- requests -------------------------------------------------------------------------------

  void serve(const Visit& visit, door::RunCommand& request) {
    const auto what = what_of(request);
    if (visit.request_id.empty() || visit.request_id.size() > 128)
      return refuse(visit, what,
                    Answer::refusal("a command needs a request id of 1 to 128 characters"));
    if (auto why = obstacle(visit, request.body, what, visitors.is_first(visit.caller), programs))
      return refuse(visit, what, *why);
    if (!request.claim.empty()) return check_claim(*this, visit, what, std::move(request));
    run(*this, visit, what,
        Command{visit.caller, std::move(request.body), {}, std::move(request.whom)});
  }

  void serve(const Visit& visit, door::AskSubmit& request) {
    if_verified(*this, visit, "asks", question_of(visit.caller, request),
                [this](const Visit& visit, const Valid<VerifySubmit>& question) {
                  ask(*calendar, visit, Ask{visit.caller, question}, answers(visit));
                });
  }

  void serve(const Visit& visit, asks_whether auto& request) {
    const bool with_price = wants_price(request);
    look_up(whom_of(request), uid_of);
    if_valid(visit, "asks", question_of(visit.caller, request), [&](const auto& valid) {
      if (with_price) ask(pricer, visit, price_of(valid, *calendar), answers(visit));
      else ask(*calendar, visit, Ask{visit.caller, valid}, answers(visit));
    });
  }

  template <class Request, class Use>
  void if_valid(const Visit& visit, const std::string& what, Request request, Use use) {
    auto found = validated(std::move(request));
    if (const auto* refusal = std::get_if<Answer>(&found)) return refuse(visit, what, *refusal);
    use(std::move(std::get<0>(found)));
  }

  void serve(const Visit& visit, const door::AskWhy& request) {
    let_in(visit, [this, visit, request] {
      ask(*calendar, visit, Ask{visit.caller, ExplainJob{request.job, request.alternatives}},
          answers(visit));
    });
  }

  template <class Who, class Message, class Use>
  void ask(const Who& who, const Visit& visit, Message message, Use use) {
    self->request(who, caf::infinite, std::move(message))
        .then(std::move(use), [this, visit](const caf::error&) {
          reply(visit, Answer::refusal("the planner did not answer"));
        });
  }

  // Hosts that do not belong to the cell hear nothing of it: planner and views look themselves.
  template <class Serve> void let_in(const Visit& visit, Serve serve) {
    ask(*calendar, visit, Ask{visit.caller, MayEnter{visit.caller}},
        [this, visit, serve](const Answer& answer) {
          answer.exit_code == 0 ? serve() : refuse(visit, "asks", answer);
        });
  }

  void serve(const Visit& visit, door::GetGrant& request) { give_key(*this, visit, request); }

  void serve(const Visit& visit, const asks_views auto& query) {
    self->request(views, caf::infinite, Query{visit.caller, query})
        .then([this, visit](const QueryReply& found) { send(visit, visit.reply(found.frames)); });
  }

  void serve(const Visit& visit, const reads_archive auto& request) {
    let_in(visit, [this, visit, request] { ask_for_frames(visit, archive, find(visit, request)); });
  }
  void find_accounting(const Visit& visit, AccountingQuery query) {
    ask_for_frames(visit, archive, find(visit, std::move(query)));
  }
  template <class Maker, class Message>
  void ask_for_frames(const Visit& visit, const Maker& maker, Message message) {
    self->request(maker, caf::infinite, std::move(message)).then([this, visit](DoorReply& first) {
      send(visit, std::move(first));
    });
  }

  void serve(const Visit& visit, const door::Subscribe& request) {
    let_in(visit, [this, visit, request] { ask_for_frames(visit, feed, follow(visit, request)); });
  }

  void serve(const Visit& visit, const door::AwaitJob& request) {
    ask_job<JobEnd>(
        *this, visit, request.job, AwaitEnd{request.or_start},
        [this, number = request.job](const Visit& visit, JobEnd& end) {
          if (end.runs) return reply(visit, Answer());
          find_accounting(visit, end_of(number, end.job, std::move(end.in_error)));
        },
        // it has ended: accounting knows
        [this, number = request.job](const Visit& visit) {
          find_accounting(visit, end_of(number));
        });
  }

  void serve(const Visit& visit, const door::AwaitAttachment& request) {
    ask_job<PlaceForClient>(
        *this, visit, request.job, AwaitPlace{visit.caller},
        [this, number = request.job](const Visit& visit, PlaceForClient& found) {
          if (found.refusal.empty()) reply(visit, std::move(found.attachment));
          else reply(visit, has_no_place(number, found.refusal));
        },
        [this, number = request.job](const Visit& visit) { reply(visit, has_no_place(number)); });
  }

  // ---- the inside -----------------------------------------------------------------------------

  void serve(const Visit& visit, const looks_inside auto& request) {
    ask(*calendar, visit, Ask{visit.caller, MayLookInside{visit.caller}},
        [this, visit, request](const Answer& answer) {
          if (answer.exit_code != 0) return refuse(visit, "looks inside", answer);
          inside->look(request, visit,
                       [this, visit](DoorReply found) { send(visit, std::move(found)); });
        });
  }

  void serve(const Visit& visit, const belongs_to_agents auto& request) {
    reply(visit, refusal_of(request));
  }

  GateActor::pointer self;
  std::optional<CalendarActor> calendar;
  ViewsActor views;
  ArchiveActor archive;
  FeedActor feed;
  PricerActor pricer;
  VerifiersActor verifiers; ///< or none
  UidOf uid_of = nullptr;   ///< nullptr: none is known
  SitePrograms programs;
  SharedKeys keys; ///< or none
  Visitors visitors;
  std::optional<Inside> inside;
  std::vector<std::pair<Visit, Answer>> audited; ///< answers that the audit log has not yet
};

GateActor::behavior_type gate(Watched<GateActor, GateState> self, DirectoryActor directory,
                              ViewsActor views, ArchiveActor archive, FeedActor feed,
                              PricerActor pricer, std::shared_ptr<HookTrust> distrust,
                              std::shared_ptr<GateVerifiers> verifiers, SharedKeys keys,
                              UidOf uid_of) {
  end_process_on_exception(self, "gate");
  enlist(self, directory, "gate", "");
  auto& state = self->state;
  state.views = std::move(views), state.archive = archive, state.feed = std::move(feed);
  state.pricer = std::move(pricer), state.verifiers = verifiers->actor, state.uid_of = uid_of;
  state.keys = std::move(keys);
  state.programs = {{}, "", std::move(*distrust), std::move(verifiers->distrust)};
  state.inside.emplace(self, std::move(directory), std::move(archive));
  return {
      [self](const DoorFrame& frame) { self->state.enter(frame); },
      [](const CatchUp& question) { return question; },
      [self](const OpenGate& open) {
        self->state.calendar = caf::actor_cast<CalendarActor>(open.calendar);
      },
      [self](const PrecedenceChanged& news) { self->state.visitors.follow(news.precedence); },
      [self](const HooksChanged& news) {
        self->state.programs.hooks = news.hooks, self->state.programs.jsv_url = news.jsv_url;
      },
      [self](const Wake&) {
        self->state.reply_to_audited();
        self->state.serve_next();
      },
      [self](const Inspect&) {
        return ActorState{self->state.visitors.shown() + "refusals not written one by one: " +
                          std::to_string(audit_left_out()) + "\n"};
      },
  };
}

} // namespace

GateActor spawn_gate(caf::actor_system& system, const DirectoryActor& directory,
                     const ViewsActor& views, const ArchiveActor& archive, const FeedActor& feed,
                     const PricerActor& pricer, HookTrust distrust, GateVerifiers verifiers,
                     SharedKeys keys, UidOf uid_of) {
  return system.spawn(gate, directory, views, archive, feed, pricer,
                      std::make_shared<HookTrust>(std::move(distrust)),
                      std::make_shared<GateVerifiers>(std::move(verifiers)), std::move(keys),
                      uid_of);
}

} // namespace almanac
