#include "actors/master/gate.hpp"

#include "actors/master/audit.hpp"
#include "actors/support.hpp"
#include "actors/trust/keyring.hpp"
#include "core/admission/turns.hpp"
#include "core/planning/in_words.hpp"
#include "core/policy/standing.hpp"
#include "schema/codec.hpp"
#include "schema/door_objection.hpp"

#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace almanac {

namespace {

constexpr std::int64_t most_of_a_user = 256; // requests in flight
constexpr std::int64_t most_of_all = 4096;
// The others wait for their user's turn. Root and managers find a place whoever else is here.
constexpr std::size_t most_in_service = 128, kept_in_service = 8;
constexpr std::int64_t kept_in_flight = 64;
constexpr std::int64_t most_at_rest = 8192; // of a user: they wait for the end of a job
// An agent brings requests of whomever it names: all that come through it have the share of one
// user, once there are many.
constexpr Share::Limits brought_in_flight{most_of_all, kept_in_flight, 64, 16};
constexpr Share::Limits brought_to_rest{1u << 20, 0, 8192, 128};
constexpr std::int64_t retry_after_ms = 100;

// One request, from its frame to the last frame of its answer.
struct Visit {
  std::int64_t connection = 0;
  Caller caller;
  caf::strong_actor_ptr keeper;
  std::string request_id;
  std::string frame_hash;
  std::int64_t version = 1; ///< of the door's protocol, as it is known there
  bool at_rest = false;     ///< waits for something that may take days: in nobody's way
  Share::Rank place = Share::Rank::ordinary; ///< where it is served
};

struct Pending {
  Visit visit;
  door::RequestBody body;
};

struct GateState {
  static inline const char* name = "gate";
  explicit GateState(GateActor::pointer self) : self(self) {}

  void enter(const DoorFrame& frame) {
    Visit visit;
    visit.connection = frame.connection, visit.caller = frame.caller;
    visit.keeper = self->current_sender();
    visit.at_rest = true; // until it is counted
    auto request = decode<door::Request>(frame.content);
    if (!request)
      return refuse(visit, "sends a request",
                    Answer::refusal("the request can't be read: " + request.what()));
    visit.request_id = request->id, visit.version = request->version;
    if (request->version > door::protocol_version + 1 || request->version < 1)
      return refuse(visit, "sends a request",
                    Answer::refusal("protocol version " + std::to_string(request->version) +
                                    " is not supported, only up to " +
                                    std::to_string(door::protocol_version + 1)));
    if (const auto refusal = door::objection(request->body))
      return refuse(visit, what_of(request->body), *refusal);
    const auto rank =
        precedence.is_first(frame.caller) ? Share::Rank::first : Share::Rank::ordinary;
    const auto room = most_of_all - (rank == Share::Rank::first ? 0 : kept_in_flight);
    if (!calendar || in_flight >= room || count(of_user, frame.caller.uid) >= most_of_a_user ||
        !takes_its_share(frame.caller, rank)) {
      ++turned_away;
      return reply(visit, door::Busy{retry_after_ms});
    }
    visit.frame_hash = sha256(frame.content);
    visit.at_rest = false;
    ++in_flight, ++of_user[frame.caller.uid];
    turns.add(frame.caller.uid, rank, {std::move(visit), std::move(request->body)});
    serve_next();
  }

  // Those who knock at a door of the master are counted there by whom the kernel knows.
  bool takes_its_share(const Caller& caller, Share::Rank rank) {
    return caller.through != agent_on(caller.host) || brought.take(caller.through, 1, rank);
  }

  // Asked of somebody who is not counted, it leaves nothing behind.
  static std::int64_t count(const std::map<std::int64_t, std::int64_t>& of, std::int64_t uid) {
    const auto it = of.find(uid);
    return it == of.end() ? 0 : it->second;
  }

  // Users take turns, so that nobody waits for more than one request of each other user.
  void serve_next() {
    while (auto turn = turns.next()) {
      auto& [visit, body] = turn->entry;
      visit.place = turn->place;
      std::visit([&visit = visit, this](auto& request) { serve(visit, request); }, body);
    }
  }

