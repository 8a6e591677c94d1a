// The messages between actors. All of them stay inside the process: they have no serializer, so
// nothing that comes in over the network can be one of them.
#pragma once

#include "actors/answer_frames.hpp"
#include "actors/store_messages.hpp"
#include "actors/ports/launcher.hpp"
#include "core/configuration/objects/reservation_hooks.hpp"
#include "core/records/effect.hpp"
#include "core/execution/common_files.hpp"
#include "core/execution/reconcile.hpp"
#include "core/policy/standing.hpp"
#include "core/planning/valid_input.hpp"
#include "schema/door/replies.hpp"
#include "schema/door/requests.hpp"
#include "schema/session_messages.hpp"

#include <caf/actor_addr.hpp>
#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/actor_control_block.hpp>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace almanac {

/// What crosses the network between two sessions: numbered from 1, acknowledged, holding one
/// encoded session::Envelope. Sequence 0 carries nothing but the acknowledgement (a heartbeat).
struct Packet {
  std::uint64_t sequence = 0;
  std::uint64_t acknowledged = 0;
  std::string content;
};

// ---- calendar ---------------------------------------------------------------------------------

/// A command with the id its client made: the same id and content get the same answer.
struct HandleCommand {
  Valid<Command> command;
  std::string request_id;
  std::string request_hash;
  std::shared_ptr<const std::string> script; ///< stored under its hash with the command
};
/// A fact or a moment. The sender need not know when it is durable.
struct Tell {
  ValidInput input;
};
struct Durable {};
/// A host is there, and has these tasks.
struct RegisterHost {
  std::string host;
  HostFacts facts;
  std::vector<Attempt> tasks;
  KeyClaim claim{};
  Rival rival = Rival::none;
};
/// What the records say about its tasks.
struct HostTasks {
  std::vector<WantedTask> wanted;
  std::vector<Attempt> over; ///< of those that it has: not wanted, and their end is known
  std::string refusal{};     ///< why the agent is not let in; "": it is
  std::string alarm{};       ///< what people should hear of; "": nothing
};
struct Ask {
  Caller caller;
  ValidQuestion question;
};
/// INTERNAL: go on with a pass that has more to start.
struct ContinuePass {};
/// INTERNAL: go on with a question that has more to look at.
struct ContinueInquiry {};

// ---- life cycles ------------------------------------------------------------------------------

/// What an order to launch a task needs beyond its records.
struct LaunchPlan {
  std::vector<session::Part> parts;
  std::vector<caf::strong_actor_ptr> hosts; ///< the actors of the parts' hosts
  std::string shell, shell_start_mode, prolog, epilog, pe_start, pe_stop;
  bool control_slaves = false, job_is_first_task = false, daemon_forks_slaves = false;
  session::Notice notice;
  std::string checkpoint_directory{};
  session::Methods methods;
  ReservationNumber reservation{}; ///< that it runs in: of a series, the occurrence; 0: none
  CheckpointPlan checkpoint{};
};
struct JobChanged {
  JobPtr job;
};
struct TaskChanged {
  TaskPtr task;
  std::optional<LaunchPlan> plan; ///< where it is to be launched; of all active ones at the start
};
struct TaskGone {
  std::int64_t number = 0;
};
struct JobGone {};
struct GetJobActor {
  JobNumber number;
};
struct GetHostActor {
  std::string host;
};
struct AwaitEnd {
  bool or_start = false;
};
/// What became of its tasks is in the store by then, but for those in the error state.
struct JobEnd {
  JobKey job;
  std::vector<AccountingRecord> in_error;
  bool runs = false; ///< it has not ended: a task of it runs
};

/// From a client that waits for its interactive job.
struct AwaitPlace {
  Caller caller;
};
struct PlaceForClient {
  door::Attachment attachment;
  std::string refusal{}; ///< "": there is one
};

struct ReservationChanged {
  ReservationPtr reservation;
};
struct ReservationGone {};

struct InstanceChanged {
  InstanceState state;
};

/// INTERNAL: look at the clock again. A hint; the state decides. Older generations are ignored.
struct Wake {
  std::int64_t generation = 0;
};

// ---- host -------------------------------------------------------------------------------------

