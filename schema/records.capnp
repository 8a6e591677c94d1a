# Records as they are stored; the fields are those of describe() in core/, in camelCase.
#
# Rules: fields are only added, at the end and with new numbers; an enumeration is a number whose
# order never changes; a missing field reads as 0, so 0 is the plain case. See schema/README.md.
@0xdcf65168e68f904f;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("almanac::wire");

struct Window {
  start @0 :Int64;
  end @1 :Int64;
}

struct ZoneChange {
  from @0 :Int64;
  ahead @1 :Int64;
}

struct Booking {
  container @0 :Text;
  resource @1 :Text;
  amount @2 :Int64;
}

struct SlotRange {
  low @0 :Int64;
  high @1 :Int64;
}

struct TaskRange {
  first @0 :Int64;
  last @1 :Int64;
  step @2 :Int64;
}

struct Attribute {
  name @0 :Text;
  value @1 :Text;
}

struct ConfigurationObject {
  kind @0 :UInt16;
  name @1 :Text;
  attributes @2 :List(Attribute);
}

struct ConfigurationChange {
  verb @0 :UInt16;
  object @1 :ConfigurationObject;
  entries @2 :List(Text);
}

struct ExitRecord {
  failed @0 :Int64;
  exitStatus @1 :Int64;
  reason @2 :Text;
  wallclock @3 :Int64;
  userMicroseconds @4 :Int64;
  systemMicroseconds @5 :Int64;
  maxrssKib @6 :Int64;
  minorFaults @7 :Int64;
  majorFaults @8 :Int64;
  blocksIn @9 :Int64;
  blocksOut @10 :Int64;
  voluntarySwitches @11 :Int64;
  involuntarySwitches @12 :Int64;
  stepStatus @13 :Int64;
  ended @14 :Int64;
  memoryKibSeconds @15 :Int64;
  ioBytes @16 :Int64;
  ioWaitMicroseconds @17 :Int64;
  maxvmemBytes @18 :Int64;
  signal @19 :Int64;
  checkpointPid @20 :Int64;
}

struct ProcessEnd {
  host @0 :Text;
  number @1 :Int64;
  record @2 :ExitRecord;
}

struct TaskUsage {
  cpuMicroseconds @0 :Int64;
  memoryKibSeconds @1 :Int64;
  ioBytes @2 :Int64;
  ioWaitMicroseconds @3 :Int64;
  vmemBytes @4 :Int64;
  rssBytes @5 :Int64;
  maxvmemBytes @6 :Int64;
}

struct HostFacts {
  arch @0 :Text;
  processors @1 :Int64;
  memory @2 :Int64;
  bootId @3 :Text;
  spoolId @4 :Text;
  address @5 :Text;
  topology @6 :Text;
}

struct LoadValue {
  name @0 :Text;
  value @1 :Text;
  host @2 :Text;
}

struct HostLoad {
  loadShort @0 :Int64;
  loadMedium @1 :Int64;
  loadLong @2 :Int64;
  cpu @3 :Int64;
  memoryFree @4 :Int64;
  swapTotal @5 :Int64;
  swapFree @6 :Int64;
  values @7 :List(LoadValue);
  topologyInUse @8 :Text;
}

struct HostState {
  name @0 :Text;
  phase @1 :UInt16;
  facts @2 :HostFacts;
  load @3 :HostLoad;
  idleSince @4 :Int64;
}

struct SiteFile {
  name @0 :Text;
  text @1 :Text;
  readAt @2 :Int64;
  error @3 :Text;
}

struct HostKey {
  host @0 :Text;
  state @1 :UInt16;
  key @2 :Text;
  serial @3 :Int64;
  issued @4 :Int64;
  since @5 :Int64;
  expires @6 :Int64;
  alarm @7 :Text;
  alarmAt @8 :Int64;
}

struct KeyClaim {
  key @0 :Text;
  serial @1 :Int64;
  expires @2 :Int64;
}

struct InstanceState {
  name @0 :Text;
  disabled @1 :Bool;
  suspended @2 :Bool;
  error @3 :Bool;
  reason @4 :Text;
  failures @5 :Int64;
  failedJob @6 :Int64;
  avoidedUntil @7 :Int64;
  opening @8 :UInt16;
  throttles @9 :Bool;
  nextThrottling @10 :Int64;
  maintenance @11 :Int64;
  subordinated @12 :Bool;
  outranked @13 :Bool;
  drain @14 :Drain;
}

