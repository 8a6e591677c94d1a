# Requests and replies between tools and doors.
#
# Rules: fields are only added, at the end and with new numbers; an enumeration is a number whose
# order never changes; a missing field reads as 0, so 0 is the plain case. See schema/README.md.
@0xe496532824a1313e;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("almanac::wire");
using Records = import "records.capnp";
using Inputs = import "inputs.capnp";

struct ReservationClaim {
  key @0 :Text;
  nonce @1 :Text;
  proof @2 :Text;
}

struct RunCommand {
  body @0 :Inputs.CommandBody;
  claim @1 :List(ReservationClaim);
  whom @2 :List(Inputs.OnBehalf);
}

struct AskSubmit {
  command @0 :Inputs.Submit;
  jobs @1 :Inputs.AlterJobs;
}

struct AskReserve {
  command @0 :Inputs.Reserve;
  price @1 :Bool;
  alternatives @2 :Bool;
}

struct AskAlterReservation {
  command @0 :Inputs.AlterReservation;
  price @1 :Bool;
}

struct ConfigureCommand {
  union {
    configure @0 :Inputs.Configure;
    configureAll @1 :Inputs.ConfigureAll;
  }
}

struct AskNodes {
  request @0 :Records.ReservationRequest;
}

struct AskConfigure {
  command @0 :ConfigureCommand;
}

struct StartsQuery {
  request @0 :Records.ReservationRequest;
  whom @1 :Inputs.OnBehalf;
  search @2 :Inputs.StartSearch;
  maxRanges @3 :Int64;
  minLength @4 :Int64;
  grain @5 :Int64;
}

struct WhenQuery {
  request @0 :Records.JobRequest;
  whom @1 :Inputs.OnBehalf;
}

struct AskWhen {
  query @0 :WhenQuery;
}

struct AskStarts {
  query @0 :StartsQuery;
}

struct AskSite {
  whom @0 :Inputs.OnBehalf;
  reservation @1 :Int64;
}

struct AskWhy {
  job @0 :Int64;
  alternatives @1 :Bool;
}

struct GetJobs {
  jobs @0 :List(Text);
  users @1 :List(Text);
  detail @2 :Bool;
}

struct GetLines {
  users @0 :List(Text);
  allGrants @1 :Bool;
  requests @2 :Bool;
  selection @3 :InstanceSelection;
}

struct InstanceSelection {
  queues @0 :List(Text);
  resources @1 :List(Records.Attribute);
  pes @2 :List(Text);
  users @3 :List(Text);
  groups @4 :List(Records.Attribute);
  states @5 :Text;
}

struct GetReservations {
  reservations @0 :List(Text);
  users @1 :List(Text);
  usable @2 :Bool;
  offers @3 :Bool;
  series @4 :Bool;
  past @5 :Bool;
}

struct GetCluster {
  selection @0 :InstanceSelection;
  ofHosts @1 :List(Records.Attribute);
  hostResources @2 :Bool;
}

struct GetObjects {
  kind @0 :UInt16;
}

struct AccountingFilter {
  number @0 :Int64;
  name @1 :Text;
  owner @2 :Text;
  reservation @3 :Int64;
  account @4 :Text;
  group @5 :Text;
  host @6 :Text;
  project @7 :Text;
  department @8 :Text;
  pe @9 :Text;
  queue @10 :Text;
  slots @11 :Int64;
  begunFrom @12 :Int64;
  begunTo @13 :Int64;
  tasks @14 :List(Records.TaskRange);
  byEnd @15 :Bool;
  tasksOnly @16 :Bool;
}

struct GetAccounting {
  filter @0 :AccountingFilter;
}

struct AwaitJob {
  job @0 :Int64;
  orStart @1 :Bool;
}

struct GetUsage {
  reservations @0 :List(Int64);
  from @1 :Int64;
  to @2 :Int64;
  nodes @3 :Bool;
}

struct ListActors {}

struct InputFilter {
  about @0 :List(Text);
}

struct GetInputs {
  after @0 :Int64;
  filter @1 :InputFilter;
}

struct GetMessages {
  actor @0 :Int64;
  after @1 :Int64;
}

