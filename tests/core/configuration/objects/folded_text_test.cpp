// Long lines of objects are broken where a list goes on, and read again as they were (docs/spec/cli.md,
// C8.55; client-contract.md C14).
#include "core/configuration/objects/folded_text.hpp"

#include "core/text/words.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

ConfigurationObject queue_with(const std::string& attribute, const std::string& value) {
  return {ObjectKind::cluster_queue, "all.q", {{attribute, value}}};
}

// What a file with these lines is read as.
std::string read_again(const ConfigurationObject& object) {
  const auto attributes = parse_attribute_file(print_folded(object));
  if (!attributes) return attributes.what();
  const auto& last = attributes->back();
  return unfolded_value(object.kind, last.name, last.value);
}

std::string numbered_hosts(const std::string& before, const std::string& behind, int count,
                           const std::string& separator) {
  std::vector<std::string> words;
  for (int i = 1; i <= count; ++i) words.push_back(before + std::to_string(i) + behind);
  return join(words, separator);
}

} // namespace

TEST(FoldedText, WhenALineIsShortThenItIsAsItWas) {
  const auto object = queue_with("slots", "8,[n1=4]");
  EXPECT_EQ(print_folded(object), print_folded(object, LongLines::whole));
  EXPECT_EQ(print_folded(object), "qname                 all.q\n"
                                  "slots                 8,[n1=4]\n");
}

TEST(FoldedText, WhenAListIsLongThenItGoesOnBelowItsBeginning) {
  const auto object = queue_with("slots", "1," + numbered_hosts("[node0", "=8]", 6, ","));
  EXPECT_EQ(print_folded(object),
            "qname                 all.q\n"
            "slots                 1,[node01=8],[node02=8],[node03=8],[node04=8], \\\n"
            "                      [node05=8],[node06=8]\n");
  EXPECT_EQ(read_again(object), *object.find("slots"));
  const ConfigurationObject group{
      ObjectKind::host_group, "@all", {{"hostlist", numbered_hosts("compute-", ".local", 5, " ")}}};
  EXPECT_EQ(print_folded(group),
            "group_name @all\n"
            "hostlist compute-1.local compute-2.local compute-3.local compute-4.local \\\n"
            "         compute-5.local\n");
  EXPECT_EQ(read_again(group), *group.find("hostlist"));
}

// C8.51, C8.55
TEST(FoldedText, WhenAHostReportedMuchThenItIsBrokenLikeOtherLists) {
  const ConfigurationObject host{
      ObjectKind::exec_host,
      "n1",
      {{"load_values", "arch=lx-amd64,num_proc=4,mem_total=7936.000000M,swap_total=0.000000M,"
                       "load_avg=0.25,m_topology=SCTTCTT"}}};
  EXPECT_EQ(print_folded(host),
            "hostname              n1\n"
            "load_values           arch=lx-amd64,num_proc=4,mem_total=7936.000000M, \\\n"
            "                      swap_total=0.000000M,load_avg=0.25,m_topology=SCTTCTT\n");
  EXPECT_EQ(read_again(host), *host.find("load_values"));
}

TEST(FoldedText, WhenValuesOfHostsAreListsThenTheirCommasBreakNoLine) {
  const auto object = queue_with(
      "complex_values", "NONE," + numbered_hosts("[n", "=licence=4,scratch=100G]", 4, ","));
  EXPECT_EQ(print_folded(object),
            "qname                 all.q\n"
            "complex_values        NONE,[n1=licence=4,scratch=100G], \\\n"
            "                      [n2=licence=4,scratch=100G],[n3=licence=4,scratch=100G], \\\n"
            "                      [n4=licence=4,scratch=100G]\n");
  EXPECT_EQ(read_again(object), *object.find("complex_values"));
}

TEST(FoldedText, WhenAValueIsNoListThenItIsBrokenAtSingleBlanksOnly) {
  const std::string command = "/opt/site/bin/prolog a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p  two-blanks "
                              "'a quoted word that goes on' last";
  const auto object = queue_with("prolog", command);
  EXPECT_EQ(read_again(object), command);
  const auto whole = queue_with("prolog", "/" + std::string(200, 'x'));
  EXPECT_EQ(print_folded(whole), print_folded(whole, LongLines::whole))
      << "there is no place to break it";
}

TEST(FoldedText, WhenNoLineMayBeLongThenNoneIs) {
  for (int count = 1; count < 60; ++count) {
    const auto object =
        queue_with("pe_list", numbered_hosts("environment_", "", count, count % 2 ? "," : " "));
    for (const auto& line : split(print_folded(object), '\n')) EXPECT_LE(line.size(), 80u) << line;
    EXPECT_EQ(read_again(object), *object.find("pe_list"));
    EXPECT_EQ(split(print_folded(object, LongLines::whole), '\n').at(1).substr(22),
              *object.find("pe_list"));
  }
}

TEST(FoldedText, WhenABlankBehindACommaMeansNothingThenItGoes) {
  EXPECT_EQ(unfolded_value(ObjectKind::cluster_queue, "slots", "8, [n1=4],   [n2=2]"),
            "8,[n1=4],[n2=2]");
  EXPECT_EQ(unfolded_value(ObjectKind::cluster_queue, "load_thresholds", "np_load_avg=1.75, m=1"),
            "np_load_avg=1.75,m=1");
  EXPECT_EQ(unfolded_value(ObjectKind::cluster_queue, "prolog", "/x a, b"), "/x a, b");
  EXPECT_EQ(unfolded_value(ObjectKind::calendar, "year", "1.1.2027, 2.1.2027"),
            "1.1.2027, 2.1.2027");
}
