// What is kept of the past of instances, reservations and tasks, and what it is summed up to
// (spec/beyond.md section 9).
#include "actors/master/usage_frames.hpp"
#include "actors/master/kept_spans.hpp"
#include "core/planning/planner.hpp"
#include "schema/codec.hpp"
#include "schema/store/records.hpp"
#include "schema/store/spans.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

// A planner whose commits go to a store as the calendar's do.
class GivenAKeptPast : public ::testing::Test {
public:
  const Caller root{"root", "root", 0, 0, "master"};

  GivenAKeptPast() {
    begin();
    for (const char* host : {"n1", "n2", "n3", "n4"}) {
      tell(Command{root, AddHost{host, 4}});
      tell(HostRegistered{host, {"lx-amd64", 4, 8LL << 30, "boot", "spool", "127.0.0.1:1"}});
    }
  }

  /// A start of the master.
  void begin() {
    kept = {};
    KeptSpans::Writes writes;
    kept.begin(planner.state(), store, now, writes);
    store.commit(writes, Term{1});
  }
  Decisions tell(const Input& input) {
    auto decisions = planner.handle(std::get<ValidInput>(validated_input(input)), now);
    auto writes = store::writes_of(decisions);
    for (const auto& effect : decisions.effects)
      if (const auto* record = std::get_if<AccountingRecord>(&effect))
        for (auto& span : store::spans_of(*record)) writes.push_back(std::move(span));
    kept.follow(planner.state(), decisions.effects, planner.state().records().events(), now,
                writes);
    store.commit(writes, Term{1});
    return decisions;
  }
  void at(std::int64_t seconds) { now = t + Duration{seconds}; }

  door::UsageReport usage(door::GetUsage query = {}) const {
    const auto frames = usage_frames(store.snapshot(), std::move(query), now);
    door::UsageReport last;
    while (auto frame = frames->next()) last = std::get<door::UsageReport>(*frame);
    return last;
  }
  std::int64_t submit(const std::string& where, std::int64_t ar) {
    JobRequest request;
    request.name = "j", request.pe = "fill", request.slots = {{4, 4}};
    request.queues = {where}, request.reservation = {ar};
    request.resources = {{"h_rt", "400"}};
    const auto number = tell(Command{root, Submit{request, "hash"}}).answer->number;
    tell(Pass{});
    tell(TaskStarted{attempt(number)});
    return number;
  }
  Attempt attempt(std::int64_t number) const {
    return {planner.state().job_by_number({number})->key, 0, 1};
  }
  void end(std::int64_t number) { tell(TaskEnded{attempt(number), {}}); }

  const Instant t{1'000'000};
  Instant now = t;
  MemoryStore store;
  Planner planner{*Planner::restore(Planner::initial_records("root", "master"))};
  KeptSpans kept;
};

} // namespace

// B9.4, and the example of the section with a restart of the master in it.
TEST_F(GivenAKeptPast, WhenTheExampleIsPlayedThenTheReportIsThatOfTheSpecification) {
  ReservationRequest request;
  request.start = t + Duration{200}, request.end = t + Duration{800};
  request.pe = "fill", request.slots = {{8, 8}};
  request.queues = {"*@n1", "*@n2"};
  request.account = "course";
  tell(Command{root, Reserve{request}});
  const auto outside = submit("*@n3", 0);
  const auto due = [this] {
    tell(ReservationDue{planner.state().reservation_by_number({1})->key});
  };
  at(200), due();
  at(300);
  const auto inside = submit("*@n1", 1);
  at(400), begin();
  const auto before = usage().cell;
  EXPECT_EQ(before.used_inside, 400) << "what runs counts until now";
  EXPECT_EQ(before.slots_by_time(), 16 * 400);
  at(500), end(outside);
  at(600), tell(HostSilent{"n2", true});
  at(700), end(inside);
  at(800), due();
  at(1000);
  const auto report = usage();
  EXPECT_EQ(report.cell, (CellUsage{1600, 2000, 1600, 0, 0, 2400, 0, 8400, 0}));
  EXPECT_EQ(report.cell.slots_by_time(), 16000);
  ASSERT_EQ(report.reservations.size(), 1u);
  const auto& own = report.reservations.front();
  EXPECT_EQ(own.usage, (ReservationUsage{1600, 2400, 800}));
  EXPECT_EQ(own.owner + " " + own.account, "root course") << "who is charged";
  EXPECT_TRUE(own.nodes.empty()) << "they were not asked for";
  const auto by_node = usage({{}, {}, {}, true}).reservations;
  ASSERT_EQ(by_node.size(), 1u);
  EXPECT_EQ(by_node.front().reserved_for, 600);
  EXPECT_EQ(by_node.front().nodes, (std::vector<NodeUsage>{{"n1", 600, 400}, {"n2", 600, 0}}));
  EXPECT_FALSE(by_node.front().given_up);
  EXPECT_TRUE(usage({{2}, {}, {}}).reservations.empty());
  EXPECT_EQ(usage({{}, t + Duration{600}, t + Duration{800}}).cell.down, 800);
}

