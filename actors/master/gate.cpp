#include "actors/master/gate.hpp"

#include "actors/audit.hpp"
#include "actors/master/inside.hpp"
#include "actors/master/visitors.hpp"
#include "actors/support.hpp"
#include "actors/trust/keyring.hpp"
#include "core/policy/standing.hpp"

#include <concepts>
#include <optional>
#include <utility>
#include <vector>

namespace almanac {

namespace {

constexpr std::int64_t retry_after_ms = 100;

template <class T, class... Kinds>
concept one_of = (std::same_as<T, Kinds> || ...);

template <class T>
concept asks_views = one_of<T, door::GetJobs, door::GetLines, door::GetReservations,
                            door::GetCluster, door::GetObjects, door::GetQuotas>;
template <class T>
concept looks_inside =
    one_of<T, door::ListActors, door::InspectActor, door::GetMessages, door::GetInputs>;

template <class T>
concept reads_archive = one_of<T, door::GetAccounting, door::GetUsage>;
template <class T>
concept asks_whether =
    one_of<T, door::AskSubmit, door::AskReserve, door::AskAlterReservation, door::AskConfigure>;
template <class T> bool wants_price(const T&) { return false; }
bool wants_price(const door::AskReserve& request) { return request.price; }
bool wants_price(const door::AskAlterReservation& request) { return request.price; }
AskPrice price_of(ValidQuestion question, const CalendarActor& calendar) {
  return {std::move(question), caf::actor_cast<caf::strong_actor_ptr>(calendar)};
}

template <class T>
concept belongs_to_agents = one_of<T, door::Inherit, door::InheritInput>;

VerifySubmit question_of(const Caller& caller, door::AskSubmit& request) {
  return {caller, std::move(request.command)};
}
VerifyReserve question_of(const Caller& caller, door::AskReserve& request) {
  return {caller, std::move(request.command), request.alternatives};
}
VerifyAlterReservation question_of(const Caller& caller, door::AskAlterReservation& request) {
  return {caller, std::move(request.command)};
}
VerifyConfigure question_of(const Caller& caller, door::AskConfigure& request) {
  return {caller, std::move(request.command)};
}

Answer refusal_of(const door::Inherit&) {
  return Answer::refusal("qrsh -inherit works on an execution host, inside a parallel job");
}
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
  return {{number, {}, {}, {}}, job, std::move(in_error)};
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
    const auto what = what_of(request.body);
    if (visit.request_id.empty() || visit.request_id.size() > 128)
      return refuse(visit, what,
                    Answer::refusal("a command needs a request id of 1 to 128 characters"));
    // Others are refused anyway.
    if (changes_the_cell(request.body) && visitors.is_first(visit.caller) &&
        !audit_ahead(visit.caller, visit.request_id, what))
      return refuse(visit, what,
                    Answer::refusal("the audit log cannot be written: nothing is configured"));
    // Others hear nothing of files.
    if (visitors.is_first(visit.caller))
      if (auto why = distrusted_hook(request.body, hooks, distrust); !why.empty())
        return refuse(visit, what, Answer::refusal("denied: " + why));
    auto script = script_out_of(request.body);
    if_valid(
        visit, what, Command{visit.caller, std::move(request.body)}, [&](Valid<Command> command) {
          ask(*calendar, visit,
              HandleCommand{std::move(command), visit.request_id, visit.frame_hash,
                            std::move(script)},
              [this, visit, what](const Answer& answer) { reply_audited(visit, what, answer); });
        });
  }

  void serve(const Visit& visit, asks_whether auto& request) {
    const bool with_price = wants_price(request);
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
    let_in(visit, [this, visit, request] { find_job(visit, request); });
  }
  void find_job(const Visit& visit, const door::AwaitJob& request) {
    self->request(*calendar, caf::infinite, GetJobActor{request.job})
        .then([this, visit,
               request](const caf::strong_actor_ptr& job) { await(visit, request.job, job); },
              [this, visit, request](const caf::error&) { // it has ended: accounting knows
                find_accounting(visit, end_of(request.job));
              });
  }
  void await(Visit visit, JobNumber number, const caf::strong_actor_ptr& job) {
    if (!visitors.rest(visit)) return reply(visit, door::Busy{retry_after_ms});
    wake_next();
    self->request(caf::actor_cast<JobActor>(job), caf::infinite, AwaitEnd{})
        .then(
            [this, visit, number](JobEnd& end) {
              visitors.wake(visit);
              find_accounting(visit, end_of(number, end.job, std::move(end.in_error)));
            },
            [this, visit, number](const caf::error&) { // it has ended since its actor was asked for
              visitors.wake(visit);
              find_accounting(visit, end_of(number));
            });
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
  HookTrust distrust;
  ReservationHooks hooks; ///< in force
  Visitors visitors;
  std::optional<Inside> inside;
  std::vector<std::pair<Visit, Answer>> audited; ///< answers that the audit log has not yet
};

GateActor::behavior_type gate(Watched<GateActor, GateState> self, DirectoryActor directory,
                              ViewsActor views, ArchiveActor archive, FeedActor feed,
                              PricerActor pricer, std::shared_ptr<HookTrust> distrust) {
  end_process_on_exception(self, "gate");
  enlist(self, directory, "gate", "");
  auto& state = self->state;
  state.views = std::move(views), state.archive = archive, state.feed = std::move(feed);
  state.pricer = std::move(pricer), state.distrust = std::move(*distrust);
  state.inside.emplace(self, std::move(directory), std::move(archive));
  return {
      [self](const DoorFrame& frame) { self->state.enter(frame); },
      [](const CatchUp& question) { return question; },
      [self](const OpenGate& open) {
        self->state.calendar = caf::actor_cast<CalendarActor>(open.calendar);
      },
      [self](const PrecedenceChanged& news) { self->state.visitors.follow(news.precedence); },
      [self](const HooksChanged& news) { self->state.hooks = news.hooks; },
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
                     const PricerActor& pricer, HookTrust distrust) {
  return system.spawn(gate, directory, views, archive, feed, pricer,
                      std::make_shared<HookTrust>(std::move(distrust)));
}

} // namespace almanac
