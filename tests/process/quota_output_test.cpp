// How limits of quota sets are printed (docs/spec/quotas.md, section 6, Table and XML).
#include "tests/process/command_call.hpp"
#include "tests/process/result_schema.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/process_door.hpp"
#include "tools/output/quotas.hpp"

#include <gtest/gtest.h>

#include <sstream>

using namespace almanac;

namespace {

door::QuotaView counted(const std::string& rule, const std::string& used, const std::string& limit,
                        std::vector<door::QuotaFilterView> filters) {
  door::QuotaView row;
  row.rule = rule, row.resource = "slots", row.used = used, row.limit = limit;
  row.is_counted = true, row.filters = std::move(filters);
  return row;
}
door::QuotaView fixed(const std::string& rule, const std::string& resource,
                      const std::string& limit) {
  door::QuotaView row;
  row.rule = rule, row.resource = resource, row.limit = limit;
  return row;
}
door::QuotaFilterView users(std::vector<std::string> included,
                            std::vector<std::string> excluded = {}) {
  return {QuotaFilter::users, std::move(included), std::move(excluded)};
}
door::QuotaFilterView hosts(std::vector<std::string> included) {
  return {QuotaFilter::hosts, std::move(included), {}};
}

// As many kinds of rows as there are.
std::vector<door::QuotaView> all_kinds() {
  auto whole = counted("A/1", "1", "2", {});
  for (std::size_t filter = 0; filter < quota_filters; ++filter)
    whole.filters.push_back({static_cast<QuotaFilter>(filter), {"a", "b*"}, {"@c", "d"}});
  return {whole, counted("per/2", "1", "1", {users({"ann"}), hosts({"h1"})}),
          fixed("A/cap", "arch", "<'&\">"), counted("B/1", "1", "INFINITY", {users({}, {"*"})})};
}

std::string table(const std::vector<door::QuotaView>& rows) {
  std::ostringstream out;
  print_quota_table(out, rows);
  return out.str();
}
std::string xml(const std::vector<door::QuotaView>& rows) {
  std::ostringstream out;
  print_quota_xml(out, rows);
  return out.str();
}

class GivenTheSchemaOfQquota : public ::testing::Test, public ResultSchema {
public:
  GivenTheSchemaOfQquota() : ResultSchema("qquota.xsd") {}
};

class GivenQquota : public ::testing::Test {
public:
  /// The exit code, and what is printed on either stream.
  std::string call(std::vector<std::string> arguments) {
    ProcessDoor door({}, "/nowhere");
    return CommandCall(door, "qquota", std::move(arguments)).text_of(qquota);
  }
};

} // namespace

// Q6.15, Q6.16, Q6.17, Q6.18, Q6.20, Q6.21, Q6.23, Q9.10, Q9.11, D77
TEST(GivenLimitsInUse, WhenTheyArePrintedThenAsTheSpecificationShowsThem) {
  EXPECT_EQ(table({counted("total/1", "5", "20", {users({"*"})}),
                   counted("lin/1", "5", "5", {users({"*"}), hosts({"@lin"})}),
                   counted("per/1", "2", "2", {users({"bob"}), hosts({"h1"})}),
                   counted("per/1", "2", "2", {users({"bob"}), hosts({"h2"})})}),
            "resource quota rule limit                filter\n"
            "--------------------------------------------------------------------------------\n"
            "total/1            slots=5/20           users *\n"
            "lin/1              slots=5/5            users * hosts @lin\n"
            "per/1              slots=2/2            users bob hosts h1\n"
            "per/1              slots=2/2            users bob hosts h2\n");
  EXPECT_EQ(table({}), "");
}

// Q6.19, V11.11: a value is never cut.
TEST(GivenLimitsInUse, WhenValuesAreLongThenTheyArePrintedWhole) {
  auto row = counted("a_set_with_a_long_name/1", "2.930G", "3.000G", {users({"ann"}, {"eve"})});
  row.resource = "scratch";
  EXPECT_EQ(quota_line(row), "a_set_with_a_long_name/1 scratch=2.930G/3.000G users ann,!eve\n");
  EXPECT_EQ(quota_line(fixed("A/1", "tmem", "4G")), "A/1                tmem=4G              -\n");
}

// Q6.6, Q6.24, Q6.25, Q9.9
TEST(GivenLimitsInUse, WhenTheyArePrintedAsXmlThenAsTheSpecificationShowsThem) {
  const std::string head =
      "<?xml version='1.0'?>\n"
      "<qquota_result xmlns=\"https://github.com/gridengine/gridengine/raw/master/source/dist/util/"
      "resources/schemas/qquota/qquota.xsd\">\n";
  EXPECT_EQ(xml({counted("per/2", "1", "1", {users({"ann"}), hosts({"h1"})})}),
            head + " <qquota_rule name='per/2'>\n"
                   "   <user>ann</user>\n"
                   "   <host>h1</host>\n"
                   "   <limit resource='slots' limit='1' value='1'/>\n"
                   " </qquota_rule>\n"
                   "</qquota_result>\n");
  EXPECT_EQ(xml({}), head + "</qquota_result>\n");
}