// docs/spec/plus.md P3.66: what comes behind the end of one that is given up is not reserved any more.
TEST_F(GivenAKeptPast, WhenAReservationIsDeletedThenItCountsUntilThenAndIsGivenUp) {
  ReservationRequest request;
  request.start = t + Duration{100}, request.end = t + Duration{800};
  request.pe = "fill", request.slots = {{4, 4}};
  request.queues = {"*@n1"};
  tell(Command{root, Reserve{request}});
  at(100), tell(ReservationDue{planner.state().reservation_by_number({1})->key});
  at(400);
  EXPECT_FALSE(usage().reservations.front().given_up);
  tell(Command{root, DeleteReservations{{"1"}, {}, false}});
  at(900);
  const auto report = usage({{}, {}, {}, true});
  ASSERT_EQ(report.reservations.size(), 1u);
  EXPECT_TRUE(report.reservations.front().given_up);
  EXPECT_EQ(report.reservations.front().reserved_for, 300);
}

// However much is asked for, the answer ends where the known past ends.
TEST_F(GivenAKeptPast, WhenMoreIsAskedForThanIsKnownThenTheReportSaysWhatItIsOf) {
  at(100);
  const auto report = usage({{}, {1}, t + Duration{1000}});
  EXPECT_EQ(report.during, (Window{t, t + Duration{100}}));
  EXPECT_EQ(report.cell.free, 1600);
}

TEST_F(GivenAKeptPast, WhenSlotsOrHostsChangeThenEachTimeHasItsOwn) {
  at(100);
  tell(Command{
      root,
      Configure{{ChangeVerb::modify, {ObjectKind::cluster_queue, "all.q", {{"slots", "1"}}}, {}}}});
  at(200);
  EXPECT_EQ(usage().cell.free, 1600 + 400);
  EXPECT_EQ(usage().cell.slots_by_time(), 2000);
}

// B9.14: what a maintenance closes, less what its own jobs use.
TEST_F(GivenAKeptPast, WhenAMaintenanceClosesAHostThenItsTimeIsThatOfTheMaintenance) {
  ReservationRequest request;
  request.start = t + Duration{200}, request.end = t + Duration{800};
  request.maintenance = true, request.hosts = {"n1"};
  ASSERT_EQ(tell(Command{root, Reserve{request}}).answer->exit_code, 0);
  const auto due = [this] {
    tell(ReservationDue{planner.state().reservation_by_number({1})->key});
  };
  at(200), due();
  at(300);
  const auto inside = submit("*@n1", 1);
  at(700), end(inside);
  at(800), due();
  at(1000);
  const auto report = usage();
  const auto cell = report.cell;
  ASSERT_EQ(report.reservations.size(), 1u);
  EXPECT_EQ(report.reservations.front().owner, "root");
  EXPECT_EQ(report.reservations.front().usage, (ReservationUsage{1600}));
  EXPECT_EQ(cell.maintenance, 4 * 600 - 1600);
  EXPECT_EQ(cell.used_inside, 1600);
  EXPECT_EQ(cell.slots_by_time(), 16000);
}

// B9.3: found when it is looked at, every five seconds; until then it is free.
TEST_F(GivenAKeptPast, WhenAReservationKeepsAJobAwayThenWhatIsFreeMeanwhileIsAGap) {
  ReservationRequest request;
  request.start = t + Duration{200}, request.end = t + Duration{800};
  request.pe = "fill", request.slots = {{4, 4}};
  request.queues = {"*@n1"};
  tell(Command{root, Reserve{request}});
  JobRequest job;
  job.name = "j", job.queues = {"*@n1"}, job.resources = {{"h_rt", "400"}};
  at(100);
  tell(Command{root, Submit{job, "hash"}});
  tell(Pass{});
  at(150), begin();
  at(160), tell(Pass{});
  at(200), tell(ReservationDue{planner.state().reservation_by_number({1})->key});
  at(300);
  const auto report = usage();
  EXPECT_EQ(report.cell.gap, 100) << "of one job, from its submission to the start";
  EXPECT_EQ(report.cell.slots_by_time(), 16 * 300);
  ASSERT_EQ(report.reservations.size(), 1u);
  EXPECT_EQ(report.reservations.front().usage.gap, 100);
  const auto before = usage({{}, t, t + Duration{200}});
  ASSERT_EQ(before.reservations.size(), 1u);
  EXPECT_EQ(before.reservations.front().owner, "root") << "also of one that is still to come";
  tell(Command{root, DeleteJobs{{"1"}, {}, {}, false}});
  at(400), tell(Pass{});
  EXPECT_EQ(usage().cell.gap, 100);
}
