// Writes what fuzzing begins with: fuzz_seeds FOLDER makes FOLDER/TARGET/… of records with every
// field filled in and of requests that a cell takes. The corpus keeps what of it finds something.
#include "actors/session/packet_frames.hpp"
#include "actors/session/protocol.hpp"
#include "agent/helper/message.hpp"
#include "core/execution/task_order.hpp"
#include "core/configuration/objects/printed_object.hpp"
#include "core/configuration/configuration.hpp"
#include "core/utilization/usage_span.hpp"
#include "schema/codec.hpp"
#include "schema/link_frame.hpp"
#include "schema/earlier_records.hpp"
#include "schema/warrant.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/text_seeds.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

using namespace almanac;

namespace {

std::filesystem::path folder;
std::map<std::string, int> counts;

void seed(const std::string& target, const std::string& input) {
  std::filesystem::create_directories(folder / target);
  std::ofstream(folder / target / std::to_string(counts[target]++), std::ios::binary) << input;
}

// Fills in every field; of a variant the alternative that `choice` says, and within it the next
// one.
class Filler {
public:
  explicit Filler(std::size_t choice) : choice_(choice) {}

  template <class T> void operator()(const char*, T& field) { visit(field); }
  template <class T> void visit(T& field) {
    if constexpr (std::is_same_v<T, std::string>) field = "a" + std::to_string(++count_);
    else if constexpr (std::is_same_v<T, Bytes>) field.content = std::string(3, '\0');
    else if constexpr (std::is_same_v<T, bool>) field = true;
    else if constexpr (std::is_enum_v<T>) field = last_of<T>;
    else if constexpr (std::is_integral_v<T>) field = static_cast<T>(++count_);
    else if constexpr (is_vector<T>::value) {
      if (field.empty()) field.emplace_back();
      for (auto& one : field) visit(one);
    } else if constexpr (is_variant<T>::value) {
      const auto index = choice_ % std::variant_size_v<T>;
      choice_ /= std::variant_size_v<T>;
      emplace(field, index);
      std::visit([this](auto& one) { this->visit(one); }, field);
    } else describe(*this, field);
  }

private:
  template <class T, std::size_t I = 0> static void emplace(T& variant, std::size_t index) {
    if constexpr (I < std::variant_size_v<T>) {
      if (index == I) variant.template emplace<I>();
      else emplace<T, I + 1>(variant, index);
    }
  }
  std::size_t choice_;
  std::int64_t count_ = 0;
};

template <class T> T filled(std::size_t choice = 0) {
  T record{};
  Filler(choice).visit(record);
  return record;
}

// ---- records ----------------------------------------------------------------------------------

template <class T> void seed_record(unsigned place, std::size_t choices = 1) {
  for (std::size_t choice = 0; choice < choices; ++choice) {
    const auto message = encode(filled<T>(choice));
    seed("codec", static_cast<char>(place) + std::string(words_of(message)));
    if (choice == 0) seed("codec", static_cast<char>(place + 128) + message);
  }
}

void seed_records() {
  // In the order of tests/fuzz/codec.cpp; a RunCommand is the first of the requests, each time round.
  constexpr auto requests = std::variant_size_v<door::RequestBody>;
  seed_record<door::Request>(0, requests);
  for (std::size_t command = 1; command < std::variant_size_v<CommandBody>; ++command)
    seed("codec", '\0' + std::string(words_of(encode(filled<door::Request>(requests * command)))));
  seed_record<door::SealedRequest>(1);
  seed_record<door::Reply>(2, std::variant_size_v<door::ReplyBody>);
  seed_record<session::Envelope>(3, std::variant_size_v<session::Message>);
  seed_record<session::Ticket>(4);
  seed_record<session::Credential>(5);
  seed_record<session::Launch>(6);
  seed_record<session::Order>(7);
  seed_record<LinkFrame>(8);
  seed_record<store::JobOfFormat1>(9);
  seed_record<Reservation>(10);
  seed_record<ConfigurationObject>(11);
  seed_record<HostState>(12);
  seed_record<InstanceState>(13);
  seed_record<Counters>(14);
  seed_record<AccountingRecord>(15);
  seed_record<Letter>(16);
  seed_record<Answer>(17);
  seed_record<JournaledInput>(18, std::variant_size_v<Input>);
  seed_record<Job>(19);
  seed_record<Task>(20);
  seed_record<HostKey>(21);
  seed_record<door::ShownJob>(22);
  seed_record<door::ReservationView>(23);
  seed_record<SettledTransaction>(24);
  seed_record<ReportingRecord>(25);
  seed_record<UsageSpan>(26);
  seed_record<Series>(27);
  seed_record<SiteFile>(28);
  seed_record<ClaimChallenge>(29);
  seed_record<KeyGrant>(30);
}

// ---- requests ---------------------------------------------------------------------------------

JobRequest full_job() {
  JobRequest request;
  request.name = "x", request.resources = {{"h_rt", "0:1:0"}};
  request.script = {"#!/bin/sh\n"}, request.command = "x", request.arguments = {"a"};
  request.environment = {{"A", "1"}}, request.origin = {{"SGE_O_HOME", "/"}};
  request.shell = "/bin/sh", request.directory = "/", request.output = "o", request.error = "e";
  request.queues = {"all.q"}, request.soft_queues = {"all.q"}, request.master_queues = {"all.q"};
  request.soft_resources = {{"h_vmem", "1G"}};
  request.pe = "smp", request.slots = {{1, 2}}, request.tasks = {1, 4, 1};
  request.execution_time = {5}, request.deadline = {5}, request.most_running = 1;
  request.predecessors = {"1"}, request.mail_at = "beas", request.mail_to = {"alice"};
  request.reserve = true;
  request.context = {{"step", "2"}}, request.input = "in", request.array_predecessors = {"2"};
  request.binding = "set linear:2:0,0";
  request.checkpoint = "blcr", request.checkpoint_at = "n";
  return request;
}

ReservationRequest full_reservation() {
  ReservationRequest request;
  request.start = {1'050'000}, request.duration = {60}, request.has_duration = true;
  request.pe = "smp", request.slots = {{2, 2}};
  request.name = "ar", request.users = {"alice"}, request.queues = {"all.q"};
  request.resources = {{"h_rt", "60"}}, request.mail_at = "bea", request.mail_to = {"alice"};
  return request;
}

StartsQuery full_search() {
  StartsQuery query;
  query.request = full_reservation(), query.request.start = {};
  query.whom.user.user = "alice";
  query.search = {{1}, {1'060'000}, {1'070'000}, 62, 8, 18};
  query.max_ranges = 3, query.min_length = {5}, query.grain = {2};
  return query;
}

ConfigurationChange change(ObjectKind kind, const std::string& name,
                           std::vector<Attribute> attributes) {
  return {ChangeVerb::modify, {kind, name, std::move(attributes)}, {}};
}

std::vector<door::RequestBody> requests() {
  using namespace door;
  JobRequest plain;
  plain.name = "plain", plain.resources = {{"h_rt", "60"}};
  auto inside = plain, after = plain, wide = plain;
  inside.reservation = {1}, after.predecessors = {"1"}, wide.pe = "smp", wide.slots = {{2, 8}},
  wide.reserve = true;
  return {
      RunCommand{Submit{full_job(), "hash"}},
      RunCommand{Submit{plain, "hash"}},
      RunCommand{Submit{inside, "hash"}},
      RunCommand{Submit{after, "hash"}},
      RunCommand{Submit{wide, "hash"}},
      AskSubmit{{full_job(), "hash"}},
      RunCommand{Reserve{full_reservation()}},
      AskReserve{{full_reservation()}},
      RunCommand{PrepareReservation{"other", 0, ReservationVerb::change, full_reservation(), {60}}},
      RunCommand{
          PrepareReservation{"change", 1, ReservationVerb::change, full_reservation(), {60}}},
      RunCommand{PrepareReservation{"away", 1, ReservationVerb::destroy, full_reservation(), {60}}},
      RunCommand{DeleteJobs{{"2"}, {{1, 4, 1}}, {"alice"}, true}},
      RunCommand{DeleteJobs{{"1"}, {}, {}, false}},
      RunCommand{ChangeHold{{"2"}, {"alice"}, true, false, false, false}},
      RunCommand{ClearJobErrors{{"2"}}},
      RunCommand{ModifyQueues{QueueAction::disable, {"all.q"}}},
      RunCommand{ModifyQueues{QueueAction::suspend, {"all.q@h1"}}},
      RunCommand{ModifyJobs{JobAction::reschedule, {"1.2", "all.q"}, true, true}},
      RunCommand{DeleteReservations{{"1"}, {"root"}, false}},
      RunCommand{SettleReservation{"t", 2, true}},
      RunCommand{AlterReservation{1, {"-d", "-pe", "-u", "-m"}, full_reservation(), true}},
      AskAlterReservation{{1, {"-a", "-N", "-M"}, full_reservation(), false}, true},
      RunCommand{AddHost{"h9", 4}},
      RunCommand{AlterJobs{{"2"}, {"alice"}, {"-p", "-l", "-tc", "-a", "-N", "-M"}, full_job()}},
      RunCommand{ResubmitJobs{{{"2"}, {}, {"-p", "-N", "-ac"}, full_job(), {}, "u", ""}}},
      RunCommand{Configure{change(ObjectKind::cluster_queue, "all.q", {{"slots", "2"}})}},
      RunCommand{Configure{
          change(ObjectKind::cluster_queue, "all.q", {{"suspend_thresholds", "np_load_avg=1"}})}},
      RunCommand{
          Configure{change(ObjectKind::scheduler_configuration, "", {{"max_reservation", "5"}})}},
      RunCommand{
          Configure{change(ObjectKind::scheduler_configuration, "", {{"params", "MONITOR=1"}})}},
      RunCommand{Configure{
          change(ObjectKind::exec_host, "h1", {{"complex_values", "slots=3,h_vmem=4G"}})}},
      RunCommand{Configure{
          change(ObjectKind::parallel_environment, "smp", {{"allocation_rule", "$fill_up"}})}},
      RunCommand{Configure{
          {ChangeVerb::add,
           {ObjectKind::calendar, "c", {{"calendar_name", "c"}, {"week", "mon-fri=8-18=off"}}},
           {}}}},
      RunCommand{Configure{change(ObjectKind::cluster_queue, "all.q", {{"calendar", "c"}})}},
      RunCommand{
          Configure{{ChangeVerb::add_entries, {ObjectKind::userset, "arusers", {}}, {"alice"}}}},
      RunCommand{Configure{{ChangeVerb::erase, {ObjectKind::exec_host, "h2", {}}, {}}}},
      RunCommand{ConfigureAll{
          {{ChangeVerb::add,
            {ObjectKind::quota_set, "a", {{"limit", "limit hosts {*} to slots=$num_proc*2-1"}}},
            {}}}}},
      RunCommand{Configure{{ChangeVerb::modify_values,
                            {ObjectKind::cluster_queue, "all.q@@g", {{"slots", "2,[h1=4]"}}},
                            {}}}},
      RunCommand{Configure{
          {ChangeVerb::remove_values, {ObjectKind::quota_set, "a/1", {{"limit", "slots"}}}, {}}}},
      AskConfigure{Configure{change(ObjectKind::host_group, "@allhosts", {{"hostlist", "h1"}})}},
      AskConfigure{ConfigureAll{
          {{ChangeVerb::add, {ObjectKind::quota_set, "b", {{"limit", "limit to slots=1"}}}, {}}}}},
      door::AskStarts{full_search()},
      door::AskWhen{{full_job(), {{"alice"}}}},
      door::AskSite{{{"alice"}}, ReservationNumber{1}},
      RunCommand{ReserveEarliest{{"first", 0, ReservationVerb::change, full_search().request, {60}},
                                 full_search().search},
                 {},
                 {{{"alice"}, "grid"}}},
      AskWhy{{2}, true},
      GetJobs{{"1"}, {"alice"}, true},
      GetLines{{"alice"}, true, true, {{"all*"}, {{"lic", "1"}}, {"mpi"}, {"alice"}, {}, "d"}},
      GetCluster{{{"all*"}, {}, {}, {}, {}, {}}, {{"arch", "lx*"}}, true},
      GetQuotas{{{"alice"}, {"p"}, {"mpi"}, {"all*"}, {"@allhosts"}, {"s"}}, {1}, true},
      Inherit{{1}, 1, "h1", {"x"}, {{"A", "1"}}, "/", false},
      AwaitAttachment{{1}},
      GetGrant{{1}},
      RunCommand{IssueChallenge{{1}}},
      RunCommand{SpendChallenge{{1}}, {{"v1.AAAA.AAAA", "AAAA", "AAAA"}}},
      Attach{"h1", "h1:7001", {1, 0, 1}, {"c"}, {"s"}, true, 24, 80},
      GetInputs{3, {{"job 1"}}},
      GetUsage{{1}, {5}, {6}},
      AskNodes{full_reservation()}};
}

std::vector<Input> facts() {
  const Attempt attempt{1, 0, 1};
  return {TaskStarted{attempt},
          TaskEnded{attempt, {}},
          LaunchFailed{attempt, "h1", false, {}},
          TaskLost{attempt, "h1"},
          HostSilent{"h1", true},
          LoadChanged{"h1", filled<HostLoad>()},
          PartSilent{attempt, "h2"},
          TaskFenced{attempt, "h1"},
          TaskSaved{attempt, 4711},
          SiteFileRead{"sched_conf", "JobSortKey: ByQueue, SubmitTime\n"},
          SiteFileRead{"sched_conf", "?"},
          HostRegistered{"h1", filled<HostFacts>(), 9},
          TaskOverdue{attempt},
          Pass{}};
}

// One step as tests/fuzz/request.cpp reads it.
std::string step(unsigned kind, std::string_view content) {
  std::string text{static_cast<char>(kind), static_cast<char>(content.size()),
                   static_cast<char>(content.size() >> 8)};
  return text.append(content);
}

void seed_requests() {
  const std::string wait{'\5', '\x58', '\2'}; // 600 seconds
  std::string story, stream;
  for (const auto& body : requests()) {
    const auto message = encode(door::Request{1, "id", body});
    const auto words = words_of(message);
    seed("request", step(0, words) + wait + step(1, words));
    seed("door_frame", '\x3f' + door::framed(message));
    if (story.size() < 4000) story += step(1, words), stream += door::framed(message);
  }
  for (const auto& fact : facts())
    seed("request", step(4, words_of(encode(JournaledInput{1, {1}, 3, fact, 0}))) + wait);
  seed("request", story + wait);
  seed("door_frame", '\7' + stream);
  const auto inner = encode(door::Request{1, "id", door::AskWhy{{1}, true}});
  seed("door_frame",
       '\xff' + door::framed(encode(door::SealedRequest{{inner}, {"0123456789abcdef"}, "MUNGE:"})));
}

// ---- sessions ---------------------------------------------------------------------------------

void seed_sessions() {
  for (std::size_t place = 0; place < std::variant_size_v<session::Message>; ++place) {
    const auto envelope = filled<session::Envelope>(place);
    const Packet packet{1, 0, encode(envelope)};
    for (std::size_t listener = 0; listener < listeners.size(); ++listener)
      for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const char head[]{static_cast<char>(listener | stage << 2), '\1'};
        if (after(listeners[listener], stages[stage], envelope.body))
          seed("session",
               std::string(head, 2) + *frames_of(packet) + *frames_of({2, 1, packet.content}));
      }
    // What a signed order would hold.
    const session::Order order{"store", 7, "h1", {"session"}, 1, {packet.content}};
    const auto signed_order =
        encode(session::Envelope{session::SignedOrder{{encode(order)}, {std::string(64, 's')}}});
    if (is_order(envelope.body))
      for (const char choice : {'\x18', '\x1b'}) // an agent's open session; one that is called
        seed("session", std::string{choice, '\1'} + *frames_of({1, 0, signed_order}));
  }
}

