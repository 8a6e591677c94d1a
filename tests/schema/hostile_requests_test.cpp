// Every field of every request, over its whole range: nothing crashes, hangs or grows. Those of
// metaschedulers (spec/metascheduler.md M2.3) are among them.
#include "core/job/job_line.hpp"
#include "core/planning/price/when.hpp"
#include "schema/codec.hpp"
#include "schema/door_objection.hpp"
#include "tests/core/planning/planner_fixture.hpp"
#include "tests/schema/spoiler.hpp"

using namespace almanac;

namespace {

class GivenABusyPlanner : public PlannerFixture {
public:
  std::uint64_t digest = 0;
  int requests = 0, refused = 0;

  void set_up_again() {
    planner = *Planner::restore(Planner::initial_records("root", "master"));
    hosts(2, 4);
    scheduler({{"params", "GMETA_PORT=root"}});
    change({ObjectKind::userset, "gmeta_grid", {{"entries", "bob"}}}, ChangeVerb::add);
    allow("bob");
    auto array = job("array", "1:0:0");
    array.tasks = {1, 20, 1}, array.reserve = true;
    submit(alice, job("runs", "0:10:0"));
    submit(alice, array);
    reserve(root, window(now.seconds + 7200, 3600));
    root_prepares();
    pass();
    digest = planner.digest();
  }
  void root_prepares() {
    auto request = window(now.seconds + 20000, 60);
    command(root, PrepareReservation{"t", 0, ReservationVerb::change, request, {600}, "sealed"});
  }

  static JobRequest full_job() {
    auto request = job("x", "0:1:0");
    request.script = {"#!/bin/sh\n"}, request.command = "x", request.arguments = {"a"};
    request.environment = {{"A", "1"}}, request.origin = {{"SGE_O_HOME", "/"}};
    request.shell = "/bin/sh", request.directory = "/", request.output = "o", request.error = "e";
    request.queues = {"all.q"}, request.soft_queues = {"all.q"}, request.master_queues = {"all.q"};
    request.soft_resources = {{"h_vmem", "1G"}};
    request.pe = "smp", request.slots = {{1, 2}}, request.tasks = {1, 4, 1};
    request.execution_time = {5}, request.deadline = {5}, request.most_running = 1;
    request.predecessors = {"1"}, request.mail_at = "beas", request.mail_to = {"alice"};
    request.reserve = true;
    return request;
  }
  static ReservationRequest full_reservation() {
    auto request = on_pe(window(1'050'000, 60), "smp", 2);
    request.name = "ar", request.users = {"alice"}, request.queues = {"all.q"};
    request.resources = {{"h_rt", "60"}}, request.mail_at = "bea", request.mail_to = {"alice"};
    request.master_queues = {"all.q"};
    return request;
  }

