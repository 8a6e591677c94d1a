# Messages between the sessions of master and agents.
#
# Rules: fields are only added, at the end and with new numbers; an enumeration is a number whose
# order never changes; a missing field reads as 0, so 0 is the plain case. See schema/README.md.
@0x9515d3268298021c;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("almanac::wire");
using Records = import "records.capnp";
using Inputs = import "inputs.capnp";

struct Ticket {
  cell @0 :Text;
  name @1 :Text;
  role @2 :UInt16;
  publicKey @3 :Data;
  serial @4 :Int64;
  expires @5 :Int64;
}

struct Hello {
  version @0 :Int64;
  cell @1 :Text;
  name @2 :Text;
  role @3 :UInt16;
  nonce @4 :Data;
  ticket @5 :Data;
  ticketSignature @6 :Data;
}

struct Challenge {
  name @0 :Text;
  role @1 :UInt16;
  nonce @2 :Data;
  ticket @3 :Data;
  ticketSignature @4 :Data;
  signature @5 :Data;
}

struct Proof {
  signature @0 :Data;
}

struct Welcome {
  term @0 :Int64;
  storeId @1 :Text;
  signature @2 :Data;
}

struct Refused {
  reason @0 :Text;
}

struct TaskReport {
  attempt @0 :Inputs.Attempt;
  phase @1 :UInt16;
  began @2 :Bool;
  userFault @3 :Bool;
  storeId @4 :Text;
  term @5 :Int64;
  record @6 :Records.ExitRecord;
  processes @7 :List(Records.ProcessEnd);
}

struct Register {
  facts @0 :Records.HostFacts;
  tasks @1 :List(TaskReport);
  nonce @2 :Data;
  warrantVersion @3 :Int64;
  takesCommonFiles @4 :Bool;
  runsHooks @5 :Bool;
  takesLimits @6 :Bool;
  takesMoves @7 :Bool;
  takesPreemption @8 :Bool;
}

struct Registered {
  loadReportTime @0 :Int64;
  logLevel @1 :UInt16;
  takesUsage @2 :Bool;
  sensors @3 :Data;
  sensorsSignature @4 :Data;
}

struct Credential {
  storeId @0 :Text;
  term @1 :Int64;
  attempt @2 :Inputs.Attempt;
  user @3 :Text;
  uid @4 :Int64;
  hosts @5 :List(Text);
  slots @6 :Int64;
  scriptHash @7 :Text;
  expires @8 :Int64;
}

struct ProcessLimit {
  kind @0 :Text;
  soft @1 :Int64;
  hard @2 :Int64;
}

struct Part {
  host @0 :Text;
  instance @1 :Text;
  slots @2 :Int64;
  address @3 :Text;
  tmpdir @4 :Text;
  limits @5 :List(ProcessLimit);
  key @6 :Text;
  processors @7 :Text;
}

struct Notice {
  ahead @0 :Int64;
  kill @1 :Text;
  suspend @2 :Text;
  patience @3 :Int64;
}

struct Method {
  signal @0 :Int64;
  words @1 :List(Text);
}

struct Methods {
  starter @0 :List(Text);
  suspend @1 :Method;
  resume @2 :Method;
  terminate @3 :Method;
  nice @4 :Int64;
  loginShells @5 :List(Text);
}

struct CheckpointPlan {
  isAskedFor @0 :Bool;
  checkpoint @1 :List(Text);
  migration @2 :List(Text);
  restart @3 :List(Text);
  cleaning @4 :List(Text);
  signal @5 :Int64;
  interval @6 :Int64;
  patience @7 :Int64;
  longest @8 :Int64;
  atMove @9 :Bool;
  atShutdown @10 :Bool;
  savedPid @11 :Int64;
}

struct Launch {
  attempt @0 :Inputs.Attempt;
  job @1 :Records.Job;
  script @2 :Data;
  parts @3 :List(Part);
  shell @4 :Text;
  shellStartMode @5 :Text;
  cell @6 :Text;
  controlSlaves @7 :Bool;
  credential @8 :Data;
  signature @9 :Data;
  prolog @10 :Text;
  epilog @11 :Text;
  notice @12 :Notice;
  peStart @13 :Text;
  peStop @14 :Text;
  jobIsFirstTask @15 :Bool;
  warrant @16 :Data;
  warrantSignature @17 :Data;
  checkpointDirectory @18 :Text;
  methods @19 :Methods;
  checkpoint @20 :CheckpointPlan;
  daemonForksSlaves @21 :Bool;
}

