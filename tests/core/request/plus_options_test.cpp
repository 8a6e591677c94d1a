// The command lines of plus_* commands, and the rows that they are read by (docs/spec/plus.md section 3).
#include "core/request/plus_options.hpp"

#include "core/text/words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace almanac;

namespace {

constexpr Instant now{1'000'000};

Result<PlusOptions> parsed(const std::string& line) {
  auto arguments = words(line, " ");
  const auto command = arguments.front().substr(arguments.front().find('_') + 1);
  arguments.erase(arguments.begin());
  return parse_plus(command, arguments,
                    {now, [](const DateTime&) -> Result<Instant> { return Instant{500}; }});
}
std::string error_of(const std::string& line) {
  const auto options = parsed(line);
  return options ? options->refusal : options.what();
}
bool is_usage_error(const std::string& line) { return !parsed(line); }

} // namespace

// P0.1
TEST(GivenTheTableOfPlus, WhenItIsReadThenEachOptionOfACommandHasOneRow) {
  const std::set<std::string_view> known(plus_commands().begin(), plus_commands().end());
  for (const auto& row : plus_table()) {
    EXPECT_TRUE(row.name->starts_with("-")) << *row.name;
    EXPECT_FALSE(row.help->empty()) << *row.name;
    EXPECT_FALSE(row.of->empty()) << *row.name;
    for (const auto& command : words(*row.of, " ")) EXPECT_TRUE(known.contains(command)) << command;
    const auto of = words(*row.of, " ");
    for (const auto& command : words(*row.needed, " "))
      EXPECT_NE(std::find(of.begin(), of.end(), command), of.end()) << command << *row.name;
  }
  for (const auto command : plus_commands()) {
    std::set<std::string_view> names;
    for (const auto* row : plus_options_of(command))
      EXPECT_TRUE(names.insert(*row->name).second) << command << " " << *row->name;
    EXPECT_TRUE(names.contains("-help")) << command;
  }
}

// The synopses of section 3.
TEST(GivenTheTableOfPlus, WhenACommandIsLookedUpThenItHasTheOptionsOfItsSynopsis) {
  const std::map<std::string, std::string> synopses{
      {"scheduler", "-t -a -c -r -ne -sgeq"},
      {"schedkill", ""},
      {"reserve", "-T -s -e -D -n -U -mem -ncpu -arch -os -l -p -sn -sgeq -x"},
      {"status", "-r -o -n -s -e -ne -x"},
      {"cancel", "-T -r -o -reskey"},
      {"destroy", "-T -r -o -reskey"},
      {"modify", "-T -r -s -e -D -n -U -reskey"},
      {"availnodes", "-s -e -x"},
      {"commit", "-r"},
      {"abort", "-r"},
      {"account", "-s -e -d -f -o -n -l -S"}};
  for (const auto& [command, synopsis] : synopses) {
    std::set<std::string> names;
    for (const auto* row : plus_options_of(command)) names.insert(std::string(*row->name));
    auto wanted = words(synopsis, " ");
    wanted.push_back("-help");
    EXPECT_EQ(names, std::set<std::string>(wanted.begin(), wanted.end())) << command;
    EXPECT_TRUE(plus_usage(command).starts_with("usage: plus_" + command + " [options]\n"));
  }
}

// P3.13 to P3.22; P2.16
TEST(GivenPlusReserve, WhenItsOptionsAreReadThenTheyAreARequestForNodes) {
  const auto options = parsed(
      "plus_reserve -T -s +1h -D 2h -n 4 -U ann,@set -mem 2g -ncpu 8 -arch lx-amd64 -os linux "
      "-l lic=1,a=b -sgeq all.q,b.q -x");
  ASSERT_TRUE(options) << options.what();
  EXPECT_TRUE(options->holds);
  EXPECT_TRUE(options->as_xml);
  EXPECT_EQ(*options->start, now + Duration{3600});
  EXPECT_EQ(*options->length, Duration{7200});
  EXPECT_EQ(options->users, (std::vector<std::string>{"ann", "@set"}));
  const auto& request = options->request;
  EXPECT_EQ(request.nodes, 4);
  EXPECT_EQ(request.node_slots, 0);
  EXPECT_TRUE(request.whole_nodes);
  EXPECT_TRUE(request.preempts);
  EXPECT_EQ(request.least, (std::vector<Attribute>{{"mem_total", "2g"}, {"num_proc", "8"}}));
  EXPECT_EQ(request.resources,
            (std::vector<Attribute>{{"arch", "lx-amd64"}, {"lic", "1"}, {"a", "b"}}));
  EXPECT_EQ(request.os, "linux");
  EXPECT_EQ(request.queues, (std::vector<std::string>{"all.q", "b.q"}));
  EXPECT_EQ(request.repair, Repair::as_site) << "the site's word is not for these (P3.30)";
}

