// What the reporting file is told of reservations (spec/reservations.md section 13.2).
#include "reports_fixture.hpp"

using namespace almanac;

namespace {

class GivenReportsOfReservations : public ReportsFixture {
public:
  GivenReportsOfReservations() { report("reporting=true"); }

  bool is_looked_at(ReportKind kind) const override { return kind < ReportKind::new_job; }
  std::int64_t inside(std::int64_t ar) {
    auto request = job("inside");
    request.reservation = {ar};
    const auto number = submit(root, request);
    pass(), start(number);
    return number;
  }
  Answer remove(bool force = false) { return command(root, DeleteReservations{{"1"}, {}, force}); }
};

} // namespace

// R13.3, R13.4, R13.5, R13.6, R13.7, R13.8, R13.9; reservations T1, reservations T5, reservations T9
TEST_F(GivenReportsOfReservations, WhenOneComesBeginsAndEndsThenEachStepHasItsLines) {
  hosts(1, 4);
  auto request = on_pe(window(1'000'100, 100), "fill", 2);
  request.name = "course", request.resources = {{"arch", "lx-amd64"}};
  reserve(root, request);
  EXPECT_EQ(told(), (Lines{"1000000:new_ar:1000000:1:root",
                           "1000000:ar_attribute:1000000:1000000:1:course:sge:1000100:1000200:fill:"
                           "arch=lx-amd64"}));
  now = {1'000'100};
  due(1);
  EXPECT_EQ(told(), Lines{"1000100:ar_log:1000100:1000000:1:r:START TIME REACHED:start time of AR "
                          "reached"});
  now = {1'000'200};
  due(1);
  EXPECT_EQ(told(), (Lines{"1000200:ar_log:1000200:1000000:1:x:TERMINATED:end time of AR reached",
                           "1000200:ar_acct:1000200:1000000:1:all.q:h1:2"}));
}

// reservations T3, reservations T4, reservations T6, reservations T7, reservations T8
TEST_F(GivenReportsOfReservations, WhenAHostIsAwayThenTheLinesSaySoOnce) {
  hosts(1, 4);
  reserve(root, window(1'000'100, 100));
  told();
  lose("h1");
  EXPECT_EQ(told(), Lines{"1000000:ar_log:1000000:1000000:1:W:RESOURCES UNSATISFIED:AR resources "
                          "unsatisfied"})
      << "T3";
  come_back("h1");
  EXPECT_EQ(told(), Lines{"1000000:ar_log:1000000:1000000:1:w:RESOURCES SATISFIED:AR resources "
                          "satisfied"})
      << "T4";
  lose("h1"), told();
  now = {1'000'100};
  due(1);
  EXPECT_EQ(told(), Lines{"1000100:ar_log:1000100:1000000:1:E:START TIME REACHED:start time of AR "
                          "reached"});
  come_back("h1");
  ASSERT_EQ(lines.size(), 1u) << "T8";
  EXPECT_NE(lines[0].find(":r:RESOURCES SATISFIED:"), std::string::npos) << lines[0];
  told();
  lose("h1");
  ASSERT_EQ(lines.size(), 1u) << "T7";
  EXPECT_NE(lines[0].find(":E:RESOURCES UNSATISFIED:"), std::string::npos) << lines[0];
}

// reservations T2
TEST_F(GivenReportsOfReservations, WhenOneIsGrantedOnAHostThatIsAwayThenItsLinesSayThat) {
  hosts(1, 4);
  lose("h1");
  reserve(root, window(1'000'100, 100));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_NE(lines[2].find(":W:RESOURCES UNSATISFIED:"), std::string::npos) << lines[2];
}

// reservations T10
TEST_F(GivenReportsOfReservations, WhenOneIsDeletedWithoutJobsThenItIsAccountedAtOnce) {
  hosts(2, 4);
  reserve(root, on_pe(window(1'000'100, 100), "fill", 6));
  told();
  remove();
  EXPECT_EQ(told(), (Lines{"1000000:ar_log:1000000:1000000:1:d:DELETED:AR deleted",
                           "1000000:ar_acct:1000000:1000000:1:all.q:h1:4",
                           "1000000:ar_acct:1000000:1000000:1:all.q:h2:2"}));
}

