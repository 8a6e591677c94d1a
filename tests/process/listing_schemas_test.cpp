// Lists of jobs, queue instances and hosts as XML and JSON (docs/spec/cli.md sections 6 and 7;
// docs/spec/client-contract.md C6, C8, C9, C10).
#include "tests/process/listed_cell.hpp"
#include "tests/process/result_schema.hpp"
#include "tools/output/job_json.hpp"
#include "tools/output/job_xml.hpp"

#include <gtest/gtest.h>

using namespace almanac;
using namespace almanac::listed;

namespace {

struct GivenTheSchemaOfQstat : ::testing::Test, ResultSchema {
  GivenTheSchemaOfQstat() : ResultSchema("qstat.xsd") {}
};
struct GivenTheSchemaOfQstatJob : ::testing::Test, ResultSchema {
  GivenTheSchemaOfQstatJob() : ResultSchema("qstat_job.xsd") {}
};
struct GivenTheSchemaOfQhost : ::testing::Test, ResultSchema {
  GivenTheSchemaOfQhost() : ResultSchema("qhost.xsd") {}
};

void print_in_detail(std::ostream& out, const std::vector<door::JobView>& jobs,
                     const SchedulingInfo& info, const std::vector<std::string>& unknown) {
  JobsInDetailXml xml(out);
  for (const auto& job : jobs) xml.put(job);
  xml.end(info, unknown);
}

} // namespace

// ---- XML ----------------------------------------------------------------------------------------

// C6.15, C6.59, C6.60, C6.61, C6.63, C8, C9
TEST_F(GivenTheSchemaOfQstat, WhenListsArePrintedThenTheyAreWhatItSays) {
  const std::vector frames{frame()};
  JobColumns all;
  all.priority = all.urgency = all.extended = all.requests = true;
  auto roles = all;
  roles.roles = true;
  InstanceDetail detail;
  detail.resources = true, detail.reasons = "aAcE";
  for (const bool each : {false, true})
    for (const auto& columns : {JobColumns(), all, roles}) {
      const auto rows = job_rows(frames, {.each_task = each, .each_slot = columns.roles});
      const auto jobs = printed([&](auto& out) { print_jobs_xml(out, rows, columns); });
      EXPECT_TRUE(takes(jobs)) << why() << jobs;
      const auto instances =
          printed([&](auto& out) { print_instances_xml(out, cluster(), rows, detail, columns); });
      EXPECT_TRUE(takes(instances)) << why() << instances;
    }
  for (const auto states : {SummaryStates::hidden, SummaryStates::shown})
    EXPECT_TRUE(takes(printed([&](auto& out) {
      print_summaries_xml(out, summaries_of(cluster()), states);
    }))) << why();
  // And it would not take anything else.
  auto text = printed([&](auto& out) { print_jobs_xml(out, job_rows(frames, {}), {}); });
  EXPECT_NE(text.find("<JB_name>&lt;&apos;&amp;&quot;&gt; ]]&gt;</JB_name>"), std::string::npos);
  text.replace(text.find("<slots>3"), 8, "<slots>x");
  EXPECT_FALSE(takes(text));
}

// C8: both parts are there when nothing is listed, too.
TEST_F(GivenTheSchemaOfQstat, WhenThereIsNothingToListThenBothPartsAreEmpty) {
  const auto text = printed([](auto& out) { print_jobs_xml(out, {}, {}); });
  EXPECT_TRUE(takes(text)) << why();
  EXPECT_NE(
      text.find("  <queue_info>\n  </queue_info>\n  <job_info>\n  </job_info>\n</job_info>\n"),
      std::string::npos)
      << text;
}