/// The agent of this host is to have this task in this condition.
struct WantTask {
  std::shared_ptr<const session::Launch> order;
  bool launch = false; ///< false: it is known to run already
  bool kill = false;
  bool suspended = false;
  std::int64_t limit = 0;  ///< seconds, of one that ends with its reservation; 0: that of the order
  bool runs_again = false; ///< once it is killed
  bool gives_way = false;  ///< it is asked to end, for a reservation that preempts
};
struct UnwantTask {
  Attempt attempt;
};
struct HostSettings {
  Duration max_unheard{10};
  session::Registered agent{Duration{40}, LogLevel::warnings}; ///< what an agent is told
  std::vector<std::string> load_sensors{};                     ///< likewise, with a signature
  bool says_the_same(const HostSettings& other) const {
    return agent == other.agent && load_sensors == other.load_sensors;
  }
  bool operator==(const HostSettings&) const = default;
};
struct HostChanged {
  HostState state;
  HostSettings settings;
  HostKey key{};
};
/// The host is no exec host any more: its session ends, and the actor.
struct HostGone {};
/// Of the cell's common files, as the master has them.
using SharedCommonFiles = std::shared_ptr<const std::vector<CommonFileContent>>;
/// The sender is to hear of them: now, and when one has changed.
struct FollowCommonFiles {};
struct CommonFilesChanged {
  SharedCommonFiles files;
};
struct SessionUp {
  caf::strong_actor_ptr session;
  std::uint64_t id = 0;
  std::string peer{}; ///< who has proved to be at the other end
  KeyClaim claim{};   ///< with which key
};
struct SessionSaid {
  std::uint64_t id = 0;
  std::shared_ptr<const session::Message> message;
};
struct SessionDown {
  std::uint64_t id = 0;
  std::string reason;
  int silent = 0;       ///< seconds since the peer was heard last, or less
  bool refused = false; ///< by the peer
};
/// INTERNAL: one beat of the lease.
struct Beat {};

// ---- session ----------------------------------------------------------------------------------

/// To a session: put this into an envelope.
struct Say {
  session::Message message;
};
/// To a connecting session: the far side is reached, or not.
struct LinkUp {
  caf::strong_actor_ptr remote;
  std::string binding{}; ///< what both ends know of this channel only
};
struct LinkDown {
  std::string reason;
};
/// From a link, which reads no more of a connection until the answer is there.
struct CatchUp {};
/// From who has much to say: the answer comes when there is room for more.
struct AwaitRoom {};
struct GetHost {
  std::string name;
  KeyClaim claim{};
};
struct FoundHost {
  caf::strong_actor_ptr host; ///< nobody if it is refused
  std::string refusal{};
};

// ---- views, door, directory -------------------------------------------------------------------

/// Why records changed: an input, in words.
struct Cause {
  Sequence input;   ///< its number in the journal; 0: not known
  std::string what; ///< "": it changed nothing, or nobody wants to know
};
struct Publish {
  std::shared_ptr<const std::vector<std::vector<Effect>>> decided; ///< of each input, in order
  Instant now;
  /// Of each input, or none: for the views, who tell the log.
  std::shared_ptr<const std::vector<Cause>> causes{};
};
/// Numbers for people that nobody decides upon: never stored.
struct PublishLoad {
  std::string host;
  HostLoad load;
  std::string notice{}; ///< what an operator has to know of it
};
/// The same of the tasks that run there.
struct PublishUsage {
  std::string host;
  session::TaskUses said;
};
/// What is wrong with a host's agent, in a sentence; it holds until the next PublishLoad. Never
/// stored.
struct PublishNotice {
  std::string host;
  std::string text;
};
struct Query {
  Caller caller;
  door::RequestBody body;
};
struct QueryReply {
  std::shared_ptr<AnswerFrames> frames;
};
/// A reservation whose key is asked for or was shown: by its number, or by its key where that is
/// known (0: it is not).
struct FindReservation {
  Caller caller;
  ReservationNumber number;
  ReservationKey key{};
  OnBehalf whom{}; ///< for whom the caller asks
};
struct FoundReservation {
  std::shared_ptr<const Reservation> reservation; ///< nullptr: there is none
  bool is_callers = false;                        ///< or the caller is a manager
  Instant now;
};

// ---- doors ------------------------------------------------------------------------------------

/// A frame that came in at a door.
struct DoorFrame {
  std::int64_t connection = 0;
  Caller caller;
  std::string content;
  std::string binding{}; ///< what only the two ends of its TLS channel know; "" without TLS
};
/// A frame of the answer; `last` ends it. The last one without content ends a request to which
/// nothing is said. With `rest` the other frames are there for the taking, the last of them ends
/// it; where they have a `maker`, it makes the next one when it is told TakeFrame.
struct DoorReply {
  std::int64_t connection = 0;
  std::string content;
  bool last = true;
  std::shared_ptr<EncodedFrames> rest;
  caf::strong_actor_ptr maker{};
};
/// From whoever has a DoorReply to its maker: the next frame, as another DoorReply.
struct TakeFrame {
  std::int64_t connection = 0;
  std::shared_ptr<EncodedFrames> rest;
};
/// From whoever was given a DoorReply, to its maker: nobody wants the next frame any more.
struct ReaderGone {
  std::int64_t connection = 0;
};
/// To a door from a desk: a request of this connection is of a user who is known.
struct DoorVouched {
  std::int64_t connection = 0; ///< as in its frame
  std::string user;
};
/// To a gate: from now on there is somebody to ask.
struct OpenGate {
  caf::strong_actor_ptr calendar;
};