  // As it comes to the gate: through the wire, looked through, and to the planner if it is valid.
  void send(const door::RequestBody& body) {
    ++requests;
    const auto decoded = decode<door::Request>(encode(door::Request{1, "id", body}));
    const auto objection = objection_to(body);
    const auto jobs = planner.state().jobs().size();
    const auto answer = answer_of(body);
    const bool is_refused = !decoded || objection || answer.value_or(Answer()).exit_code != 0;
    refused += is_refused;
    if (objection) {
      EXPECT_LT(text(*objection).size(), 1000u);
    }
    if (objection && answer) {
      EXPECT_EQ(text(*answer), text(*objection));
      EXPECT_EQ(planner.digest(), digest);
    }
    EXPECT_LE(planner.state().jobs().size(), jobs + most_new_jobs(body, jobs));
    if (planner.digest() == digest) return;
    pass();
    for (const auto& [key, job] : planner.state().jobs()) {
      EXPECT_LE(lines_of(*job, {}, true).size(), 30u);
      planner.ask(ExplainJob{job->number, true}, now);
    }
    set_up_again();
  }
  // qresub copies each job once.
  static std::size_t most_new_jobs(const door::RequestBody& body, std::size_t jobs) {
    const auto* run = std::get_if<door::RunCommand>(&body);
    return run && std::holds_alternative<ResubmitJobs>(run->body) ? jobs : 1;
  }
  // The gate's, before anybody is asked.
  std::optional<Answer> objection_to(const door::RequestBody& body) const {
    const auto answer_in = [](const auto& found) -> std::optional<Answer> {
      if (const auto* refusal = std::get_if<Answer>(&found)) return *refusal;
      return std::nullopt;
    };
    if (auto why = door::objection(body)) return why;
    if (const auto* run = std::get_if<door::RunCommand>(&body))
      return answer_in(validated(Command{root, run->body, {}, run->whom}));
    if (const auto* ask = std::get_if<door::AskSubmit>(&body))
      return answer_in(validated(VerifySubmit{root, ask->command, ask->jobs}));
    if (const auto* ask = std::get_if<door::AskReserve>(&body))
      return answer_in(validated(VerifyReserve{root, ask->command}));
    if (const auto* ask = std::get_if<door::AskAlterReservation>(&body))
      return answer_in(validated(VerifyAlterReservation{root, ask->command}));
    if (const auto* ask = std::get_if<door::AskConfigure>(&body))
      return answer_in(validated(VerifyConfigure{root, ask->command}));
    if (const auto* ask = std::get_if<door::AskStarts>(&body))
      return answer_in(validated(AskStarts{root, ask->query}));
    if (const auto* ask = std::get_if<door::AskWhen>(&body))
      return answer_in(validated(AskWhen{root, ask->query}));
    if (const auto* ask = std::get_if<door::AskSite>(&body))
      return answer_in(validated(AskSite{root, ask->whom, ask->reservation}));
    if (const auto* ask = std::get_if<door::AskNodes>(&body))
      return answer_in(validated(FindNodes{root, ask->request}));
    return std::nullopt;
  }
  // Nothing where it is no affair of the planner.
  std::optional<Answer> answer_of(const door::RequestBody& body) {
    if (door::objection(body)) return std::nullopt;
    if (const auto* run = std::get_if<door::RunCommand>(&body))
      return *handle(Command{root, run->body, {}, run->whom}).answer;
    if (const auto* ask = std::get_if<door::AskSubmit>(&body))
      return PlannerFixture::ask(VerifySubmit{root, ask->command, ask->jobs});
    if (const auto* ask = std::get_if<door::AskReserve>(&body))
      return PlannerFixture::ask(VerifyReserve{root, ask->command});
    if (const auto* ask = std::get_if<door::AskAlterReservation>(&body))
      return PlannerFixture::ask(VerifyAlterReservation{root, ask->command});
    if (const auto* ask = std::get_if<door::AskConfigure>(&body))
      return PlannerFixture::ask(VerifyConfigure{root, ask->command});
    if (const auto* ask = std::get_if<door::AskStarts>(&body))
      return PlannerFixture::ask(AskStarts{root, ask->query});
    if (const auto* ask = std::get_if<door::AskSite>(&body))
      return PlannerFixture::ask(AskSite{root, ask->whom, ask->reservation});
    if (const auto* ask = std::get_if<door::AskWhen>(&body)) return when(*ask);
    if (const auto* ask = std::get_if<door::AskNodes>(&body))
      return PlannerFixture::ask(FindNodes{root, ask->request});
    return std::nullopt;
  }

  // A few moments of the forecast.
  Answer when(const door::AskWhen& asked) {
    const auto found = validated(AskWhen{root, asked.query});
    if (const auto* refusal = std::get_if<Answer>(&found)) return *refusal;
    StartForecast forecast(planner.state().records().copy(), *std::get<0>(found), now);
    for (int looks = 0; looks < 5 && forecast.look(); ++looks) {
    }
    return forecast.answer();
  }

  void spoil(const door::RequestBody& sample) {
    set_up_again();
    const auto answer = answer_of(sample).value_or(Answer());
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    set_up_again();
    each_spoiled(sample, [this](const door::RequestBody& body, int field, std::size_t way) {
      SCOPED_TRACE("request " + std::to_string(body.index()) + " field " + std::to_string(field) +
                   " way " + std::to_string(way));
      send(body);
    });
  }
  void TearDown() override {
    // Most of it is nonsense, and some of it is taken.
    EXPECT_GT(refused, requests / 4);
  }
};

} // namespace

TEST_F(GivenABusyPlanner, WhenAJobIsSubmittedWithAnyFieldsThenNothingBreaks) {
  spoil(door::RunCommand{Submit{full_job(), "hash"}});
}

TEST_F(GivenABusyPlanner, WhenItIsAskedAboutAJobWithAnyFieldsThenNothingBreaks) {
  auto request = full_job();
  request.validation = Validation::verify;
  spoil(door::AskSubmit{{request, "hash"}});
  spoil(door::AskSubmit{{}, {{"2"}, {"alice"}, {"-l", "-w"}, request}});
}

TEST_F(GivenABusyPlanner, WhenAReservationHasAnyFieldsThenNothingBreaks) {
  spoil(door::RunCommand{Reserve{full_reservation()}});
  spoil(door::AskReserve{{full_reservation()}});
  spoil(door::RunCommand{
      PrepareReservation{"other", 0, ReservationVerb::change, full_reservation(), {60}}});
}