// Q6.26, Q6.27, D76
TEST(GivenLimitsInUse, WhenFiltersExcludeThenTheirElementsHaveAnXAndTextIsEscaped) {
  const auto text = xml(all_kinds());
  EXPECT_NE(text.find("   <user>a</user>\n   <user>b*</user>\n   <xuser>@c</xuser>\n"
                      "   <xuser>d</xuser>\n   <project>a</project>\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("<limit resource='arch' limit='&lt;&apos;&amp;&quot;&gt;'/>"),
            std::string::npos)
      << text;
}

// Q6.28, D17
TEST_F(GivenTheSchemaOfQquota, WhenXmlIsPrintedThenItIsWhatTheSchemaSays) {
  for (const auto& rows : {all_kinds(), std::vector<door::QuotaView>()})
    EXPECT_TRUE(takes(xml(rows))) << why();
  // And it would not take anything else.
  auto text = xml(all_kinds());
  text.replace(text.find("<user>"), 6, "<users>"),
      text.replace(text.find("</user>"), 7, "</users>");
  EXPECT_FALSE(takes(text));
  text = xml(all_kinds());
  text.replace(text.find(" limit='"), 8, " most='");
  EXPECT_FALSE(takes(text));
}

TEST(GivenLimitsThatAJobMeets, WhenTheyAreExplainedThenEachSaysWhatIsLeftAndWhetherThatIsEnough) {
  auto few = counted("A/1", "2", "2", {users({"ann"})});
  few.asked = "1", few.left = "0", few.is_per_slot = true;
  auto enough = counted("B/1", "0", "5", {});
  enough.asked = "2", enough.left = "5", enough.fits = true;
  auto large = fixed("C/1", "tmem", "4G"), missing = large;
  large.asked = "5G";
  std::ostringstream out;
  auto of_hosts = enough, holds = enough, beside = enough;
  of_hosts.is_per_host = true, holds.held = "2", beside.asked = "";
  print_quota_reasons(out, {few, enough, large, missing, of_hosts, holds, beside}, {7});
  EXPECT_EQ(out.str(),
            "A/1 (users ann): slots=2/2, 0 left; job 7 takes 1 for each slot: not enough\n"
            "B/1 (-): slots=0/5, 5 left; job 7 takes 2: enough\n"
            "C/1 (-): tmem=4G; job 7 asks for 5G: never allowed\n"
            "C/1 (-): tmem=4G; job 7 has to ask for it, and does not: never allowed\n"
            "B/1 (-): slots=0/5, 5 left; job 7 takes 2 for each host: enough\n"
            "B/1 (-): slots=0/5, 5 left; job 7 holds 2 of it\n"
            "B/1 (-): slots=0/5, 5 left; job 7 needs a place where nobody has it: enough\n");
  out.str("");
  print_quota_reasons(out, {}, {7});
  EXPECT_EQ(out.str(), "job 7 meets no limit of a resource quota set\n");
}

// Q6.1, C1.4
TEST_F(GivenQquota, WhenHelpIsWantedThenItsFirstLineSaysProductAndVersion) {
  const auto said = call({"-help"});
  EXPECT_TRUE(said.starts_with("0 out: Almanac " ALMANAC_VERSION "\nusage: qquota ")) << said;
  EXPECT_TRUE(said.ends_with("err: ")) << said;
  EXPECT_TRUE(call({"-what"}).starts_with("1 out: err: Almanac ")) << "V1.8";
}

TEST_F(GivenQquota, WhenItsWordsMakeNoSenseThenNobodyIsAsked) {
  EXPECT_EQ(call({"-u", " , "}), "1 out: err: qquota: option -u: nothing is named\n");
  EXPECT_EQ(call({"-l", "slots=5"}), "1 out: err: qquota: option -l slots=5: resources are named "
                                     "here without a value\n");
  EXPECT_EQ(call({"-explain", "x"}),
            "1 out: err: qquota: option -explain x: this is not the number of a job\n");
  EXPECT_EQ(call({"-explain", "1", "-xml"}),
            "1 out: err: qquota: option -explain: there is no XML of it\n");
  EXPECT_EQ(call({"-json", "-explain", "1"}),
            "1 out: err: qquota: option -explain: there is no JSON of it\n");
}

TEST(GivenLimits, WhenTheyArePrintedAsJsonThenAsTheSchemaSays) {
  const ResultSchema schema("qquota.schema.json");
  std::ostringstream out;
  print_quota_json(out, all_kinds());
  EXPECT_TRUE(schema.takes(out.str())) << schema.why() << out.str();
  EXPECT_FALSE(schema.takes("{\"limits\":[{\"rule\":\"A/1\"}]}\n"));
}