// As an agent's network half passes it on.
void seed_helper() {
  for (unsigned verb = 0; verb <= static_cast<unsigned>(last_of<HelperVerb>); ++verb) {
    auto request = filled<HelperRequest>();
    request.verb = static_cast<HelperVerb>(verb);
    for (const char* command : {"", "k", "K", "end"}) {
      request.command = command;
      seed("helper_message", static_cast<char>(verb % 2) + print_fields(request, request_format));
    }
    HelperRequest small;
    small.verb = request.verb, small.attempt = {1, 0, 1};
    seed("helper_message", '\1' + print_fields(small, request_format));
  }
  seed("helper_message", std::string(1, '\0') + "in a file");
}

// What the master signs for a host of a task.
void seed_orders() {
  auto warrant = filled<Warrant>();
  seed("shepherd_order", print_warrant(warrant));
  warrant.host = warrant.first_host = "h1", warrant.tmpdir = "/tmp";
  auto job = filled<store::JobOfFormat1>();
  auto& task = job.tasks.front();
  task.grants.front().instance = {"all.q", "h1"};
  TaskSetting setting{"cell",
                      "h1",
                      {},
                      "/bin/sh",
                      "",
                      "root@/site/prolog $job_id $host",
                      "/site/epilog 'a b'",
                      "/site/start $pe_hostfile",
                      "",
                      {5},
                      "USR2",
                      "USR1",
                      true};
  auto& request = job.request.edit();
  for (const char* mode : {"posix_compliant", "script_from_stdin", "unix_behavior"})
    for (const bool binary : {false, true})
      for (const bool direct : {false, true}) {
        setting.shell_start_mode = mode, request.binary = binary, request.direct = direct;
        request.shell = direct ? "" : "h1:/usr/bin/env bash,/bin/sh";
        request.output = "$HOME/$JOB_ID.$TASK_ID", request.error = "h1:/tmp/e";
        request.environment = {{"LD_PRELOAD", "x"}, {"A", "1"}};
        warrant.order = *task_order(job, task, setting);
        seed("shepherd_order", print_warrant(warrant));
      }
  warrant.order = call_order(job, task, setting);
  seed("shepherd_order", print_warrant(warrant));
}