struct Drain {
  why @0 :Text;
  by @1 :Text;
  since @2 :Int64;
  until @3 :Int64;
}

struct Caller {
  user @0 :Text;
  group @1 :Text;
  uid @2 :Int64;
  gid @3 :Int64;
  host @4 :Text;
  through @5 :Text;
}

struct JobRequest {
  name @0 :Text;
  account @1 :Text;
  binary @2 :Bool;
  script @3 :Data;
  command @4 :Text;
  arguments @5 :List(Text);
  shell @6 :Text;
  environment @7 :List(Attribute);
  origin @8 :List(Attribute);
  directory @9 :Text;
  output @10 :Text;
  error @11 :Text;
  join @12 :Bool;
  resources @13 :List(Attribute);
  queues @14 :List(Text);
  pe @15 :Text;
  slots @16 :List(SlotRange);
  tasks @17 :TaskRange;
  priority @18 :Int64;
  executionTime @19 :Int64;
  heldByUser @20 :Bool;
  predecessors @21 :List(Text);
  reservation @22 :Int64;
  reserve @23 :Bool;
  rerun @24 :UInt16;
  validation @25 :UInt16;
  notify @26 :Bool;
  deadline @27 :Int64;
  mostRunning @28 :Int64;
  softResources @29 :List(Attribute);
  softQueues @30 :List(Text);
  masterQueues @31 :List(Text);
  immediate @32 :Bool;
  project @33 :Text;
  jobShare @34 :Int64;
  overrideTickets @35 :Int64;
  mailAt @36 :Text;
  mailTo @37 :List(Text);
  direct @38 :Bool;
  reserveFor @39 :Int64;
  allocationRule @40 :Text;
  staysOutside @41 :Bool;
  context @42 :List(Attribute);
  checkpoint @43 :Text;
  checkpointAt @44 :Text;
  input @45 :Text;
  arrayPredecessors @46 :List(Text);
  interaction @47 :UInt16;
  binding @48 :Text;
  peRule @49 :Text;
  masterResources @50 :List(Attribute);
  slaveResources @51 :List(Attribute);
  slaveQueues @52 :List(Text);
  concurrent @53 :Bool;
}

struct Grant {
  instance @0 :Text;
  slots @1 :Int64;
}

struct Task {
  number @0 :Int64;
  state @1 :UInt16;
  attempt @2 :Int64;
  restarted @3 :Bool;
  deleting @4 :Bool;
  suspended @5 :Bool;
  reason @6 :Text;
  pe @7 :Text;
  grants @8 :List(Grant);
  bookings @9 :List(Booking);
  booked @10 :Window;
  limit @11 :Int64;
  softLimit @12 :Int64;
  started @13 :Int64;
  throttled @14 :Bool;
  fence @15 :Int64;
  restsUntil @16 :Int64;
  afterEnd @17 :UInt16;
  job @18 :Int64;
  endedAt @19 :Int64;
  attractedBy @20 :Int64;
  usage @21 :List(TaskUsage); # of views only
  suspendedByUser @22 :Bool;
  suspendedByQueue @23 :Bool;
  suspendedBySlots @24 :Bool;
  rerunnable @25 :Bool;
  binding @26 :Text; # of views only
  checkpointPid @27 :Int64;
  givesWayTo @28 :List(Int64);
}

struct Hold {
  window @0 :Window;
  pe @1 :Text;
  grants @2 :List(Grant);
  bookings @3 :List(Booking);
  cause @4 :Text;
  rerunnable @5 :Bool;
  planned @6 :Int64;
}

struct TaskHolds {
  byUser @0 :List(TaskRange);
  byOperator @1 :List(TaskRange);
  bySystem @2 :List(TaskRange);
}

struct Job {
  key @0 :Int64;
  number @1 :Int64;
  owner @2 :Caller;
  submitted @3 :Int64;
  request @4 :JobRequest;
  scriptHash @5 :Text;
  reservationKey @6 :Int64;
  waitsFor @7 :List(Int64);
  heldByUser @8 :Bool;
  heldByOperator @9 :Bool;
  heldBySystem @10 :Bool;
  fresh @11 :List(TaskRange);
  tasks @12 :List(Task);
  holds @13 :List(Hold);
  scriptBytes @14 :Int64;
  waitsForTasks @15 :List(Int64);
  blocked @16 :List(TaskRange);
  taskHolds @17 :TaskHolds;
}