/// To a gate: who does not wait for the others.
struct PrecedenceChanged {
  Precedence precedence;
};
struct HooksChanged {
  ReservationHooks hooks;
  std::string jsv_url{}; ///< "": no job is verified
};

struct Inspect {
  bool json = false;
};
struct ActorState {
  std::string text;
};
struct Enlist {
  std::string kind;
  std::string name;
  std::uint64_t actor_id = 0;
  caf::actor_addr address;
};
struct GetActors {};
struct ActorList {
  std::vector<door::ActorView> actors;
};
struct InspectOne {
  std::int64_t actor = 0;
  bool json = false;
};

// ---- agent ------------------------------------------------------------------------------------

struct LauncherSaid {
  session::TaskReport report;
};
/// Who takes what a process of qrsh -inherit writes: a client at the local door, or a peer.
struct CallTaker {
  caf::strong_actor_ptr keeper; ///< of the local door, with the request's connection,
  std::int64_t connection = 0;
  caf::strong_actor_ptr guest; ///< or the session of the peer, with its number of the call
  std::int64_t peer_call = 0;
};
/// Start a process of this task here.
struct CallHere {
  InheritedStart start;
  CallTaker taker;
};
/// From the local door: start a process of this task on one of its hosts.
struct CallInherit {
  std::int64_t call = 0;
  door::Inherit request;
  CallTaker taker;
};
/// Standard input for a process of qrsh -inherit, and how much of its output has been taken.
struct CallInput {
  std::int64_t call = 0;
  std::string content;
  bool end = false;
  std::int64_t taken = 0;      ///< bytes since the last time
  TerminalSize terminal{0, 0}; ///< of the caller, where it has changed
};
/// Whoever asked for the process has gone, or lost it with their agent, and takes its slot as free.
struct CallHungUp {
  std::int64_t call = 0;
};
/// To a task: the master has its end, or wants it no more. Ends the actor.
struct TaskForgotten {};
/// From a task: whoever waited for it has given up, and it never came.
struct TaskIdle {
  Attempt attempt;
};
/// To the actor of another agent.
struct ToPeer {
  std::string host;
  std::string address;
  session::Message message;
};
struct TellPeer {
  std::string address; ///< where it is reached now
  session::Message message;
};
/// To a peer: a task has a part there: say so when it can't be reached. Until it is not watched.
struct WatchPart {
  std::string host;
  std::string address;
  Attempt attempt;
  bool watch = true;
};
struct PartUnreachable {
  Attempt attempt;
  std::string host;
};
/// To a sensor: measure now and then.
struct Measure {
  Duration period;
  bool of_tasks = false;                ///< what each uses, too
  Bytes sensors{}, sensors_signature{}; ///< which load sensors run: a SensorOrder; empty: none
};
struct LoadMeasured {
  HostLoad load;
};
struct UsageMeasured {
  session::TaskUses uses;
};
/// What the master has, and one of its files.
struct CommonFilesListed {
  session::CommonFiles list;
};
struct CommonFileCame {
  session::CommonFile file;
};
struct WantCommonFile {
  std::string name;
};
struct CallOutput {
  std::int64_t call = 0;
  std::string content;
  bool error = false;
  std::int64_t room = 0; ///< so many bytes more of its input may come
};
struct CallEnded {
  std::int64_t call = 0;
  ExitRecord record;
};

} // namespace almanac