void seed_configuration() {
  const auto configuration = Configuration::initial("root", "master");
  for (const auto& object : configuration.objects()) {
    const auto text =
        object.kind == ObjectKind::complex ? print_complex_table(object) : print_object(object);
    for (const char verb : {'\0', '\1'})
      seed("configuration", std::string{verb, static_cast<char>(object.kind)} + text);
  }
  for (const char* rule : {"name cap users {ann,bob},!eve hosts @lin to slots=100,h_vmem=5G",
                           "projects !* pes mpi queues {all.q} hosts {h[12],!h1} to s=8-$p*.5",
                           "users * to arch=lx-amd64"})
    seed("configuration", std::string{'\0', static_cast<char>(ObjectKind::quota_set)} +
                              "{\nname a\ndescription \"text\"\nlimit " + rule + "\n}\n");
  for (unsigned kind = 0; kind <= static_cast<unsigned>(last_of<ObjectKind>); ++kind)
    for (unsigned verb = 0; verb <= static_cast<unsigned>(last_of<ChangeVerb>); ++verb)
      seed("configuration", std::string{static_cast<char>(verb), static_cast<char>(kind)} +
                                print_object(template_of(static_cast<ObjectKind>(kind), "x1")));
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "fuzz_seeds FOLDER\n";
    return 2;
  }
  folder = arguments[1];
  seed_records();
  seed_requests();
  seed_sessions();
  seed_orders();
  seed_helper();
  seed_configuration();
  for (const auto& [target, input] : text_seeds()) seed(target, input);
  return 0;
}