struct Control {
  attempt @0 :Inputs.Attempt;
  action @1 :UInt16;
  warrant @2 :Data;
  warrantSignature @3 :Data;
}

struct Forget {
  attempt @0 :Inputs.Attempt;
}

struct Relay {
  connection @0 :Int64;
  caller @1 :Records.Caller;
  frame @2 :Data;
}

struct RelayAnswer {
  connection @0 :Int64;
  frame @1 :Data;
}

struct PeerStart {
  call @0 :Int64;
  attempt @1 :Inputs.Attempt;
  command @2 :List(Text);
  environment @3 :List(Records.Attribute);
  directory @4 :Text;
  credential @5 :Data;
  signature @6 :Data;
  input @7 :Bool;
  proof @8 :Data;
}

struct PeerInput {
  call @0 :Int64;
  content @1 :Data;
  end @2 :Bool;
  taken @3 :Int64;
  rows @4 :Int64;
  columns @5 :Int64;
  hangUp @6 :Bool;
}

struct PeerAttach {
  call @0 :Int64;
  attempt @1 :Inputs.Attempt;
  credential @2 :Data;
  signature @3 :Data;
  input @4 :Bool;
  rows @5 :Int64;
  columns @6 :Int64;
}

struct ClientCredential {
  storeId @0 :Text;
  term @1 :Int64;
  attempt @2 :Inputs.Attempt;
  user @3 :Text;
  uid @4 :Int64;
  clientHost @5 :Text;
  host @6 :Text;
}

struct PeerOutput {
  call @0 :Int64;
  content @1 :Data;
  error @2 :Bool;
  room @3 :Int64;
}

struct PeerEnded {
  call @0 :Int64;
  record @1 :Records.ExitRecord;
}

struct PeerClear {
  attempt @0 :Inputs.Attempt;
  credential @1 :Data;
  signature @2 :Data;
}

struct Renew {
  asked @0 :Int64;
  nonce @1 :Data;
}

struct Renewed {
  asked @0 :Int64;
}

struct Order {
  storeId @0 :Text;
  term @1 :Int64;
  host @2 :Text;
  session @3 :Data;
  sequence @4 :Int64;
  message @5 :Data;
}

struct SignedOrder {
  order @0 :Data;
  signature @1 :Data;
}

struct CommonFileVersion {
  name @0 :Text;
  sha256 @1 :Text;
}

struct CommonFiles {
  files @0 :List(CommonFileVersion);
}

struct GetCommonFile {
  name @0 :Text;
}

struct CommonFile {
  name @0 :Text;
  content @1 :Data;
}

struct TaskUse {
  attempt @0 :Inputs.Attempt;
  usage @1 :Records.TaskUsage;
  binding @2 :Text;
}

struct TaskUses {
  tasks @0 :List(TaskUse);
}

struct Envelope {
  body @0 :Message;
}

struct Message {
  union {
    hello @0 :Hello;
    challenge @1 :Challenge;
    proof @2 :Proof;
    welcome @3 :Welcome;
    refused @4 :Refused;
    register @5 :Register;
    registered @6 :Registered;
    launch @7 :Launch;
    taskReport @8 :TaskReport;
    control @9 :Control;
    forget @10 :Forget;
    load @11 :Records.HostLoad;
    relay @12 :Relay;
    relayAnswer @13 :RelayAnswer;
    peerStart @14 :PeerStart;
    peerOutput @15 :PeerOutput;
    peerEnded @16 :PeerEnded;
    peerClear @17 :PeerClear;
    partSilent @18 :Inputs.PartSilent;
    peerInput @19 :PeerInput;
    renew @20 :Renew;
    renewed @21 :Renewed;
    signedOrder @22 :SignedOrder;
    commonFiles @23 :CommonFiles;
    getCommonFile @24 :GetCommonFile;
    commonFile @25 :CommonFile;
    taskUses @26 :TaskUses;
    peerAttach @27 :PeerAttach;
  }
}