// reservations T11, reservations T12, reservations T13
TEST_F(GivenReportsOfReservations, WhenJobsAreInADeletedOneThenItIsAccountedAfterTheLast) {
  hosts(1, 4);
  reserve(root, on_pe(window(now.seconds, 1000), "fill", 2));
  const auto number = inside(1);
  told();
  remove();
  EXPECT_EQ(told(), Lines{});
  tell(HostSilent{"h1", false});
  EXPECT_EQ(told(), Lines{});
  now = now + Duration{10};
  end(number);
  EXPECT_EQ(told(), (Lines{"1000010:ar_log:1000010:1000000:1:d:DELETED:AR deleted",
                           "1000010:ar_acct:1000010:1000000:1:all.q:h1:2"}));
}

// reservations T14
TEST_F(GivenReportsOfReservations, WhenADeletedOneIsDeletedByForceThenItIsAccountedOnce) {
  hosts(1, 4);
  reserve(root, window(now.seconds, 1000));
  inside(1);
  remove();
  told();
  remove(true);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find(":d:DELETED:"), std::string::npos) << lines[0];
}

TEST_F(GivenReportsOfReservations, WhenOneThatIsOverWaitsForItsJobThenItsEndIsToldOnce) {
  hosts(1, 4);
  reserve(root, window(now.seconds, 1000));
  const auto number = inside(1);
  told();
  now = now + Duration{1000};
  due(1);
  ASSERT_EQ(told().size(), 2u) << "TERMINATED and what it had";
  remove();
  restart();
  end(number);
  EXPECT_EQ(told(), Lines{});
}