struct ReservationRequest {
  name @0 :Text;
  account @1 :Text;
  start @2 :Int64;
  end @3 :Int64;
  duration @4 :Int64;
  hasDuration @5 :Bool;
  resources @6 :List(Attribute);
  queues @7 :List(Text);
  pe @8 :Text;
  slots @9 :List(SlotRange);
  users @10 :List(Text);
  hard @11 :Bool;
  repair @12 :UInt16;
  mailAt @13 :Text;
  mailTo @14 :List(Text);
  groups @15 :List(Attribute);
  checkpoint @16 :Text;
  masterQueues @17 :List(Text);
  immediate @18 :Bool;
  project @19 :Text;
  allocationRule @20 :Text;
  spare @21 :Int64;
  attract @22 :Bool;
  endsWhenIdle @23 :Bool;
  idleFor @24 :Int64;
  maintenance @25 :Bool;
  hosts @26 :List(Text);
  requeueRunning @27 :Bool;
  asap @28 :Bool;
  peRule @29 :Text;
  nodes @30 :Int64;
  nodeSlots @31 :Int64;
  wholeNodes @32 :Bool;
  preempts @33 :Bool;
  least @34 :List(Attribute);
  os @35 :Text;
  roomOf @36 :List(Int64);
  publicKey @37 :Text;
}

struct Shape {
  window @0 :Window;
  grants @1 :List(Grant);
  bookings @2 :List(Booking);
  pe @3 :Text;
  users @4 :List(Text);
  allocationRule @5 :Text;
  spares @6 :List(Grant);
  spareBookings @7 :List(Booking);
}

struct Proposal {
  transaction @0 :Text;
  heldUntil @1 :Int64;
  removal @2 :Bool;
  shape @3 :Shape;
  request @4 :ReservationRequest;
  verb @5 :UInt16;
  by @6 :Caller;
  isOffer @7 :Bool;
  asks @8 :Int64;
  isAgreed @9 :Bool;
  holdFor @10 :Int64;
  force @11 :Bool;
  asked @12 :Int64;
}

struct SettledTransaction {
  number @0 :Int64;
  transaction @1 :Text;
  committed @2 :Bool;
  until @3 :Int64;
  by @4 :Caller;
  isOffer @5 :Bool;
  isNew @6 :Bool;
  order @7 :Int64;
  asked @8 :Int64;
  atOnce @9 :Bool;
}

struct ClaimChallenge {
  nonce @0 :Text;
  number @1 :Int64;
  until @2 :Int64;
  uid @3 :Int64;
}

struct KeyGrant {
  version @0 :Int64;
  site @1 :Text;
  number @2 :Int64;
  incarnation @3 :Int64;
  owner @4 :Text;
  notBefore @5 :Int64;
  notAfter @6 :Int64;
  mode @7 :UInt16;
  proves @8 :Text;
  siteKey @9 :Text;
}

struct LeftBehind {
  instance @0 :Text;
  slots @1 :Int64;
  bookings @2 :List(Booking);
  until @3 :Int64;
  jobs @4 :List(Text);
}

struct Loan {
  to @0 :Int64;
  window @1 :Window;
  bookings @2 :List(Booking);
  grants @3 :List(Grant);
}

struct Reservation {
  key @0 :Int64;
  number @1 :Int64;
  owner @2 :Caller;
  submitted @3 :Int64;
  request @4 :ReservationRequest;
  phase @5 :UInt16;
  shape @6 :Shape;
  proposed @7 :List(Proposal);
  bad @8 :List(Text);
  original @9 :List(Grant);
  note @10 :Text;
  idleSince @11 :Int64;
  startHook @12 :UInt16;
  hookAgain @13 :Int64;
  hookFailure @14 :Text;
  accounted @15 :Bool;
  leftBehind @16 :List(LeftBehind);
  repaired @17 :List(Int64);
  givesUpAt @18 :Int64;
  series @19 :Int64;
  occurrence @20 :Int64;
  altered @21 :Bool;
  closesSince @22 :Int64;
  notRepaired @23 :Bool;
  sealedSecret @24 :Text;
  othersEndSince @25 :Int64;
  canceledAt @26 :Int64;
  lent @27 :List(Loan);
}

struct Recurrence {
  rule @0 :Text;
  first @1 :Int64;
  endsAt @2 :Int64;
  until @3 :Int64;
  skipped @4 :List(Int64);
  zone @5 :Text;
  zoneChanges @6 :List(ZoneChange);
  waits @7 :Bool;
}

