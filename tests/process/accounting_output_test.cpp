// What qacct prints of records (docs/spec/cli.md section 7: C7.15, C7.16, C7.17, C7.19).
#include "tests/process/result_schema.hpp"
#include "tools/commands/accounting_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

using namespace almanac;

namespace {

AccountingRecord record(std::int64_t number, const std::string& owner, const std::string& host) {
  AccountingRecord r;
  r.job_number = {number}, r.owner = owner, r.host = host, r.queue = "all.q", r.group = "users";
  r.job_name = "a<b & \"c\"", r.account = "sge", r.pe = "NONE", r.department = "defaultdepartment";
  r.slots = 2;
  auto& x = r.record;
  x.wallclock = 10, x.user_microseconds = 1'500'000, x.system_microseconds = 250'000;
  x.memory_kib_seconds = 3 << 20, x.io_bytes = 1 << 29, x.io_wait_microseconds = 125'000;
  x.maxvmem_bytes = 4'640 << 10;
  return r;
}

std::string printed(const AccountingSums& sums) {
  std::ostringstream out;
  sums.print(out);
  return out.str();
}
std::string whole(const std::string& content) {
  return "<?xml version='1.0'?>\n<qacct_result>\n" + content + "</qacct_result>\n";
}

class GivenTheSchemaOfQacct : public ::testing::Test, public ResultSchema {
public:
  GivenTheSchemaOfQacct() : ResultSchema("qacct.xsd") {}
};

} // namespace

// C7.15, C7.16, V10.12
TEST(GivenRecords, WhenTheyAreSummedUpThenMemoryAndIoAreInGigabytesBelowTheirNames) {
  AccountingSums sums({});
  sums.add(record(1, "ann", "n1")), sums.add(record(2, "bob", "n2"));
  EXPECT_EQ(
      printed(sums),
      "Total System Usage\n"
      "    WALLCLOCK         UTIME         STIME           CPU             MEMORY                 "
      "IO"
      "                IOW\n" +
          std::string(112, '=') +
          "\n"
          "           20         3.000         0.500         3.500              6.000              "
          "1.000              0.250\n");
}

// C7.14
TEST(GivenRecords, WhenTheyAreSummedUpByMoreThanOneThingThenEachHasAColumnAndNoValueIsCut) {
  AccountingSums sums({SumBy::host, SumBy::owner, SumBy::slots});
  sums.add(record(1, "ann", "n1")), sums.add(record(2, "ann", "n1"));
  auto wide = record(3, "bob", "a-host-with-a-long-name");
  wide.slots = 10;
  sums.add(wide);
  const auto text = printed(sums);
  EXPECT_TRUE(text.starts_with("HOST                    OWNER      SLOTS          WALLCLOCK "))
      << text;
  EXPECT_NE(text.find("\na-host-with-a-long-name bob        10                    10 "), text.npos)
      << text;
  EXPECT_NE(text.find("\nn1                      ann        2                     20 "), text.npos)
      << text;
}

TEST(GivenRecords, WhenTheyAreSummedUpByANumberThenItsOrderIsThatOfNumbers) {
  AccountingSums sums({SumBy::reservation});
  for (const auto number : {10, 9}) {
    auto one = record(1, "ann", "n1");
    one.reservation = {number};
    sums.add(one);
  }
  const auto text = printed(sums);
  EXPECT_LT(text.find("\n9 "), text.find("\n10 "));
}