// P3.20, P3.21
TEST(GivenPlusReserve, WhenPartsOfNodesAreWantedThenOthersMayUseTheRest) {
  const auto options = parsed("plus_reserve -s now -e +60 -n 1 -p -sn 2");
  ASSERT_TRUE(options) << options.what();
  EXPECT_FALSE(options->request.whole_nodes);
  EXPECT_TRUE(options->request.preempts);
  EXPECT_EQ(options->request.node_slots, 2);
}

// P2.9, P3.14, P3.15, P3.16
TEST(GivenPlusReserve, WhenItIsCalledInAWrongWayThenTheOptionIsNamed) {
  EXPECT_EQ(error_of("plus_reserve -D 1h -n 1"), "option -s is missing");
  EXPECT_EQ(error_of("plus_reserve -s now -D 1h"), "option -n is missing");
  EXPECT_EQ(error_of("plus_reserve -s now -n 1"), "either -e or -D is given");
  EXPECT_EQ(error_of("plus_reserve -s now -e +1h -D 1h -n 1"), "either -e or -D is given");
  EXPECT_EQ(error_of("plus_reserve -s +1h -e +1h -n 1"),
            "the end (-e) is not after the start (-s)");
  for (const char* wrong :
       {"-n 0", "-n x", "-n -1", "-D 0", "-D x", "-mem 0", "-ncpu 0", "-arch a,b", "-os ,", "-l =1",
        "-sn 0", "-sgeq ,", "-U !ann", "-s then", "-z", "more"})
    EXPECT_TRUE(is_usage_error(std::string("plus_reserve -s now -D 1h -n 1 ") + wrong)) << wrong;
}

// P3.18: equal, and no more; -l takes patterns.
TEST(GivenPlusReserve, WhenAnArchitectureOrASystemIsAPatternThenItIsRefused) {
  const std::string command = "plus_reserve -s now -D 1h -n 1 ";
  EXPECT_EQ(error_of(command + "-arch lx*"),
            "option -arch lx*: a name is given, no pattern: a node has to have just this one");
  for (const char* wrong : {"-arch !foo", "-arch lx-?86", "-arch a|b", "-os linu[x]", "-os !aix"})
    EXPECT_TRUE(is_usage_error(command + wrong)) << wrong;
  EXPECT_FALSE(is_usage_error(command + "-arch lx-amd64 -os linux -l arch=lx*"));
}

// P3.14: it is understood, and refused.
TEST(GivenPlusReserve, WhenTheStartHasPassedByMoreThanAMinuteThenItIsRefused) {
  EXPECT_EQ(error_of("plus_reserve -s @999940 -D 1h -n 1"), "");
  EXPECT_EQ(error_of("plus_reserve -s @999939 -D 1h -n 1"), "the start (-s) has passed");
  EXPECT_FALSE(is_usage_error("plus_reserve -s @999939 -D 1h -n 1"));
}

// P3.44, P3.45; rule 3 of section 4
TEST(GivenPlusCancel, WhenItsOptionsAreReadThenEitherOneReservationOrOneOwnerIsMeant) {
  for (const std::string command : {"plus_cancel", "plus_destroy"}) {
    EXPECT_EQ(parsed(command + " -T -r R7")->number.value, 7);
    EXPECT_EQ(parsed(command + " -o ann")->owner, "ann");
    for (const char* wrong : {"", " -r 7 -o ann", " -T -o ann", " -r x", " -r 0", " -o ann,bob",
                              " -o @set", " -o *", " -T"})
      EXPECT_TRUE(is_usage_error(command + wrong)) << wrong;
  }
}