struct QuotaSelection {
  users @0 :List(Text);
  projects @1 :List(Text);
  pes @2 :List(Text);
  queues @3 :List(Text);
  hosts @4 :List(Text);
  resources @5 :List(Text);
  groups @6 :List(Records.Attribute);
}

struct GetQuotas {
  selection @0 :QuotaSelection;
  job @1 :Int64;
  plan @2 :Bool;
}

struct InspectActor {
  actor @0 :Int64;
  json @1 :Bool;
}

struct Inherit {
  job @0 :Int64;
  task @1 :Int64;
  host @2 :Text;
  command @3 :List(Text);
  environment @4 :List(Records.Attribute);
  directory @5 :Text;
  input @6 :Bool;
}

struct InheritInput {
  request @0 :Text;
  content @1 :Data;
  end @2 :Bool;
  taken @3 :Int64;
  quiet @4 :Bool;
  rows @5 :Int64;
  columns @6 :Int64;
}

struct AwaitAttachment {
  job @0 :Int64;
}

struct Attach {
  host @0 :Text;
  address @1 :Text;
  attempt @2 :Inputs.Attempt;
  credential @3 :Data;
  signature @4 :Data;
  input @5 :Bool;
  rows @6 :Int64;
  columns @7 :Int64;
}

struct Attachment {
  host @0 :Text;
  address @1 :Text;
  attempt @2 :Inputs.Attempt;
  credential @3 :Data;
  signature @4 :Data;
}

struct Request {
  version @0 :Int64;
  id @1 :Text;
  body @2 :RequestBody;
}

struct SealedRequest {
  request @0 :Data;
  nonce @1 :Data;
  credential @2 :Text;
}

struct Urgency {
  resources @0 :Int64;
  waiting @1 :Int64;
  deadline @2 :Int64;
}

struct Priority {
  urgency @0 :Urgency;
  posix @1 :Int64;
  normalUrgency @2 :Int64;
  normalTickets @3 :Int64;
  value @4 :Int64;
  tickets @5 :Tickets;
}

struct Tickets {
  overridePart @0 :Int64;
  functionalPart @1 :Int64;
}

struct JobView {
  job @0 :Records.Job;
  priority @1 :Priority;
  department @2 :Text;
  attractedBy @3 :List(Int64);
  predecessors @4 :List(Int64);
  successors @5 :List(Int64);
}

struct AskedResourceView {
  name @0 :Text;
  value @1 :Text;
  urgency @2 :Int64;
}

struct JobRequestsView {
  pe @0 :Text;
  slots @1 :Text;
  hard @2 :List(AskedResourceView);
  soft @3 :List(AskedResourceView);
  queues @4 :List(Text);
  softQueues @5 :List(Text);
  masterQueues @6 :List(Text);
  predecessorsAsked @7 :List(Text);
  predecessors @8 :List(Int64);
}

struct Jobs {
  jobs @0 :List(JobView);
  unknown @1 :List(Text);
}

struct JobLine {
  state @0 :Text;
  time @1 :Int64;
  grants @2 :List(Records.Grant);
  slots @3 :Int64;
  tasks @4 :Text;
  running @5 :Bool;
  suspended @6 :Bool;
  held @7 :Bool;
  usage @8 :List(Records.TaskUsage);
  pe @9 :Text;
  holds @10 :Text;
  hasSpareSlave @11 :Bool;
}

struct JobLines {
  number @0 :Int64;
  priority @1 :Priority;
  name @2 :Text;
  user @3 :Text;
  project @4 :Text;
  department @5 :Text;
  posixPriority @6 :Int64;
  overrideTickets @7 :Int64;
  deadline @8 :Int64;
  lines @9 :List(JobLine);
  requests @10 :List(JobRequestsView);
  jobShare @11 :Int64;
}

struct Lines {
  jobs @0 :List(JobLines);
  notice @1 :Text;
}

# The next three begin as Booking, Shape and Reservation of records.capnp: earlier tools and masters take them for those.
struct BookingView {
  container @0 :Text;
  resource @1 :Text;
  amount @2 :Int64;
  printed @3 :Text;
}

struct ShapeView {
  window @0 :Records.Window;
  grants @1 :List(Records.Grant);
  bookings @2 :List(BookingView);
  pe @3 :Text;
  users @4 :List(Text);
}

