// What qacct -f reads of a line before it looks at the rest (docs/spec/cli.md C7.13).
#include "core/job/accounting_glance.hpp"
#include "core/job/accounting_line.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

AccountingRecord record() {
  AccountingRecord r;
  r.job_number = {7}, r.task = 3, r.queue = "all.q", r.host = "n1", r.owner = "ann";
  r.group = "users", r.job_name = "work", r.account = "sge", r.pe = "mpi", r.slots = 4;
  r.department = "physics", r.project = "sun", r.started = {1'000}, r.ended = {1'050};
  r.reservation = {9};
  return r;
}

std::string with_slave_task(std::string line, const std::string& task) {
  std::size_t at = 0;
  for (int field = 0; field < 41; ++field) at = line.find(':', at) + 1;
  return line.replace(at, line.find(':', at) - at, task);
}

} // namespace

TEST(GivenALineOfAccounting, WhenItIsLookedAtThenItSaysWhatTheRecordSays) {
  const auto line = accounting_line(record());
  const auto seen = accounting_glance(line);
  ASSERT_TRUE(seen.ok()) << seen.what();
  const auto read = parse_accounting_line(line);
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(seen->job_number, read->job_number);
  EXPECT_EQ(seen->task, read->task);
  EXPECT_EQ(seen->slots, read->slots);
  EXPECT_EQ(seen->reservation, read->reservation);
  EXPECT_EQ(seen->started, read->started);
  EXPECT_EQ(seen->ended, read->ended);
  for (const auto& [one, other] :
       {std::pair(seen->queue, read->queue), std::pair(seen->host, read->host),
        std::pair(seen->owner, read->owner), std::pair(seen->group, read->group),
        std::pair(seen->job_name, read->job_name), std::pair(seen->account, read->account),
        std::pair(seen->pe, read->pe), std::pair(seen->project, read->project),
        std::pair(seen->department, read->department)})
    EXPECT_EQ(one, other);
}

TEST(GivenALineOfAccounting, WhenItIsTooShortThenTheErrorIsThatOfTheReader) {
  const auto seen = accounting_glance("all.q:n1:users");
  ASSERT_FALSE(seen.ok());
  EXPECT_EQ(seen.what(), parse_accounting_line("all.q:n1:users").what());
  EXPECT_FALSE(accounting_glance("").ok());
  EXPECT_TRUE(accounting_glance(std::string(100, ':')).ok());
}

TEST(GivenALineOfAccounting, WhenItIsOfAProcessOfQrshThenThatIsSeen) {
  const auto line = accounting_line(record());
  AccountingFilter filter;
  filter.tasks_only = true;
  EXPECT_TRUE(wants(filter, *accounting_glance(line)));
  EXPECT_TRUE(wants(filter, *parse_accounting_line(line)));
  const auto of_process = with_slave_task(line, "1.n2");
  EXPECT_FALSE(wants(filter, *accounting_glance(of_process)));
  EXPECT_FALSE(wants(filter, *parse_accounting_line(of_process)));
  EXPECT_TRUE(wants({}, *parse_accounting_line(of_process)));
  EXPECT_EQ(accounting_line(*parse_accounting_line(of_process)), of_process);
}
