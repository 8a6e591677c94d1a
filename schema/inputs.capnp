# Inputs of the planner, as journaled and as commands travel.
#
# Rules: fields are only added, at the end and with new numbers; an enumeration is a number whose
# order never changes; a missing field reads as 0, so 0 is the plain case. See schema/README.md.
@0xe4e3251edb9aa65c;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("almanac::wire");
using Records = import "records.capnp";

struct Submit {
  request @0 :Records.JobRequest;
  scriptHash @1 :Text;
  scriptBytes @2 :Int64;
  verifiedBy @3 :Text;
}

struct DeleteJobs {
  targets @0 :List(Text);
  tasks @1 :List(Records.TaskRange);
  users @2 :List(Text);
  force @3 :Bool;
}

struct ChangeHold {
  targets @0 :List(Text);
  users @1 :List(Text);
  heldByUser @2 :Bool;
  heldByOperator @3 :Bool;
  heldBySystem @4 :Bool;
  release @5 :Bool;
  tasks @6 :List(Records.TaskRange);
}

struct ClearJobErrors {
  targets @0 :List(Text);
}

struct ModifyQueues {
  action @0 :UInt16;
  targets @1 :List(Text);
  force @2 :Bool;
  why @3 :Text;
  until @4 :Int64;
}

struct ModifyJobs {
  action @0 :UInt16;
  targets @1 :List(Text);
  force @2 :Bool;
  orQueues @3 :Bool;
}

struct Reserve {
  request @0 :Records.ReservationRequest;
  overrideHolds @1 :Bool;
  explain @2 :Bool;
  fromJob @3 :Int64;
  offerFor @4 :Int64;
  offerKinds @5 :List(Text);
  force @6 :Bool;
  recurrence @7 :Records.Recurrence;
}

struct DeleteReservations {
  targets @0 :List(Text);
  users @1 :List(Text);
  force @2 :Bool;
  rest @3 :Bool;
}

struct PrepareReservation {
  transaction @0 :Text;
  number @1 :Int64;
  removal @2 :Bool;
  request @3 :Records.ReservationRequest;
  holdFor @4 :Int64;
  verb @5 :UInt16;
  sealedSecret @6 :Text;
  withKey @7 :Bool;
  atOnce @8 :Bool;
  withinHorizon @9 :Bool;
}

struct SettleReservation {
  transaction @0 :Text;
  number @1 :Int64;
  commit @2 :Bool;
}

struct Configure {
  change @0 :Records.ConfigurationChange;
}

struct ConfigureAll {
  changes @0 :List(Records.ConfigurationChange);
}

struct AddHost {
  host @0 :Text;
  slots @1 :Int64;
}

struct ChangeHostKey {
  action @0 :UInt16;
  host @1 :Text;
}

struct CheckedClaim {
  verdict @0 :UInt16;
  nonce @1 :Text;
  number @2 :Int64;
  incarnation @3 :Int64;
  notAfter @4 :Int64;
}

struct Command {
  caller @0 :Records.Caller;
  body @1 :CommandBody;
  claim @2 :List(CheckedClaim);
  whom @3 :List(OnBehalf);
}

struct Attempt {
  job @0 :Int64;
  task @1 :Int64;
  attempt @2 :Int64;
}

struct TaskStarted {
  attempt @0 :Attempt;
}

struct LaunchFailed {
  attempt @0 :Attempt;
  host @1 :Text;
  userFault @2 :Bool;
  record @3 :Records.ExitRecord;
}

struct TaskEnded {
  attempt @0 :Attempt;
  record @1 :Records.ExitRecord;
  processes @2 :List(Records.ProcessEnd);
}

struct TaskLost {
  attempt @0 :Attempt;
  host @1 :Text;
}

struct HostRegistered {
  host @0 :Text;
  facts @1 :Records.HostFacts;
  highestKey @2 :Int64;
  claim @3 :Records.KeyClaim;
  rival @4 :UInt16;
}

struct HostSilent {
  host @0 :Text;
  unknown @1 :Bool;
}

struct LoadChanged {
  host @0 :Text;
  load @1 :Records.HostLoad;
}

struct TaskOverdue {
  attempt @0 :Attempt;
}

struct ReservationDue {
  reservation @0 :Int64;
}

struct Pass {}