struct ReservationView {
  key @0 :Int64;
  number @1 :Int64;
  owner @2 :Records.Caller;
  submitted @3 :Int64;
  request @4 :Records.ReservationRequest;
  phase @5 :UInt16;
  shape @6 :ShapeView;
  proposed @7 :List(Records.Proposal); # of earlier masters; no longer sent
  bad @8 :List(Text);
  original @9 :List(Records.Grant); # likewise
  note @10 :Text;
  spares @11 :List(Records.Grant);
  leftBehind @12 :List(Text);
  offerUntil @13 :Int64;
  series @14 :Int64;
  occurrence @15 :Text;
  operation @16 :Text;
  heldUntil @17 :Int64;
  lent @18 :List(Text);
}

struct ConflictView {
  occurrence @0 :Text;
  window @1 :Records.Window;
  why @2 :Text;
}

struct SeriesView {
  number @0 :Int64;
  name @1 :Text;
  owner @2 :Text;
  next @3 :Int64;
  rule @4 :Text;
  zone @5 :Text;
  granted @6 :Int64;
  conflicts @7 :List(ConflictView);
}

struct Reservations {
  reservations @0 :List(ReservationView);
  unknown @1 :List(Text);
  series @2 :List(SeriesView);
}

struct ResourceView {
  kind @0 :Text;
  name @1 :Text;
  value @2 :Text;
  shortcut @3 :Text;
}

struct InstanceView {
  name @0 :Text;
  queue @1 :Text;
  host @2 :Text;
  qtype @3 :Text;
  letters @4 :Text;
  reason @5 :Text;
  sequence @6 :Int64;
  reserved @7 :Int64;
  mostReserved @8 :Int64;
  used @9 :Int64;
  total @10 :Int64;
  resources @11 :List(ResourceView);
  loadAlarm @12 :Text;
  suspendAlarm @13 :Text;
  drain @14 :Records.Drain;
}

struct HostView {
  state @0 :Records.HostState;
  load @1 :Records.HostLoad;
  notice @2 :Text;
  key @3 :Records.HostKey;
  resources @4 :List(ResourceView);
}

struct Cluster {
  instances @0 :List(InstanceView);
  hosts @1 :List(HostView);
  notice @2 :Text;
}

struct Objects {
  objects @0 :List(Records.ConfigurationObject);
}

struct Accounting {
  records @0 :List(Records.AccountingRecord);
  knownSince @1 :Int64;
}

struct ActorView {
  id @0 :Int64;
  kind @1 :Text;
  name @2 :Text;
  age @3 :Int64;
}

struct Actors {
  actors @0 :List(ActorView);
}

struct Output {
  content @0 :Data;
  error @1 :Bool;
  room @2 :Int64;
}

struct Happening {
  sequence @0 :Int64;
  at @1 :Int64;
  what @2 :Text;
  about @3 :List(Text);
}

struct Happenings {
  inputs @0 :List(Happening);
  readTo @1 :Int64;
}

struct TracedMessage {
  sequence @0 :Int64;
  atMs @1 :Int64;
  sender @2 :Int64;
  what @3 :Text;
}

struct TracedMessages {
  messages @0 :List(TracedMessage);
}

struct ChangeFilter {
  owner @0 :Text;
  id @1 :Text;
}

struct Subscribe {
  after @0 :Text;
  kinds @1 :List(Text);
  filter @2 :ChangeFilter;
  list @3 :Bool;
  once @4 :Bool;
}

struct Change {
  sequence @0 :Int64;
  position @1 :Int64;
  event @2 :Text;
  kind @3 :Text;
  verb @4 :UInt16;
  id @5 :Text;
  name @6 :Text;
  job @7 :List(JobView);
  reservation @8 :List(ReservationView);
  host @9 :List(HostView);
  instance @10 :List(InstanceView);
  object @11 :List(Records.ConfigurationObject);
  series @12 :List(SeriesView);
}

struct Changes {
  cursor @0 :Text;
  changes @1 :List(Change);
  beginsList @2 :Bool;
  gone @3 :Bool;
}

struct QuotaFilterView {
  filter @0 :UInt16;
  included @1 :List(Text);
  excluded @2 :List(Text);
}

