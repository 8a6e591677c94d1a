// What a reporting file tells of reservations (docs/spec/plus.md P3.57, P3.65; docs/spec/reservations.md
// section 13.2).
#include "core/reservation/reported_reservations.hpp"

#include "core/job/accounting_line.hpp"
#include "core/reservation/reporting_line.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr Window always{{0}, {1'000'000}};
constexpr ReservationId r7{{7}, {500}};

// As the master writes them.
ReportingRecord record(ReportKind kind, std::int64_t at) {
  ReportingRecord made;
  made.kind = kind, made.at = {at}, made.number = r7.number, made.submitted = r7.submitted;
  return made;
}

class GivenAReportingFile : public ::testing::Test {
public:
  void begins(ReportedReservations& into, Window window) {
    auto is_new = record(ReportKind::new_ar, 500);
    is_new.owner = "ann";
    auto attributes = record(ReportKind::ar_attribute, 500);
    attributes.window = window, attributes.name = "a:b";
    EXPECT_TRUE(into.take(reporting_line(is_new)));
    EXPECT_TRUE(into.take(reporting_line(attributes)));
  }
  void ends(ReportedReservations& into, std::int64_t at, ReportEvent event,
            const std::vector<std::string>& hosts) {
    auto log = record(ReportKind::ar_log, at);
    log.event = event, log.state = "d";
    EXPECT_TRUE(into.take(reporting_line(log)));
    for (const auto& host : hosts) {
      auto account = record(ReportKind::ar_acct, at);
      account.queue = "all.q", account.host = host, account.slots = 4;
      EXPECT_TRUE(into.take(reporting_line(account)));
    }
  }
  std::string job(const std::string& host, std::int64_t from, std::int64_t to) {
    AccountingRecord made;
    made.queue = "all.q", made.host = host, made.owner = "ann", made.job_number = {1};
    made.started = {from}, made.ended = {to};
    made.reservation = r7.number, made.reservation_submitted = r7.submitted;
    return accounting_line(made);
  }
};

} // namespace

TEST_F(GivenAReportingFile, WhenAReservationHasEndedThenItsNodesAndItsJobsAreKnown) {
  ReportedReservations reported(always);
  begins(reported, {{1000}, {4600}});
  EXPECT_TRUE(reported.take("2000:acct:" + job("n1", 1500, 2000)));
  EXPECT_TRUE(reported.take(job("n2", 1000, 1600))) << "also as an accounting file has it";
  ends(reported, 4600, ReportEvent::terminated, {"n1", "n2"});
  const auto found = reported.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, r7);
  EXPECT_EQ(found[0].owner, "ann");
  EXPECT_FALSE(found[0].given_up);
  EXPECT_EQ(found[0].reserved.reserved_for, 3600);
  EXPECT_EQ(found[0].reserved.nodes,
            (std::vector<NodeUsage>{{"n1", 3600, 500}, {"n2", 3600, 600}}));
}

// P3.64: a job that waited until the end and was deleted then has start_time 0.
TEST_F(GivenAReportingFile, WhenAJobNeverRanThenItHasUsedNothing) {
  ReportedReservations reported(always);
  begins(reported, {{1000}, {4600}});
  EXPECT_TRUE(reported.take("4600:acct:" + job("n1", 0, 4600)));
  EXPECT_TRUE(reported.take(job("n2", 0, 4600)));
  ends(reported, 4600, ReportEvent::terminated, {"n1"});
  ASSERT_EQ(reported.found().size(), 1u);
  EXPECT_EQ(reported.found()[0].reserved.nodes, (std::vector<NodeUsage>{{"n1", 3600, 0}}));
}

TEST_F(GivenAReportingFile, WhenAReservationIsDeletedThenTheTimeUntilThenCounts) {
  ReportedReservations reported(always);
  begins(reported, {{1000}, {4600}});
  ends(reported, 2800, ReportEvent::deleted, {"n1"});
  ASSERT_EQ(reported.found().size(), 1u);
  EXPECT_TRUE(reported.found()[0].given_up);
  EXPECT_EQ(reported.found()[0].reserved.reserved_for, 1800);
}

TEST_F(GivenAReportingFile, WhenItEndsBeforeItsStartOrOutsideOfTheWindowThenItDoesNotCount) {
  ReportedReservations reported(always);
  begins(reported, {{1000}, {4600}});
  ends(reported, 900, ReportEvent::deleted, {"n1"});
  EXPECT_TRUE(reported.found().empty());
  ReportedReservations later({{5000}, {6000}});
  begins(later, {{1000}, {4600}});
  ends(later, 4600, ReportEvent::terminated, {"n1"});
  EXPECT_TRUE(later.found().empty());
}

TEST_F(GivenAReportingFile, WhenALineIsNoRecordThenItIsRefused) {
  ReportedReservations reported(always);
  for (const char* line : {"5:job_log:5:whatever", "5:queue:all.q:n1:5:u", "5:host:n1:5:X:a=1"})
    EXPECT_TRUE(reported.take(line)) << line;
  for (const char* line : {"", "5", "5:", "5:no_such_kind:1", "5:new_ar:1", "5:new_ar:x:7:ann",
                           "5:ar_log:5:500:7", "5:ar_acct:5:500:7:all.q", "5:acct:1:2", "all.q:n1"})
    EXPECT_FALSE(reported.take(line)) << line;
  EXPECT_TRUE(reported.found().empty());
}