struct PartSilent {
  attempt @0 :Attempt;
  host @1 :Text;
}

struct HookEnded {
  reservation @0 :Int64;
  event @1 :UInt16;
  failure @2 :Text;
  sequence @3 :Int64;
  said @4 :Text;
}

struct TaskFenced {
  attempt @0 :Attempt;
  host @1 :Text;
}

struct TaskSaved {
  attempt @0 :Attempt;
  process @1 :Int64;
}

struct SiteFileRead {
  name @0 :Text;
  text @1 :Text;
}

struct Restarted {
  term @0 :Int64;
  digest @1 :UInt64;
  passesOff @2 :Bool;
  zone @3 :List(Records.ZoneChange);
  host @4 :Text;
  isCheckpoint @5 :Bool;
}

struct JournaledInput {
  sequence @0 :Int64;
  now @1 :Int64;
  version @2 :Int64;
  input @3 :Input;
  decision @4 :UInt64;
}

struct ContextChange {
  verb @0 :UInt16;
  variables @1 :List(Records.Attribute);
}

struct AlterJobs {
  targets @0 :List(Text);
  users @1 :List(Text);
  options @2 :List(Text);
  request @3 :Records.JobRequest;
  context @4 :List(ContextChange);
  held @5 :Text;
  released @6 :Text;
}

struct ResubmitJobs {
  changes @0 :AlterJobs;
}

struct AlterReservation {
  number @0 :Int64;
  options @1 :List(Text);
  request @2 :Records.ReservationRequest;
  force @3 :Bool;
  recurrence @4 :Records.Recurrence;
  rest @5 :Bool;
}

struct ControlScheduler {
  action @0 :UInt16;
}

struct RemoveHost {
  host @0 :Text;
}

struct RemoveReservations {
  targets @0 :List(Text);
  users @1 :List(Text);
  verb @2 :UInt16;
}

struct StartSearch {
  earliest @0 :Int64;
  latest @1 :Int64;
  endBy @2 :Int64;
  days @3 :Int64;
  fromHour @4 :Int64;
  toHour @5 :Int64;
}

struct OnBehalf {
  user @0 :Records.Caller;
  subject @1 :Text;
}

struct ReserveEarliest {
  prepare @0 :PrepareReservation;
  search @1 :StartSearch;
  atOnce @2 :Bool;
}

struct IssueChallenge {
  number @0 :Int64;
  nonce @1 :Text;
}

struct SpendChallenge {
  number @0 :Int64;
}

struct CommandBody {
  union {
    submit @0 :Submit;
    deleteJobs @1 :DeleteJobs;
    changeHold @2 :ChangeHold;
    clearJobErrors @3 :ClearJobErrors;
    modifyQueues @4 :ModifyQueues;
    reserve @5 :Reserve;
    deleteReservations @6 :DeleteReservations;
    prepareReservation @7 :PrepareReservation;
    settleReservation @8 :SettleReservation;
    configure @9 :Configure;
    addHost @10 :AddHost;
    alterJobs @11 :AlterJobs;
    changeHostKey @12 :ChangeHostKey;
    configureAll @13 :ConfigureAll;
    alterReservation @14 :AlterReservation;
    resubmitJobs @15 :ResubmitJobs;
    modifyJobs @16 :ModifyJobs;
    controlScheduler @17 :ControlScheduler;
    removeHost @18 :RemoveHost;
    removeReservations @19 :RemoveReservations;
    reserveEarliest @20 :ReserveEarliest;
    issueChallenge @21 :IssueChallenge;
    spendChallenge @22 :SpendChallenge;
  }
}

struct Input {
  union {
    command @0 :Command;
    taskStarted @1 :TaskStarted;
    launchFailed @2 :LaunchFailed;
    taskEnded @3 :TaskEnded;
    taskLost @4 :TaskLost;
    hostRegistered @5 :HostRegistered;
    hostSilent @6 :HostSilent;
    loadChanged @7 :LoadChanged;
    taskOverdue @8 :TaskOverdue;
    reservationDue @9 :ReservationDue;
    pass @10 :Pass;
    restarted @11 :Restarted;
    partSilent @12 :PartSilent;
    taskFenced @13 :TaskFenced;
    hookEnded @14 :HookEnded;
    taskSaved @15 :TaskSaved;
    siteFileRead @16 :SiteFileRead;
  }
}