TEST_F(GivenABusyPlanner, WhenAMetaschedulerAsksWithAnyFieldsThenNothingBreaks) {
  StartsQuery query;
  query.request = full_reservation(), query.request.start = {};
  query.search = {now, now + Duration{900}, now + Duration{1900}, 127, 0, 24};
  spoil(door::AskStarts{query});
  spoil(door::AskSite{{}, {1}});
  query.search.latest = query.search.end_by = now + Duration{86'400};
  spoil(door::RunCommand{ReserveEarliest{{"first", 0, ReservationVerb::change, query.request, {60}},
                                         query.search,
                                         false},
                         {},
                         {{{"bob", "users", 1002, 1002, "master"}, "grid"}}});
  JobRequest job;
  job.name = "query", job.binary = true, job.command = "true", job.directory = "/";
  job.resources = {{"h_rt", "60"}};
  spoil(door::AskWhen{{job, {}}});
}

TEST_F(GivenABusyPlanner, WhenNodesAreAskedForWithAnyFieldsThenNothingBreaks) {
  ReservationRequest request;
  request.duration = {60}, request.has_duration = true;
  request.nodes = 1, request.whole_nodes = request.preempts = true;
  request.least = {{"mem_total", "1M"}}, request.os = "linux", request.queues = {"all.q"};
  spoil(door::AskNodes{request});
}

TEST_F(GivenABusyPlanner, WhenAKeyIsClaimedWithAnyFieldsThenNothingBreaks) {
  spoil(door::RunCommand{IssueChallenge{{2}, "nonce"}});
  set_up_again();
  const door::RequestBody trial =
      door::RunCommand{SpendChallenge{{2}}, {{"v1.AA.AA", "AAAA", "AAAA"}}};
  each_spoiled(trial, [this](const door::RequestBody& body, int, std::size_t) { send(body); });
}

// What the gate makes of a claim that somebody sent.
TEST_F(GivenABusyPlanner, WhenACheckedClaimHasAnyFieldsThenNothingBreaks) {
  const CheckedClaim claim{ClaimVerdict::proved, "AAAA", {2}, {2}, {1LL << 40}};
  set_up_again();
  each_spoiled(claim, [this](const CheckedClaim& spoiled, int, std::size_t) {
    for (const CommandBody& body :
         {CommandBody(SpendChallenge{{2}}), CommandBody(DeleteReservations{{"2"}, {}, false})}) {
      const auto answer = *handle(Command{alice, body, {spoiled}}).answer;
      EXPECT_NE(answer.exit_code, 0) << "no nonce was given";
      ++requests, ++refused;
    }
  });
}

TEST_F(GivenABusyPlanner, WhenAnyOtherCommandHasAnyFieldsThenNothingBreaks) {
  spoil(door::RunCommand{RemoveReservations{{"1"}, {}, ReservationVerb::cancel}});
  spoil(door::RunCommand{RemoveReservations{{}, {"root"}, ReservationVerb::destroy}});
  spoil(door::RunCommand{DeleteJobs{{"2"}, {{1, 4, 1}}, {"alice"}, true}});
  spoil(door::RunCommand{ChangeHold{{"2"}, {"alice"}, true, false, false, false}});
  spoil(door::RunCommand{ClearJobErrors{{"2"}}});
  spoil(door::RunCommand{ModifyQueues{QueueAction::disable, {"all.q"}}});
  spoil(door::RunCommand{DeleteReservations{{"1"}, {"root"}, false}});
  spoil(door::RunCommand{SettleReservation{"t", 2, true}});
  spoil(door::RunCommand{AddHost{"h9", 4}});
  spoil(door::RunCommand{ChangeHostKey{KeyAction::revoke, "h1"}});
  AlterJobs changes{{"2"}, {"alice"}, {"-p", "-l", "-tc", "-a", "-N", "-M"}, full_job()};
  changes.context = {{ContextVerb::add, {{"step", "2"}}}};
  spoil(door::RunCommand{ResubmitJobs{changes}});
  changes.held = "u", changes.released = "os";
  spoil(door::RunCommand{changes});
  spoil(door::RunCommand{
      Configure{{ChangeVerb::modify, {ObjectKind::cluster_queue, "all.q", {{"slots", "2"}}}, {}}}});
  spoil(door::RunCommand{
      Configure{{ChangeVerb::add_entries, {ObjectKind::userset, "arusers", {}}, {"alice"}}}});
  for (const auto verb : {ChangeVerb::add_values, ChangeVerb::modify_values})
    spoil(door::RunCommand{Configure{
        {verb,
         {ObjectKind::cluster_queue, "all.q@h1", {{"slots", "5"}, {"pe_list", "smp,mpi"}}},
         {}}}});
  spoil(door::RunCommand{ConfigureAll{
      {{ChangeVerb::add, {ObjectKind::quota_set, "a", {{"limit", "limit to slots=2"}}}, {}},
       {ChangeVerb::erase, {ObjectKind::quota_set, "a", {}}, {}}}}});
}

TEST_F(GivenABusyPlanner, WhenAChangeIsTriedWithAnyFieldsThenNothingBreaks) {
  spoil(door::AskConfigure{
      Configure{{ChangeVerb::modify, {ObjectKind::cluster_queue, "all.q", {{"slots", "2"}}}, {}}}});
  spoil(door::AskConfigure{
      Configure{{ChangeVerb::modify_values,
                 {ObjectKind::cluster_queue, "all.q@h1", {{"slots", "5"}, {"pe_list", "smp,mpi"}}},
                 {}}}});
  spoil(door::AskConfigure{ConfigureAll{
      {{ChangeVerb::add, {ObjectKind::quota_set, "a", {{"limit", "limit to slots=2"}}}, {}}}}});
}

TEST_F(GivenABusyPlanner, WhenAQuestionHasAnyFieldsThenNothingBreaks) {
  spoil(door::AskWhy{{1}, true});
  spoil(door::GetJobs{{"1"}, {"alice"}, true});
  const InstanceSelection some{{"all*"},  {{"lic", "1"}},       {"mpi"},
                               {"alice"}, {{"alice", "users"}}, "du"};
  spoil(door::GetLines{{"alice"}, true, true, some});
  spoil(door::GetCluster{some, {{"arch", "lx*"}}, true});
  spoil(door::GetQuotas{{{"alice"}, {"p"}, {"mpi"}, {"all*"}, {"@allhosts"}, {"s"}}, {1}, true});
  spoil(door::GetUsage{{1, 2}, {5}, {6}});
  spoil(door::GetGrant{{2}});
  spoil(door::Inherit{{1}, 1, "h1", {"x"}, {{"A", "1"}}, "/", false});
  spoil(door::Attach{"h1", "h1:7001", {1, 0, 1}, {"c"}, {"s"}, true, 24, 80});
  spoil(door::AwaitAttachment{{1}});
  spoil(door::GetInputs{3, {{"job 1"}}});
  refused = requests; // most are only looked up
}

TEST(GivenAQuestionForInstances, WhenItIsSenselessThenItIsRefused) {
  const auto is_refused = [](InstanceSelection selection) {
    return door::objection(door::GetCluster{selection}).has_value() &&
           door::objection(door::GetLines{{}, false, false, selection}).has_value();
  };
  EXPECT_FALSE(door::objection(door::GetCluster{}).has_value());
  InstanceSelection many, large, patterns, states, requests, text;
  many.queues.assign(1001, "q"), large.pes = {std::string(513, 'x')};
  patterns.users.assign(9, std::string(500, '*')), states.states = "x";
  requests.resources.assign(101, {"arch", "x"}), text.queues = {std::string("a\0b", 3)};
  for (const auto& selection : {many, large, patterns, states, requests, text})
    EXPECT_TRUE(is_refused(selection));
  EXPECT_TRUE(door::objection(door::GetCluster{{}, requests.resources}).has_value());
}

TEST(GivenAQuestionForInputs, WhenItIsSenselessThenItIsRefused) {
  const auto is_refused = [](std::int64_t after, std::vector<std::string> names) {
    return door::objection(door::GetInputs{after, {std::move(names)}}).has_value();
  };
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(is_refused(0, {}));
  EXPECT_FALSE(is_refused(-5, std::vector<std::string>(16, "job 1")));
  EXPECT_FALSE(is_refused(highest - 1, {"job 1"}));
  EXPECT_TRUE(is_refused(0, std::vector<std::string>(17, "job 1"))) << "each input is compared";
  EXPECT_TRUE(is_refused(0, {"job 1", std::string("a\0b", 3)}));
  EXPECT_TRUE(is_refused(0, {std::string(1 << 20, 'x')}));
  EXPECT_TRUE(is_refused(highest, {})) << "nothing is behind it";
}

// Each attribute of each kind of object, in the hands of a manager who makes mistakes.
TEST_F(GivenABusyPlanner, WhenAConfigurationHasAnyFieldsThenNothingBreaks) {
  for (int kind = 0; kind <= static_cast<int>(last_of<ObjectKind>); ++kind) {
    if (static_cast<ObjectKind>(kind) == ObjectKind::orphan) continue;
    auto object = template_of(static_cast<ObjectKind>(kind), "h1");
    for (const auto verb : {ChangeVerb::add, ChangeVerb::modify}) {
      set_up_again();
      each_spoiled(object, [&](const ConfigurationObject& spoiled, int field, std::size_t way) {
        SCOPED_TRACE("kind " + std::to_string(kind) + " field " + std::to_string(field) + " way " +
                     std::to_string(way));
        send(door::RunCommand{Configure{{verb, spoiled, {}}}});
      });
    }
  }
}
