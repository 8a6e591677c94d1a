// The map of the system: every actor and every message it understands, a sentence each.
//
// Requests go down (gate -> calendar -> journal), events go up. Nobody awaits a peer. Every actor
// answers Inspect with its state in readable form.
#pragma once

#include "actors/messages.hpp"

#include <caf/typed_actor.hpp>

namespace almanac {

using InspectPart = caf::replies_to<Inspect>::with<ActorState>;

/// CALENDAR: the planner behind its mailbox. Each input goes to the journal and, once durable, its
/// decisions go out in the journal's order.
using CalendarActor = caf::typed_actor<
    // Decides a user's command; the answer comes when it is durable. A known request id gets its
    // first answer.
    caf::replies_to<HandleCommand>::with<Answer>,
    // Takes a fact or a moment.
    caf::reacts_to<Tell>,
    // Takes the fact that a host is there; answered, when it is durable, with what it should have.
    caf::replies_to<RegisterHost>::with<HostTasks>,
    // Answers a question on a state that was there since it came; nothing is journaled. Inputs are
    // handled in between where that takes long.
    caf::replies_to<Ask>::with<Answer>,
    // Names the actor of a host, for a session that has proved to have the key of its agent; or
    // says why there is none for it.
    caf::replies_to<GetHost>::with<FoundHost>,
    // Names the actor of a job by its number; an error if there is none.
    caf::replies_to<GetJobActor>::with<caf::strong_actor_ptr>,
    // The same of a host, for hooks that are to be run there.
    caf::replies_to<GetHostActor>::with<caf::strong_actor_ptr>,
    // Hands out all records, for who goes on from them by itself.
    caf::replies_to<GetRecords>::with<RecordsNow>,
    // Takes a snapshot of the store for a checkpoint, and goes on as after a restart.
    caf::reacts_to<WantCheckpoint>,
    // INTERNAL: the pass has more to start.
    caf::reacts_to<ContinuePass>,
    // INTERNAL: a question has more to look at.
    caf::reacts_to<ContinueInquiry>,
    // INTERNAL: the heartbeat of what depends on time alone.
    caf::reacts_to<Wake>, InspectPart>;

/// JOURNAL: the only writer of the store. In a daemon it has a thread of its own.
using JournalActor = caf::typed_actor<
    // Makes a batch durable, or ends the process.
    caf::replies_to<CommitBatch>::with<Durable>, InspectPart>;

/// ARCHIVE: reads the store beside the journal, and has removed what was kept long enough. In a
/// daemon it has a thread of its own.
using ArchiveActor = caf::typed_actor<
    // Reads a script by its hash.
    caf::replies_to<GetScript>::with<ScriptContent>,
    // Reads accounting records: answered with the first frame.
    caf::replies_to<FindAccounting>::with<DoorReply>,
    // Reads inputs: answered with the first frame.
    caf::replies_to<FindInputs>::with<DoorReply>,
    // Sums up what became of each slot-second: answered with the first frame.
    caf::replies_to<FindUsage>::with<DoorReply>,
    // Makes the next frame for the sender, who hears a DoorReply. One whose reader has gone is not
    // asked for any more.
    caf::reacts_to<TakeFrame>, caf::reacts_to<ReaderGone>,
    // How long records are kept.
    caf::reacts_to<RetentionsChanged>,
    // A checkpoint is to be made of this.
    caf::reacts_to<SnapshotTaken>,
    // INTERNAL: the next reader's turn.
    caf::reacts_to<Wake>,
    // INTERNAL: look for what is to be removed.
    caf::reacts_to<Beat>, InspectPart>;

/// RESERVATION: waits for one reservation's start, end and held_until, and says so.
using ReservationActor = caf::typed_actor<
    // The record has changed.
    caf::reacts_to<ReservationChanged>,
    // The record is gone; ends the actor.
    caf::reacts_to<ReservationGone>,
    // INTERNAL: look at the clock again.
    caf::reacts_to<Wake>, InspectPart>;

/// JOB: waits for one job: its execution time, its launches, its overdue tasks, those who wait for
/// its end.
using JobActor = caf::typed_actor<
    // The record has changed.
    caf::reacts_to<JobChanged>,
    // The record of one of its tasks has changed, or is gone.
    caf::reacts_to<TaskChanged>, caf::reacts_to<TaskGone>,
    // The record is gone; ends the actor.
    caf::reacts_to<JobGone>,
    // Answers when the job is gone, or when all that is left of it is in the error state; to who
    // wants to know that, also when a task runs.
    caf::replies_to<AwaitEnd>::with<JobEnd>,
    // Answers when an interactive job has its place: with what attaches its client to it.
    caf::replies_to<AwaitPlace>::with<PlaceForClient>,
    // INTERNAL: look at the clock again.
    caf::reacts_to<Wake>, InspectPart>;

/// QUEUE INSTANCE: a queue on a host, its condition as people see it.
using QueueInstanceActor = caf::typed_actor<
    // The record has changed.
    caf::reacts_to<InstanceChanged>, InspectPart>;

/// HOST: one execution host: the session with its agent, its lease, what its agent is to run.
using HostActor = caf::typed_actor<
    // The record or the settings have changed.
    caf::reacts_to<HostChanged>,
    // The agent is to have this task in this condition; repeated until it has.
    caf::reacts_to<WantTask>,
    // The agent is to end and forget this attempt.
    caf::reacts_to<UnwantTask>,
    // It is no exec host any more.
    caf::reacts_to<HostGone>,
    // From hooks: a program of the site is to be run there; answered when it has ended, or cannot be run.
    caf::replies_to<RunHook>::with<HookRan>,
    // INTERNAL: such a program has had its time.
    caf::reacts_to<HookOverdue>,
    // The cell's common files are these now.
    caf::reacts_to<CommonFilesChanged>,
    // A session has proved to have the key of this host's agent.
    caf::reacts_to<SessionUp>,
    // The agent said something, or gave a sign of life.
    caf::reacts_to<SessionSaid>,
    // The session is lost.
    caf::reacts_to<SessionDown>,
    // From the gate: an answer for somebody at the agent's door.
    caf::reacts_to<DoorReply>,
    // INTERNAL: a beat of the lease.
    caf::reacts_to<Beat>, InspectPart>;

/// COMMON FILES: looks now and then at the files that commands read defaults from. In a daemon it has
/// a thread of its own.
using CommonFilesActor = caf::typed_actor<
    // The sender, a host, is told of them from now on.
    caf::reacts_to<FollowCommonFiles>,
    // INTERNAL: look again.
    caf::reacts_to<Wake>, InspectPart>;

/// SITE FILES: looks now and then at the files that the planner goes by, and tells the calendar what
/// they say. In a daemon it has a thread of its own.
using SiteFilesActor = caf::typed_actor<
    // INTERNAL: look again.
    caf::reacts_to<Wake>, InspectPart>;

/// WIRE: what a session knows as its far side: carries packets there, and none from elsewhere.
using WireActor = caf::typed_actor<caf::reacts_to<Packet>>;

/// SESSION: one side of a connection between two processes of the cell. Proves who both are,
/// numbers, acknowledges and repeats packets, and hands messages to its owner.
using SessionActor = caf::typed_actor<
    // From the network.
    caf::reacts_to<Packet>,
    // From the link: whether all that it has handed over was heard; answered when it was.
    caf::replies_to<CatchUp>::with<CatchUp>,
    // The far side is reached: begin.
    caf::reacts_to<LinkUp>,
    // It is not.
    caf::reacts_to<LinkDown>,
    // Send this.
    caf::reacts_to<Say>,
    // Whether the far side has taken most of what was said; answered when it has.
    caf::replies_to<AwaitRoom>::with<AwaitRoom>,
    // INTERNAL: acknowledge, repeat, notice silence.
    caf::reacts_to<Beat>, InspectPart>;

/// VIEWS: committed state for readers. Never asks anybody.
using ViewsActor = caf::typed_actor<
    // Takes over what has become durable.
    caf::reacts_to<Publish>,
    // Takes over measured numbers.
    caf::reacts_to<PublishLoad>, caf::reacts_to<PublishUsage>,
    // Takes over what people are to know of a host.
    caf::reacts_to<PublishNotice>,
    // Answers a query.
    caf::replies_to<Query>::with<QueryReply>,
    // Finds the reservation that a key is of.
    caf::replies_to<FindReservation>::with<FoundReservation>,
    // Shows what became of objects that have changed.
    caf::replies_to<GetChanged>::with<QueryReply>, InspectPart>;

/// FEED: tells subscribers what changes, in the order of the journal. In a daemon it has a thread of
/// its own.
using FeedActor = caf::typed_actor<
    // Takes over what has become durable.
    caf::reacts_to<PublishChanges>,
    // Begins a subscription: answered with its first frame, or with why there is none.
    caf::replies_to<Follow>::with<DoorReply>,
    // Makes the next frame for the sender, who hears a DoorReply once there is something to tell.
    caf::reacts_to<TakeFrame>,
    // Ends a subscription.
    caf::reacts_to<ReaderGone>,
    // INTERNAL: who was told nothing for a while hears that.
    caf::reacts_to<Beat>, InspectPart>;

/// FRAME MAKER: the part of archive and feed that whoever keeps a door uses.
using FrameMakerActor = caf::typed_actor<caf::reacts_to<TakeFrame>, caf::reacts_to<ReaderGone>>;

/// EXPORTER: writes the accounting file behind the store, without gap or double.
using ExporterActor = caf::typed_actor<caf::reacts_to<Publish>,
                                       // Appended to the schedule trace.
                                       caf::reacts_to<ScheduleRun>,
                                       // INTERNAL: what was gathered is to be written.
                                       caf::reacts_to<Wake>, InspectPart>;

/// POSTMAN: takes letters from the store to the mailer, each at least once.
using PostmanActor = caf::typed_actor<caf::reacts_to<Publish>,
                                      // INTERNAL: a letter that did not go is to be tried again.
                                      caf::reacts_to<Wake>, InspectPart>;

/// PRICER: says what a reservation would cost others; one after the other, in a thread of its own.
using PricerActor = caf::typed_actor<caf::replies_to<AskPrice>::with<Answer>, InspectPart>;

/// HOOKS: runs the site's programs for what happens to reservations, each at least once.
using HooksActor = caf::typed_actor<caf::reacts_to<Publish>,
                                    // Whom it tells how they ended.
                                    caf::reacts_to<MeetCalendar>,
                                    // INTERNAL: one has been run.
                                    caf::reacts_to<HookRan>, InspectPart>;

/// VERIFIERS: asks the JSV of the cell about jobs, four at a time.
using VerifiersActor = caf::typed_actor<caf::replies_to<VerifyJob>::with<JobVerified>,
                                        caf::reacts_to<JsvEnded>, InspectPart>;

/// GATE: behind all doors: decodes requests, hands them on, encodes the answers.
using GateActor = caf::typed_actor<
    // Answered by one or more DoorReply to the sender.
    caf::reacts_to<DoorFrame>,
    // From a door: whether all its frames were heard; answered when they were.
    caf::replies_to<CatchUp>::with<CatchUp>,
    // The calendar is there; before, everybody is told to come again.
    caf::reacts_to<OpenGate>,
    // Places are kept for these.
    caf::reacts_to<PrecedenceChanged>,
    // The hooks and the JSV that are configured: whoever leaves them alone need not answer for them.
    caf::reacts_to<HooksChanged>,
    // INTERNAL: a request has been answered, somebody else's turn has come.
    caf::reacts_to<Wake>, InspectPart>;

/// Whoever hands frames to a gate takes its replies.
using DoorKeeperActor = caf::typed_actor<caf::reacts_to<DoorReply>>;

/// DIRECTORY: who is alive in this process.
using DirectoryActor = caf::typed_actor<
    // An actor has come to life; it is dropped when it ends.
    caf::reacts_to<Enlist>,
    // Lists them.
    caf::replies_to<GetActors>::with<ActorList>,
    // Asks one of them for its state.
    caf::replies_to<InspectOne>::with<ActorState>>;

/// The part of every enlisted actor that the directory uses.
using InspectableActor = caf::typed_actor<InspectPart>;

/// AGENT: one execution host's side: its session with the master, its list of tasks, its door.
/// Hands on between the master and the actors below.
using AgentActor = caf::typed_actor<
    // From its session with the master, and from the sessions that other agents began.
    caf::reacts_to<SessionUp>, caf::reacts_to<SessionSaid>, caf::reacts_to<SessionDown>,
    // From the launcher: what became of a task.
    caf::reacts_to<LauncherSaid>,
    // From the launcher or a peer: what a process of qrsh -inherit wrote, and its end.
    caf::reacts_to<CallOutput>, caf::reacts_to<CallEnded>,
    // From the local door: relayed to the master, or served here.
    caf::reacts_to<DoorFrame>, caf::replies_to<CatchUp>::with<CatchUp>,
    // From the local door: a client of such a process has gone.
    caf::reacts_to<ReaderGone>,
    // From a task that never came: nobody waits for it any more.
    caf::reacts_to<TaskIdle>,
    // From a task: for another agent.
    caf::reacts_to<ToPeer>, caf::reacts_to<WatchPart>,
    // From a peer: a part's host can't be reached.
    caf::reacts_to<PartUnreachable>,
    // From the sensor.
    caf::reacts_to<LoadMeasured>, caf::reacts_to<UsageMeasured>,
    // From the copies of common files: the master is to be asked for one.
    caf::reacts_to<WantCommonFile>,
    // INTERNAL: connect again.
    caf::reacts_to<Wake>, caf::reacts_to<Beat>, InspectPart>;

/// TASK: one attempt on this host: its processes beside the job's own, and its parts elsewhere.
using TaskActor = caf::typed_actor<
    // The launcher has news of it.
    caf::reacts_to<LauncherSaid>,
    // A process of qrsh -inherit is to run here, or wherever the request says.
    caf::reacts_to<CallHere>, caf::reacts_to<CallInherit>,
    // Its processes read, write and end.
    caf::reacts_to<CallInput>, caf::reacts_to<CallOutput>, caf::reacts_to<CallEnded>,
    // Whoever asked for one has gone.
    caf::reacts_to<CallHungUp>,
    // The agent drops it; ends the actor.
    caf::reacts_to<TaskForgotten>,
    // INTERNAL: who waits for the task to be spooled, or the task for its client, has waited long enough.
    caf::reacts_to<Wake>, InspectPart>;

/// PEER: another agent: the session that begins here, calls that run there, parts that lie there.
using PeerActor = caf::typed_actor<
    // Say this, once the session is open.
    caf::reacts_to<TellPeer>,
    // Keep an eye on it for a task.
    caf::reacts_to<WatchPart>,
    // From the session.
    caf::reacts_to<SessionUp>, caf::reacts_to<SessionSaid>, caf::reacts_to<SessionDown>,
    // INTERNAL: connect again.
    caf::reacts_to<Wake>, InspectPart>;

/// SENSOR: measures the load of the machine for the agent.
using SensorActor = caf::typed_actor<
    // Measure now, and then with this period.
    caf::reacts_to<Measure>,
    // INTERNAL: the next measurement; what tasks use has been measured.
    caf::reacts_to<Wake>, caf::reacts_to<Beat>, InspectPart>;

/// COMMON COPIES: an agent's copies of the cell's common files.
using CommonCopiesActor = caf::typed_actor<
    // The master has these: asks for what differs, removes what is gone.
    caf::reacts_to<CommonFilesListed>,
    // One that was asked for.
    caf::reacts_to<CommonFileCame>, InspectPart>;

} // namespace almanac