// P3.47, P3.51
TEST(GivenPlusModify, WhenNoChangeIsGivenThenItIsRefused) {
  EXPECT_TRUE(is_usage_error("plus_modify -r 7"));
  EXPECT_TRUE(is_usage_error("plus_modify -n 2"));
  EXPECT_TRUE(is_usage_error("plus_modify -r 7 -e +1h -D 1h"));
  EXPECT_TRUE(is_usage_error("plus_modify -r 7 -s +1h -e +1h"));
  const auto options = parsed("plus_modify -r 7 -U eve -n 3 -s +1h");
  ASSERT_TRUE(options) << options.what();
  EXPECT_EQ(options->users, std::vector<std::string>{"eve"});
  EXPECT_EQ(options->request.nodes, 3);
  EXPECT_FALSE(options->request.whole_nodes) << "a change of nothing but what is given";
}

TEST(GivenTheOtherCommandsOfPlus, WhenTheirOptionsAreReadThenWhatIsMissingIsNamed) {
  EXPECT_EQ(error_of("plus_availnodes -s now"), "option -e is missing");
  EXPECT_EQ(error_of("plus_availnodes -e +1h"), "option -s is missing");
  EXPECT_EQ(error_of("plus_commit"), "option -r is missing");
  EXPECT_EQ(error_of("plus_abort"), "option -r is missing");
  EXPECT_FALSE(is_usage_error("plus_commit -r R1"));
  EXPECT_FALSE(is_usage_error("plus_schedkill"));
  EXPECT_TRUE(is_usage_error("plus_schedkill now"));
  EXPECT_TRUE(is_usage_error("plus_status -s +2h -e +1h"));
  EXPECT_EQ(parsed("plus_status -n -ne 3 -x")->expired, 3);
  EXPECT_TRUE(is_usage_error("plus_status -ne -1"));
}

// P3.1, P3.2, P3.5, P3.6, P2.5; P1.1
TEST(GivenPlusScheduler, WhenItsOptionsAreReadThenTheyAreSettings) {
  const auto options = parsed("plus_scheduler -t SGEQ -a Sort -c keys -ne 7 -sgeq a.q,b.q");
  ASSERT_TRUE(options) << options.what();
  EXPECT_EQ(options->sorts, true);
  EXPECT_EQ(options->sort_file, "keys");
  EXPECT_EQ(options->kept, 7);
  EXPECT_EQ(options->only_queues, "a.q|b.q");
  EXPECT_EQ(parsed("plus_scheduler -a fifo -t native")->sorts, false);
  EXPECT_EQ(parsed("plus_scheduler -t SGE")->sorts, std::nullopt);
  EXPECT_TRUE(parsed("plus_scheduler -t torque"));
  EXPECT_EQ(error_of("plus_scheduler -t torque"),
            "-t TORQUE: this cell has a scheduler of its own, and drives no TORQUE");
  for (const char* wrong : {"-t PBS", "-a Random", "-ne x", "-ne 100001", "-sgeq a|b", "-sgeq ,"})
    EXPECT_TRUE(is_usage_error(std::string("plus_scheduler ") + wrong)) << wrong;
}

// P3.55 to P3.61: P3.56 excludes -s
TEST(GivenPlusAccount, WhenItsOptionsAreReadThenNamesMayFollowThem) {
  const auto all = parsed("plus_account -o -n -l");
  ASSERT_TRUE(all) << all.what();
  EXPECT_TRUE(all->by_owner && all->by_node && all->each);
  const auto some = parsed("plus_account -o ann -n n1,n2 -S -d 7 -f log");
  ASSERT_TRUE(some) << some.what();
  EXPECT_EQ(some->owner, "ann");
  EXPECT_EQ(some->nodes, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(some->days, 7);
  EXPECT_EQ(some->file, "log");
  for (const char* wrong : {"-d 1 -s now", "-l -S", "-d 0", "-s +2h -e +1h", "-o a,b", "-n ,"})
    EXPECT_TRUE(is_usage_error(std::string("plus_account ") + wrong)) << wrong;
}

TEST(GivenAnyCommandOfPlus, WhenHelpIsWantedThenNothingElseIsLookedAt) {
  for (const auto command : plus_commands())
    for (const char* help : {"-help", "--help"}) {
      const auto options = parsed("plus_" + std::string(command) + " " + help);
      ASSERT_TRUE(options) << command;
      EXPECT_TRUE(options->help) << command;
    }
}