struct QuotaStepView {
  at @0 :Int64;
  amount @1 :Text;
}

struct QuotaHolderView {
  job @0 :Int64;
  task @1 :Int64;
  amount @2 :Text;
  window @3 :Records.Window;
}

struct QuotaView {
  rule @0 :Text;
  filters @1 :List(QuotaFilterView);
  resource @2 :Text;
  limit @3 :Text;
  isCounted @4 :Bool;
  used @5 :Text;
  asked @6 :Text;
  left @7 :Text;
  fits @8 :Bool;
  steps @9 :List(QuotaStepView);
  moreSteps @10 :Int64;
  holders @11 :List(QuotaHolderView);
  moreHolders @12 :Int64;
  isPerSlot @13 :Bool;
  isPerHost @14 :Bool;
  held @15 :Text;
}

struct Quotas {
  rows @0 :List(QuotaView);
}

struct CellUsage {
  usedInside @0 :Int64;
  usedOutside @1 :Int64;
  down @2 :Int64;
  maintenance @3 :Int64;
  closed @4 :Int64;
  idleReserved @5 :Int64;
  gap @6 :Int64;
  free @7 :Int64;
  over @8 :Int64;
}

struct ReservationUsage {
  used @0 :Int64;
  idle @1 :Int64;
  unavailable @2 :Int64;
  gap @3 :Int64;
}

struct NodeUsage {
  host @0 :Text;
  reserved @1 :Int64;
  used @2 :Int64;
}

struct ReservationUsageView {
  number @0 :Int64;
  submitted @1 :Int64;
  owner @2 :Text;
  project @3 :Text;
  account @4 :Text;
  usage @5 :ReservationUsage;
  reservedFor @6 :Int64;
  nodes @7 :List(NodeUsage);
  givenUp @8 :Bool;
}

struct UsageReport {
  during @0 :Records.Window;
  cell @1 :CellUsage;
  reservations @2 :List(ReservationUsageView);
}

struct Busy {
  retryAfterMs @0 :Int64;
}

struct GetGrant {
  number @0 :Int64;
  whom @1 :Inputs.OnBehalf;
}

struct KeyOfReservation {
  text @0 :Text;
}

struct Reply {
  done @0 :Bool;
  body @1 :ReplyBody;
}

struct RequestBody {
  union {
    runCommand @0 :RunCommand;
    askSubmit @1 :AskSubmit;
    askReserve @2 :AskReserve;
    askWhy @3 :AskWhy;
    getJobs @4 :GetJobs;
    getReservations @5 :GetReservations;
    getCluster @6 :GetCluster;
    getObjects @7 :GetObjects;
    getAccounting @8 :GetAccounting;
    awaitJob @9 :AwaitJob;
    listActors @10 :ListActors;
    inspectActor @11 :InspectActor;
    inherit @12 :Inherit;
    inheritInput @13 :InheritInput;
    getInputs @14 :GetInputs;
    getLines @15 :GetLines;
    getMessages @16 :GetMessages;
    subscribe @17 :Subscribe;
    getQuotas @18 :GetQuotas;
    askAlterReservation @19 :AskAlterReservation;
    getUsage @20 :GetUsage;
    askConfigure @21 :AskConfigure;
    awaitAttachment @22 :AwaitAttachment;
    attach @23 :Attach;
    askWhen @24 :AskWhen;
    askStarts @25 :AskStarts;
    askSite @26 :AskSite;
    askNodes @27 :AskNodes;
    getGrant @28 :GetGrant;
  }
}

struct ReplyBody {
  union {
    answer @0 :Records.Answer;
    jobs @1 :Jobs;
    reservations @2 :Reservations;
    cluster @3 :Cluster;
    objects @4 :Objects;
    accounting @5 :Accounting;
    actors @6 :Actors;
    output @7 :Output;
    busy @8 :Busy;
    happenings @9 :Happenings;
    lines @10 :Lines;
    tracedMessages @11 :TracedMessages;
    changes @12 :Changes;
    quotas @13 :Quotas;
    usageReport @14 :UsageReport;
    attachment @15 :Attachment;
    grant @16 :KeyOfReservation;
  }
}