ALMANAC_LOCAL_MESSAGE(Packet)
ALMANAC_LOCAL_MESSAGE(Answer)
ALMANAC_LOCAL_MESSAGE(HandleCommand)
ALMANAC_LOCAL_MESSAGE(Tell)
ALMANAC_LOCAL_MESSAGE(RegisterHost)
ALMANAC_LOCAL_MESSAGE(HostTasks)
ALMANAC_LOCAL_MESSAGE(Durable)
ALMANAC_LOCAL_MESSAGE(Ask)
ALMANAC_LOCAL_MESSAGE(ContinuePass)
ALMANAC_LOCAL_MESSAGE(ContinueInquiry)
ALMANAC_LOCAL_MESSAGE(TakeFrame)
ALMANAC_LOCAL_MESSAGE(JobChanged)
ALMANAC_LOCAL_MESSAGE(TaskChanged)
ALMANAC_LOCAL_MESSAGE(TaskGone)
ALMANAC_LOCAL_MESSAGE(JobGone)
ALMANAC_LOCAL_MESSAGE(GetJobActor)
ALMANAC_LOCAL_MESSAGE(GetHostActor)
ALMANAC_LOCAL_MESSAGE(AwaitEnd)
ALMANAC_LOCAL_MESSAGE(JobEnd)
ALMANAC_LOCAL_MESSAGE(AwaitPlace)
ALMANAC_LOCAL_MESSAGE(PlaceForClient)
ALMANAC_LOCAL_MESSAGE(ReservationChanged)
ALMANAC_LOCAL_MESSAGE(ReservationGone)
ALMANAC_LOCAL_MESSAGE(InstanceChanged)
ALMANAC_LOCAL_MESSAGE(Wake)
ALMANAC_LOCAL_MESSAGE(WantTask)
ALMANAC_LOCAL_MESSAGE(UnwantTask)
ALMANAC_LOCAL_MESSAGE(HostChanged)
ALMANAC_LOCAL_MESSAGE(HostGone)
ALMANAC_LOCAL_MESSAGE(FollowCommonFiles)
ALMANAC_LOCAL_MESSAGE(CommonFilesChanged)
ALMANAC_LOCAL_MESSAGE(SessionUp)
ALMANAC_LOCAL_MESSAGE(SessionSaid)
ALMANAC_LOCAL_MESSAGE(SessionDown)
ALMANAC_LOCAL_MESSAGE(Beat)
ALMANAC_LOCAL_MESSAGE(Say)
ALMANAC_LOCAL_MESSAGE(LinkUp)
ALMANAC_LOCAL_MESSAGE(LinkDown)
ALMANAC_LOCAL_MESSAGE(CatchUp)
ALMANAC_LOCAL_MESSAGE(AwaitRoom)
ALMANAC_LOCAL_MESSAGE(GetHost)
ALMANAC_LOCAL_MESSAGE(FoundHost)
ALMANAC_LOCAL_MESSAGE(Publish)
ALMANAC_LOCAL_MESSAGE(PublishLoad)
ALMANAC_LOCAL_MESSAGE(PublishUsage)
ALMANAC_LOCAL_MESSAGE(PublishNotice)
ALMANAC_LOCAL_MESSAGE(Query)
ALMANAC_LOCAL_MESSAGE(QueryReply)
ALMANAC_LOCAL_MESSAGE(FindReservation)
ALMANAC_LOCAL_MESSAGE(FoundReservation)
ALMANAC_LOCAL_MESSAGE(DoorFrame)
ALMANAC_LOCAL_MESSAGE(DoorReply)
ALMANAC_LOCAL_MESSAGE(DoorVouched)
ALMANAC_LOCAL_MESSAGE(ReaderGone)
ALMANAC_LOCAL_MESSAGE(OpenGate)
ALMANAC_LOCAL_MESSAGE(PrecedenceChanged)
ALMANAC_LOCAL_MESSAGE(HooksChanged)
ALMANAC_LOCAL_MESSAGE(Inspect)
ALMANAC_LOCAL_MESSAGE(ActorState)
ALMANAC_LOCAL_MESSAGE(Enlist)
ALMANAC_LOCAL_MESSAGE(GetActors)
ALMANAC_LOCAL_MESSAGE(ActorList)
ALMANAC_LOCAL_MESSAGE(InspectOne)
ALMANAC_LOCAL_MESSAGE(LauncherSaid)
ALMANAC_LOCAL_MESSAGE(CallHere)
ALMANAC_LOCAL_MESSAGE(CallInherit)
ALMANAC_LOCAL_MESSAGE(CallInput)
ALMANAC_LOCAL_MESSAGE(CallHungUp)
ALMANAC_LOCAL_MESSAGE(TaskForgotten)
ALMANAC_LOCAL_MESSAGE(TaskIdle)
ALMANAC_LOCAL_MESSAGE(ToPeer)
ALMANAC_LOCAL_MESSAGE(TellPeer)
ALMANAC_LOCAL_MESSAGE(WatchPart)
ALMANAC_LOCAL_MESSAGE(PartUnreachable)
ALMANAC_LOCAL_MESSAGE(Measure)
ALMANAC_LOCAL_MESSAGE(LoadMeasured)
ALMANAC_LOCAL_MESSAGE(UsageMeasured)
ALMANAC_LOCAL_MESSAGE(CommonFilesListed)
ALMANAC_LOCAL_MESSAGE(CommonFileCame)
ALMANAC_LOCAL_MESSAGE(WantCommonFile)
ALMANAC_LOCAL_MESSAGE(CallOutput)
ALMANAC_LOCAL_MESSAGE(CallEnded)
#undef ALMANAC_LOCAL_MESSAGE