  // ---- answers --------------------------------------------------------------------------------

  void reply(const Visit& visit, door::ReplyBody body) {
    const door::Reply whole{true, readable(std::move(body), visit.version)};
    send(visit, DoorReply{0, encode(whole), true, nullptr});
  }

  void refuse(const Visit& visit, const std::string& what, const Answer& answer) {
    reply_audited(visit, what, answer);
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

  // No more of it is kept until the answer than the audit log could show.
  static std::string what_of(const CommandBody& command) {
    return in_words(command).substr(0, 256);
  }
  static std::string what_of(const door::RequestBody& body) {
    const auto* run = std::get_if<door::RunCommand>(&body);
    return run ? what_of(run->body) : "asks";
  }

  void send(const Visit& visit, DoorReply reply) {
    reply.connection = visit.connection;
    self->send(caf::actor_cast<DoorKeeperActor>(visit.keeper), std::move(reply));
    if (!visit.at_rest) leave(visit);
  }

  void leave(const Visit& visit) {
    --in_flight;
    turns.leave(visit.place);
    if (--of_user[visit.caller.uid] == 0) of_user.erase(visit.caller.uid);
    brought.give_back(visit.caller.through, 1);
    // Not from within: a row of refusals would be a stack of them.
    if (turns.size() > 0) self->send(self, Wake{});
  }

  void reply_all(const Visit& visit, std::shared_ptr<AnswerFrames> frames) {
    auto rest = std::make_shared<EncodedFrames>(std::move(frames), visit.version);
    auto first = *rest->next();
    const bool last = rest->is_over();
    send(visit, DoorReply{0, std::move(first), last, last ? nullptr : std::move(rest)});
  }

  // ---- requests -------------------------------------------------------------------------------

  void serve(const Visit& visit, door::RunCommand& request) {
    const auto what = what_of(request.body);
    if (visit.request_id.empty() || visit.request_id.size() > 128)
      return refuse(visit, what,
                    Answer::refusal("a command needs a request id of 1 to 128 characters"));
    // Others are refused anyway.
    if (changes_the_cell(request.body) && precedence.is_first(visit.caller) &&
        !audit_ahead(visit.caller, visit.request_id, what))
      return refuse(visit, what,
                    Answer::refusal("the audit log cannot be written: nothing is configured"));
    std::shared_ptr<std::string> script;
    if (auto* submit = std::get_if<Submit>(&request.body)) {
      script = std::make_shared<std::string>(std::move(submit->request.script.content));
      submit->request.script.content.clear();
      submit->script_hash = script->empty() ? "" : sha256(*script);
      submit->script_bytes = static_cast<std::int64_t>(script->size());
    }
    if_valid(visit, what, Command{visit.caller, std::move(request.body)},
             [&](Valid<Command> command) {
               ask_calendar(visit,
                            HandleCommand{std::move(command), visit.request_id, visit.frame_hash,
                                          std::move(script)},
                            [this, visit, what](const Answer& answer) {
                              reply_audited(visit, what, answer);
                            });
             });
  }

  void serve(const Visit& visit, door::AskSubmit& request) {
    ask_about(visit, VerifySubmit{visit.caller, std::move(request.command)});
  }
  void serve(const Visit& visit, door::AskReserve& request) {
    ask_about(visit, VerifyReserve{visit.caller, std::move(request.command)});
  }
  template <class Question> void ask_about(const Visit& visit, Question question) {
    if_valid(visit, "asks", std::move(question), [&](const Valid<Question>& valid) {
      ask_calendar(visit, Ask{visit.caller, valid});
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
      ask_calendar(visit, Ask{visit.caller, ExplainJob{request.job, request.alternatives}});
    });
  }

  template <class Message> void ask_calendar(const Visit& visit, Message message) {
    ask_calendar(visit, std::move(message),
                 [this, visit](const Answer& answer) { reply(visit, answer); });
  }
  template <class Message, class Use>
  void ask_calendar(const Visit& visit, Message message, Use use) {
    self->request(*calendar, caf::infinite, std::move(message))
        .then(std::move(use), [this, visit](const caf::error&) {
          reply(visit, Answer::refusal("the calendar did not answer"));
        });
  }

  // Hosts that do not belong to the cell hear nothing of it: planner and views look themselves.
  template <class Serve> void let_in(const Visit& visit, Serve serve) {
    ask_calendar(visit, Ask{visit.caller, MayEnter{visit.caller}},
                 [this, visit, serve](const Answer& answer) {
                   answer.exit_code == 0 ? serve() : refuse(visit, "asks", answer);
                 });
  }

  void serve(const Visit& visit, const door::GetJobs& query) { ask_views(visit, query); }
  void serve(const Visit& visit, const door::GetLines& query) { ask_views(visit, query); }
  void serve(const Visit& visit, const door::GetReservations& query) { ask_views(visit, query); }
  void serve(const Visit& visit, const door::GetCluster& query) { ask_views(visit, query); }
  void serve(const Visit& visit, const door::GetObjects& query) { ask_views(visit, query); }

  void ask_views(const Visit& visit, door::RequestBody query) {
    self->request(views, caf::infinite, Query{visit.caller, std::move(query)})
        .then([this, visit](const QueryReply& found) { reply_all(visit, found.frames); });
  }

  void serve(const Visit& visit, const door::GetAccounting& request) {
    let_in(visit, [this, visit, request] { find_accounting(visit, {request.filter, {}, {}}); });
  }
  void find_accounting(const Visit& visit, AccountingQuery query) {
    self->request(archive, caf::infinite,
                  FindAccounting{std::move(query), visit.caller.uid, visit.version})
        .then([this, visit](DoorReply& first) { send(visit, std::move(first)); });
  }

  void serve(const Visit& visit, const door::AwaitJob& request) {
    let_in(visit, [this, visit, request] { find_job(visit, request); });
  }
  void find_job(const Visit& visit, const door::AwaitJob& request) {
    self->request(*calendar, caf::infinite, GetJobActor{{request.job}})
        .then([this, visit,
               request](const caf::strong_actor_ptr& job) { await(visit, {request.job}, job); },
              [this, visit, request](const caf::error&) { look_back(visit, {request.job}); });
  }
  void await(Visit visit, JobNumber number, const caf::strong_actor_ptr& job) {
    const auto& through = visit.caller.through;
    if (count(at_rest, visit.caller.uid) >= most_at_rest ||
        (through == agent_on(visit.caller.host) && !resting.take(through, 1)))
      return reply(visit, door::Busy{retry_after_ms});
    ++at_rest[visit.caller.uid];
    leave(visit);
    visit.at_rest = true;
    self->request(caf::actor_cast<JobActor>(job), caf::infinite, AwaitEnd{})
        .then(
            [this, visit, number](JobEnd& end) {
              wake(visit);
              find_accounting(visit, {{number, {}, {}, {}}, end.job, std::move(end.in_error)});
            },
            [this, visit, number](const caf::error&) { // it has ended since its actor was asked for
              wake(visit);
              look_back(visit, number);
            });
  }
  void wake(const Visit& visit) {
    if (--at_rest[visit.caller.uid] == 0) at_rest.erase(visit.caller.uid);
    resting.give_back(visit.caller.through, 1);
  }
  // The job has ended: accounting knows.
  void look_back(const Visit& visit, JobNumber number) {
    find_accounting(visit, {{number, {}, {}, {}}, {}, {}});
  }

  // ---- the inside -----------------------------------------------------------------------------

  void serve(const Visit& visit, const door::ListActors& request) { let_look(visit, request); }
  void serve(const Visit& visit, const door::InspectActor& request) { let_look(visit, request); }
  void serve(const Visit& visit, const door::GetMessages& request) { let_look(visit, request); }
  void serve(const Visit& visit, const door::GetInputs& request) { let_look(visit, request); }

  template <class Request> void let_look(const Visit& visit, const Request& request) {
    ask_calendar(visit, Ask{visit.caller, MayLookInside{visit.caller}},
                 [this, visit, request](const Answer& answer) {
                   answer.exit_code == 0 ? look(visit, request)
                                         : refuse(visit, "looks inside", answer);
                 });
  }

  void look(const Visit& visit, const door::ListActors&) {
    self->request(directory, caf::infinite, GetActors{}).then([this, visit](const ActorList& list) {
      reply(visit, door::Actors{list.actors});
    });
  }
  void look(const Visit& visit, const door::InspectActor& request) {
    self->request(directory, std::chrono::seconds(5), InspectOne{request.actor, request.json})
        .then(
            [this, visit](const ActorState& state) {
              reply(visit, door::Output{{state.text}, false});
            },
            [this, visit, request](const caf::error&) {
              reply(visit, Answer::refusal("actor " + std::to_string(request.actor) +
                                           " does not exist or did not answer"));
            });
  }
  void look(const Visit& visit, const door::GetMessages& request) {
    reply(visit, door::TracedMessages{message_trace().read(
                     static_cast<std::uint64_t>(request.actor), request.after)});
  }
  void look(const Visit& visit, const door::GetInputs& request) {
    self->request(archive, caf::infinite, GetInputSummaries{request.after})
        .then([this, visit](const InputSummaries& found) {
          reply(visit, door::InputSummaries{found.inputs});
        });
  }
  void serve(const Visit& visit, const door::Inherit&) {
    reply(visit,
          Answer::refusal("qrsh -inherit works on an execution host, inside a parallel job"));
  }

  void serve(const Visit& visit, const door::InheritInput&) {
    reply(visit, Answer::refusal("no process is waiting for this input"));
  }

  ActorState inspect() {
    std::string text = "in_flight: " + std::to_string(in_flight) +
                       "\nin_service: " + std::to_string(turns.served()) +
                       "\nin_service at places kept for root and managers: " +
                       std::to_string(turns.served_at_kept_places()) +
                       "\nwaiting for a turn: " + std::to_string(turns.size()) +
                       "\nturned_away: " + std::to_string(turned_away) +
                       "\nrefusals not written one by one: " + std::to_string(audit_left_out()) +
                       "\n";
    for (const auto& [uid, count] : of_user)
      text += "in_flight of uid " + std::to_string(uid) + ": " + std::to_string(count) + "\n";
    for (const auto& [uid, count] : at_rest)
      text += "waiting for jobs, uid " + std::to_string(uid) + ": " + std::to_string(count) + "\n";
    return {text};
  }

  GateActor::pointer self;
  std::optional<CalendarActor> calendar;
  DirectoryActor directory;
  ViewsActor views;
  ArchiveActor archive;
  Precedence precedence;
  Turns<std::int64_t, Pending> turns{{most_in_service, kept_in_service}}; ///< by uid
  std::int64_t in_flight = 0, turned_away = 0;
  std::vector<std::pair<Visit, Answer>> audited; ///< answers that the audit log has not yet
  std::map<std::int64_t, std::int64_t> of_user, at_rest;
  Share brought{brought_in_flight}, resting{brought_to_rest}; ///< by agent
};

GateActor::behavior_type gate(Watched<GateActor, GateState> self, DirectoryActor directory,
                              ViewsActor views, ArchiveActor archive) {
  end_process_on_exception(self, "gate");
  enlist(self, directory, "gate", "");
  auto& state = self->state;
  state.directory = std::move(directory), state.views = std::move(views),
  state.archive = std::move(archive);
  return {
      [self](const DoorFrame& frame) { self->state.enter(frame); },
      [](const CatchUp& question) { return question; },
      [self](const OpenGate& open) {
        self->state.calendar = caf::actor_cast<CalendarActor>(open.calendar);
      },
      [self](const PrecedenceChanged& news) { self->state.precedence = news.precedence; },
      [self](const Wake&) {
        self->state.reply_to_audited();
        self->state.serve_next();
      },
      [self](const Inspect&) { return self->state.inspect(); },
  };
}

} // namespace

GateActor spawn_gate(caf::actor_system& system, const DirectoryActor& directory,
                     const ViewsActor& views, const ArchiveActor& archive) {
  return system.spawn(gate, directory, views, archive);
}

} // namespace almanac