// C6.62, C6.63, C3.75
TEST_F(GivenTheSchemaOfQstatJob, WhenJobsAreShownInDetailThenTheyAreWhatItSays) {
  door::JobView plain;
  plain.job.number = {13}, plain.job.submitted = {100'000};
  const auto text = printed([&](auto& out) {
    print_in_detail(out, {detailed(), plain}, {{{12}, {hard_to_write}}}, {});
  });
  EXPECT_TRUE(takes(text)) << why() << text;
  EXPECT_NE(text.find("<JB_job_name>&lt;"), std::string::npos);
  for (const char* expected : {"<BN_strategy>linear_automatic</BN_strategy>",
                               "<BN_type>3</BN_type>", "<UA_name>binding_inuse!SCTTctt</UA_name>"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << text;
  plain.job.request.edit().binding = "pe explicit:1,2:0,3";
  const auto named = printed([&](auto& out) { print_in_detail(out, {plain}, {}, {}); });
  EXPECT_TRUE(takes(named)) << why() << named;
  EXPECT_NE(named.find("<BN_parameter_explicit>explicit:1,2:0,3</"), std::string::npos) << named;
  EXPECT_TRUE(takes(printed([](auto& out) { print_in_detail(out, {}, {}, {"<7"}); }))) << why();
  EXPECT_TRUE(takes(printed([](auto& out) {
    print_reasons_xml(out, {{"why", {{1}, {2}}}});
  }))) << why();
  EXPECT_TRUE(takes(printed([](auto& out) { print_reasons_xml(out, {}); }))) << why();
}

// C6.63, C10
TEST_F(GivenTheSchemaOfQhost, WhenHostsArePrintedThenTheyAreWhatItSays) {
  const std::vector frames{frame()};
  const auto list = cluster();
  std::vector<const door::HostView*> hosts;
  for (const auto& [name, host] : list.hosts) hosts.push_back(&host);
  HostDetail all;
  all.queues = all.jobs = all.resources = all.topology = true;
  for (const auto& detail : {HostDetail(), all}) {
    const auto rows = job_rows(frames, {.each_task = false, .each_slot = true});
    const auto text = printed([&](auto& out) { print_hosts_xml(out, list, hosts, rows, detail); });
    EXPECT_TRUE(takes(text)) << why() << text;
  }
  const auto text =
      printed([&](auto& out) { print_hosts_xml(out, list, hosts, {}, {.queues = true}); });
  EXPECT_NE(text.find("<queuevalue qname='all.q' name='slots_resv'>3</queuevalue>"),
            std::string::npos)
      << text;
}

// ---- JSON: the same facts, for programs ---------------------------------------------------------

// C6.70
TEST(GivenJobs, WhenPrintedAsJsonThenTheyAreAsTheSchemaSays) {
  const ResultSchema schema("qstat.schema.json");
  const std::vector frames{frame()};
  const auto rows = job_rows(frames, {.each_task = false, .each_slot = true});
  const auto jobs = printed([&](auto& out) { print_jobs_json(out, rows); });
  EXPECT_TRUE(schema.takes(jobs)) << schema.why() << jobs;
  EXPECT_NE(jobs.find(R"("id":12,"name":"<'&\"> ]]>","owner":"ann")"), std::string::npos) << jobs;
  InstanceDetail detail;
  detail.resources = true, detail.reasons = "aAcE";
  const auto instances =
      printed([&](auto& out) { print_instances_json(out, cluster(), rows, detail); });
  EXPECT_TRUE(schema.takes(instances)) << schema.why() << instances;
  EXPECT_EQ(instances.find(R"("disabled")"), std::string::npos) << instances;
  auto list = cluster();
  list.instances.front().drain = {"new disk", "root", {100'000}, {200'000}};
  const auto disabled =
      printed([&](auto& out) { print_instances_json(out, list, rows, InstanceDetail()); });
  EXPECT_TRUE(schema.takes(disabled)) << schema.why() << disabled;
  EXPECT_NE(disabled.find(R"("disabled":{"reason":"new disk","by":"root","since":")"),
            std::string::npos)
      << disabled;
  EXPECT_NE(disabled.find(R"(","until":")"), std::string::npos) << disabled;
  const auto sums = printed([&](auto& out) { print_summaries_json(out, summaries_of(cluster())); });
  EXPECT_TRUE(schema.takes(sums)) << schema.why() << sums;
  EXPECT_TRUE(schema.takes("{\"jobs\":[]}\n"));
  EXPECT_FALSE(schema.takes("{\"jobs\":[{\"id\":\"12\"}]}\n")) << "a number, and more of it";
  EXPECT_FALSE(schema.takes("{}\n"));
}

TEST(GivenAJob, WhenPrintedInDetailAsJsonThenItIsAsTheSchemaSays) {
  const ResultSchema schema("qstat_job.schema.json");
  const auto text = printed([](auto& out) {
    print_jobs_in_detail_json(out, {detailed()}, {{{12}, {"waits for <nothing>"}}}, {"99"});
  });
  EXPECT_TRUE(schema.takes(text)) << schema.why() << text;
  EXPECT_NE(text.find(R"("unknown":["99"])"), std::string::npos) << text;
  const auto reasons = printed([](auto& out) {
    print_reasons_json(out, {{"no place", {{12}, {13}}}});
  });
  EXPECT_TRUE(schema.takes(reasons)) << schema.why() << reasons;
  EXPECT_FALSE(schema.takes("{\"jobs\":[]}\n")) << "what is unknown is always told";
}

TEST(GivenHosts, WhenPrintedAsJsonThenTheyAreAsTheSchemaSays) {
  const ResultSchema schema("qhost.schema.json");
  const auto list = cluster();
  std::vector<const door::HostView*> shown;
  for (const auto& [name, view] : list.hosts) shown.push_back(&view);
  HostDetail detail;
  detail.queues = detail.jobs = detail.resources = true;
  const std::vector frames{frame()};
  const auto rows = job_rows(frames, {.each_task = false, .each_slot = true});
  const auto text = printed([&](auto& out) { print_hosts_json(out, list, shown, rows, detail); });
  EXPECT_TRUE(schema.takes(text)) << schema.why() << text;
  EXPECT_NE(text.find(R"("name":"h3","is_up":false)"), std::string::npos) << text;
}