struct Conflict {
  occurrence @0 :Int64;
  window @1 :Window;
  why @2 :Text;
  told @3 :Bool;
}

struct Series {
  number @0 :Int64;
  order @1 :Int64;
  owner @2 :Caller;
  submitted @3 :Int64;
  request @4 :ReservationRequest;
  recurrence @5 :Recurrence;
  decided @6 :Int64;
  removed @7 :List(Int64);
  conflicts @8 :List(Conflict);
  due @9 :Int64;
  origins @10 :List(Int64);
  deletedOrigins @11 :List(Int64);
}

struct HookCall {
  sequence @0 :Int64;
  event @1 :UInt16;
  command @2 :Text;
  timeout @3 :Int64;
  at @4 :Int64;
  reservation @5 :Int64;
  number @6 :Int64;
  name @7 :Text;
  owner @8 :Text;
  cause @9 :Text;
  window @10 :Window;
  state @11 :Text;
  slots @12 :Int64;
  isAwaited @13 :Bool;
  series @14 :Int64;
  grants @15 :List(Grant);
  before @16 :List(HookBefore);
}

struct HookBefore {
  name @0 :Text;
  window @1 :Window;
  grants @2 :List(Grant);
}

struct Line {
  text @0 :Text;
  trouble @1 :Bool;
}

struct Answer {
  exitCode @0 :Int64;
  number @1 :Int64;
  lines @2 :List(Line);
  statements @3 :List(Statement);
}

struct Statement {
  code @0 :UInt16;
  details @1 :List(Detail);
  trouble @2 :Bool;
}

struct Detail {
  name @0 :Text;
  kind @1 :UInt16;
  text @2 :Text;
  number @3 :Int64;
  inner @4 :List(Statement);
}

struct AccountingRecord {
  sequence @0 :Int64;
  job @1 :Int64;
  jobNumber @2 :Int64;
  task @3 :Int64;
  queue @4 :Text;
  host @5 :Text;
  owner @6 :Text;
  group @7 :Text;
  jobName @8 :Text;
  account @9 :Text;
  priority @10 :Int64;
  submitted @11 :Int64;
  started @12 :Int64;
  ended @13 :Int64;
  pe @14 :Text;
  slots @15 :Int64;
  category @16 :Text;
  reservation @17 :Int64;
  reservationSubmitted @18 :Int64;
  record @19 :ExitRecord;
  project @20 :Text;
  department @21 :Text;
  grants @22 :List(Grant);
  outputPath @23 :Text;
  errorPath @24 :Text;
  peTask @25 :Text;
  cpuMicroseconds @26 :Int64;
}

struct Counters {
  lastKey @0 :Int64;
  lastJobNumber @1 :Int64;
  lastReservationNumber @2 :Int64;
  lastAccounting @3 :Int64;
  passesOff @4 :Bool;
  lastLetter @5 :Int64;
  lostFrom @6 :Int64;
  lostTo @7 :Int64;
  skipped @8 :Int64;
  lastHook @9 :Int64;
  lastReport @10 :Int64;
  stoppedBy @11 :Text;
  lastQueue @12 :Text;
  lastSettled @13 :Int64;
}

struct ReservationId {
  number @0 :Int64;
  submitted @1 :Int64;
}

struct UsageSpan {
  of @0 :UInt16;
  instance @1 :Text;
  during @2 :Window;
  slots @3 :Int64;
  availability @4 :UInt16;
  reservation @5 :ReservationId;
  owner @6 :Text;
  project @7 :Text;
  account @8 :Text;
  givenUp @9 :Bool;
}

struct ReportingRecord {
  sequence @0 :Int64;
  kind @1 :UInt16;
  at @2 :Int64;
  number @3 :Int64;
  submitted @4 :Int64;
  owner @5 :Text;
  name @6 :Text;
  account @7 :Text;
  window @8 :Window;
  pe @9 :Text;
  resources @10 :Text;
  state @11 :Text;
  event @12 :UInt16;
  queue @13 :Text;
  host @14 :Text;
  slots @15 :Int64;
  idleMinutes @16 :Int64;
  text @17 :Text;
}

struct Letter {
  sequence @0 :Int64;
  occasion @1 :UInt16;
  at @2 :Int64;
  to @3 :Text;
  number @4 :Int64;
  task @5 :Int64;
  name @6 :Text;
  owner @7 :Text;
  queue @8 :Text;
  host @9 :Text;
  started @10 :Int64;
  record @11 :ExitRecord;
  note @12 :Text;
}