// C7.17, C11.13, client-contract C11
TEST(GivenARecord, WhenItIsShownThenEachLabelHasThirteenColumnsAndUsageIsThere) {
  auto one = record(7, "ann", "n1");
  one.record.failed = failed::run_time_limit, one.record.exit_status = 137;
  std::ostringstream out;
  print_record(out, one);
  const auto text = out.str();
  EXPECT_TRUE(text.starts_with(std::string(62, '=') + "\nqname        all.q\nhostname     n1\n"));
  for (const char* line :
       {"jobnumber    7\n", "taskid       undefined\npe_taskid    NONE\n",
        "failed       37 : qmaster enforced h_rt, h_cpu, or h_vmem limit\nexit_status  137\n",
        "ru_ixrss     0\nru_ismrss    0\nru_idrss     0\nru_isrss     0\n",
        "cpu          1.750\nmem          3.000\nio           0.500\niow          0.125\n"
        "maxvmem      4.531M\narid         undefined\nar_sub_time  undefined\n"
        "category     NONE\n"})
    EXPECT_NE(text.find(line), text.npos) << line << text;
}

// C7.25
TEST(GivenARecord, WhenItIsKnownWhereTheOutputIsThenThatComesLast) {
  auto one = record(7, "ann", "n1");
  std::ostringstream before, out;
  print_record(before, one);
  one.output_path = "/home/ann/a.o7", one.error_path = "/home/ann/a.e7";
  print_record(out, one);
  EXPECT_EQ(out.str(), before.str() + "output_path  /home/ann/a.o7\n"
                                      "error_path   /home/ann/a.e7\n");
  EXPECT_NE(record_json(one).find(R"("output_path":"/home/ann/a.o7")"), std::string::npos);
}

// C7.19
TEST_F(GivenTheSchemaOfQacct, WhenRecordsAndSumsAreXmlThenTheyAreWhatItSays) {
  std::ostringstream records;
  print_record_xml(records, record(1, "ann", "n1"));
  auto with_paths = record(2, "b<ob", "n1");
  with_paths.output_path = "/o<", with_paths.error_path = "/e";
  print_record_xml(records, with_paths);
  EXPECT_TRUE(takes(whole(records.str()))) << why();
  EXPECT_TRUE(takes(whole(""))) << why();
  AccountingSums all({});
  all.add(record(1, "ann", "n1"));
  std::ostringstream sum;
  all.print_xml(sum);
  EXPECT_TRUE(takes(whole(sum.str()))) << why();
  AccountingSums by({SumBy::host, SumBy::queue, SumBy::group, SumBy::owner, SumBy::project,
                     SumBy::department, SumBy::pe, SumBy::slots, SumBy::reservation});
  by.add(record(1, "a&b", "n1"));
  std::ostringstream sums;
  by.print_xml(sums);
  EXPECT_TRUE(takes(whole(sums.str()))) << why();
  AccountingSums reservations({SumBy::reservation});
  reservations.name_figures({"RESERVED", "USED", "IDLE", "UNAVAILABLE"});
  reservations.add_figures("3", {"4", "3", "1", "0"});
  std::ostringstream usage;
  reservations.print_xml(usage);
  EXPECT_TRUE(takes(whole(usage.str()))) << why();
  EXPECT_FALSE(takes(whole("<job/>")));
}

TEST(GivenRecords, WhenTheyArePrintedAsJsonThenAsTheSchemaSays) {
  const ResultSchema schema("qacct.schema.json");
  auto failed = record(2, "bob", "n2");
  failed.record.failed = failed::none + 1, failed.record.reason = "no \"folder\"", failed.task = 3;
  failed.output_path = "/o", failed.error_path = "/e";
  const auto text = "{\"jobs\":[\n" + record_json(record(1, "ann", "n1")) + ",\n" +
                    record_json(failed) + "\n]}\n";
  EXPECT_TRUE(schema.takes(text)) << schema.why() << text;
  EXPECT_NE(text.find(R"("jobname":"a<b & \"c\"")"), std::string::npos) << text;
  AccountingSums sums({SumBy::host, SumBy::owner});
  sums.add(record(1, "ann", "n1"));
  std::ostringstream out;
  sums.print_json(out);
  EXPECT_TRUE(schema.takes(out.str())) << schema.why() << out.str();
  EXPECT_NE(out.str().find(R"({"host":"n1","owner":"ann","wallclock":10.0,)"), std::string::npos)
      << out.str();
}