// B0.67
TEST_F(GivenReportsOfReservations, WhenOneIsRepairedThenWhatItLosesIsAccountedThen) {
  hosts(2, 4);
  auto request = on_pe(window(1'000'100, 100), "fill", 3);
  request.repair = Repair::yes;
  reserve(root, request);
  told();
  lose("h1");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_NE(lines[0].find(":RESOURCES UNSATISFIED:"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find(":ar_attribute:"), std::string::npos) << lines[1];
  EXPECT_EQ(lines[2], "1000000:ar_acct:1000000:1000000:1:all.q:h1:3");
  EXPECT_NE(lines[3].find(":RESOURCES SATISFIED:"), std::string::npos) << lines[3];
}

// R13.5, B0.65
TEST_F(GivenReportsOfReservations, WhenAChangeIsCommittedThenItHasNewAttributesAndNotBefore) {
  hosts(1, 4);
  reserve(root, on_pe(window(1'000'100, 100), "fill", 3));
  told();
  auto change = on_pe(ReservationRequest(), "fill", 1);
  change.end = {1'000'300};
  command(root, PrepareReservation{"t", {1}, ReservationVerb::change, change, {60}});
  EXPECT_EQ(told(), Lines{});
  command(root, SettleReservation{"t", {1}, true});
  EXPECT_EQ(told(), (Lines{"1000000:ar_attribute:1000000:1000000:1::sge:1000100:1000300:fill:NONE",
                           "1000000:ar_acct:1000000:1000000:1:all.q:h1:2"}));
}

// R13.5, B12.42: also what does not stand in the record.
TEST_F(GivenReportsOfReservations, WhenAnythingOfOneIsChangedThenThatIsARecord) {
  hosts(2, 4);
  reserve(root, on_pe(window(1'000'100, 100), "fill", 3));
  told();
  const auto change = [&](const std::string& option, auto fill) {
    AlterReservation command{{1}, {option}, {}};
    fill(command.request);
    EXPECT_EQ(this->command(root, command).exit_code, 0) << option;
    EXPECT_NE(lines.empty() ? 0 : lines[0].find(":ar_attribute:") + 1, 0u) << option;
    return told();
  };
  EXPECT_EQ(change("-m", [](auto& r) { r.mail_at = "a"; }).size(), 1u);
  change("-M", [](auto& r) { r.mail_to = {"bob@h1"}; });
  change("-he", [](auto& r) { r.hard = true; });
  change("-repair", [](auto& r) { r.repair = Repair::no; });
  change("-attract", [](auto& r) { r.attract = true; });
  change("-idle", [](auto& r) { r.ends_when_idle = true, r.idle_for = {600}; });
  EXPECT_EQ(change("-spare", [](auto& r) { r.spare = 1; }).size(), 1u);
  EXPECT_EQ(change("-spare", [](auto& r) { r.spare = 0; }),
            (Lines{"1000000:ar_attribute:1000000:1000000:1::sge:1000100:1000200:fill:NONE",
                   "1000000:ar_acct:1000000:1000000:1:all.q:h2:3"}))
      << "a spare host that leaves is accounted (B0.67)";
  change("-spare", [](auto& r) { r.spare = 1; });
  remove();
  EXPECT_EQ(told(), (Lines{"1000000:ar_acct:1000000:1000000:1:all.q:h2:3",
                           "1000000:ar_log:1000000:1000000:1:d:DELETED:AR deleted",
                           "1000000:ar_acct:1000000:1000000:1:all.q:h1:3"}))
      << "spare hosts are free at once";
}

TEST_F(GivenReportsOfReservations, WhenOneIsOnlyProposedThenNothingIsToldOfIt) {
  hosts(1, 4);
  const auto request = on_pe(window(1'000'100, 100), "fill", 1);
  command(root, PrepareReservation{"t", {}, ReservationVerb::change, request, {60}});
  command(root, SettleReservation{"t", {1}, false});
  EXPECT_EQ(told(), Lines{});
}

TEST_F(GivenReportsOfReservations, WhenTheMasterIsRestartedThenNothingIsToldAgain) {
  hosts(1, 4);
  reserve(root, window(now.seconds, 1000));
  told();
  restart();
  EXPECT_EQ(told(), Lines{});
}

// R13.10
TEST_F(GivenReportsOfReservations, WhenReportingIsOffThenNothingIsKept) {
  report("reporting=false");
  hosts(1, 4);
  reserve(root, window(now.seconds, 1000));
  remove();
  EXPECT_EQ(told(), Lines{});
  EXPECT_EQ(planner.state().counters().last_report, 0);
}

TEST(GivenAReport, WhenTextsOfUsersHoldSeparatorsThenTheyDoNotShiftFields) {
  ReportingRecord record;
  record.kind = ReportKind::ar_attribute;
  record.number = {7}, record.name = "a:b\nc";
  EXPECT_EQ(reporting_line(record), "0:ar_attribute:0:0:7:a_b_c::0:0:NONE:NONE");
}

// B1.05
TEST_F(GivenReportsOfReservations, WhenItCannotBeRepairedInTimeThenItsDeletionSaysSo) {
  hosts(1, 4);
  report("reporting=true");
  auto request = window(now.seconds, 600);
  request.repair = Repair::fail;
  reserve(root, request);
  lose("h1");
  told();
  now = now + Duration{60};
  due(1);
  const auto lines_then = told();
  ASSERT_EQ(lines_then.size(), 2u) << "and what it had";
  EXPECT_TRUE(lines_then.front().ends_with(":DELETED:could not be repaired")) << lines_then.front();
  EXPECT_EQ(letter(1), '-');
}

// B1.05, reservations T12: while a task is in it, it is there, and nothing is accounted.
TEST_F(GivenReportsOfReservations, WhenItIsGivenUpThenItsDeletionIsToldWithItsLastJob) {
  hosts(2, 4);
  auto request = on_pe(window(now.seconds, 600), "fill", 8);
  request.repair = Repair::fail;
  reserve(root, request);
  const auto number = inside(1);
  const auto stays = find(number)->find(0)->grants.front().instance.host;
  lose(stays == "h1" ? "h2" : "h1");
  told();
  now = now + Duration{60};
  due(1);
  EXPECT_EQ(letter(1), 'd');
  EXPECT_EQ(told(), Lines{});
  restart();
  end(number);
  const auto lines_then = told();
  ASSERT_EQ(lines_then.size(), 3u) << "and what it had";
  EXPECT_TRUE(lines_then.front().ends_with(":d:DELETED:could not be repaired"))
      << lines_then.front();
  EXPECT_EQ(letter(1), '-');
}

// B7.4
TEST_F(GivenReportsOfReservations, WhenItWasIdleThenItsEndSaysForHowLong) {
  hosts(1, 4);
  for (const std::int64_t minutes : {30, 0}) {
    auto request = window(now.seconds, 7200);
    request.ends_when_idle = true, request.idle_for = {minutes * 60};
    const auto ar = reserve(root, request);
    const auto number = inside(ar);
    end(number);
    told();
    now = now + Duration{minutes * 60};
    due(ar);
    const auto lines_then = told();
    ASSERT_FALSE(lines_then.empty());
    const std::string why = minutes == 0 ? "last job has left" : "idle for 30 minutes";
    EXPECT_TRUE(std::any_of(lines_then.begin(), lines_then.end(), [&](const auto& line) {
      return line.ends_with(":x:TERMINATED:" + why);
    })) << lines_then.front();
  }
}
