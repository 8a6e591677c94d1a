// docs/spec/cli.md C6.81: what many places have in common is told once.
#include "core/answer/gridengine.hpp"
#include "core/matching/summed_obstacles.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

std::string queue(int host) { return "all.q@n" + std::to_string(host); }
Statement disabled(int host) {
  return {AnswerCode::instance_dropped,
          {{"queue", queue(host)}, {"why", Statement{AnswerCode::instance_disabled, {}}}}};
}
Statement other_host(int host) {
  return {AnswerCode::offers_other_in_queue,
          {{"request", "-l h=n1"},
           {"queue", queue(host)},
           {"resource", "hostname"},
           {"value", "n" + std::to_string(host)}}};
}
Statement few(const std::string& host) {
  return {AnswerCode::offers_few_at_host,
          {{"request", "-l m=1"}, {"host", host}, {"resource", "m"}, {"amount", "0"}}};
}
std::vector<std::string> words(const std::vector<Statement>& obstacles) {
  std::vector<std::string> lines;
  for (const auto& statement : summed_up(obstacles))
    lines.push_back(gridengine::text_of(statement));
  return lines;
}

} // namespace

TEST(GivenReasonsOfFewPlaces, WhenTheyAreAlikeThenEachIsTold) {
  std::vector<Statement> four;
  for (int host = 1; host <= 4; ++host) four.push_back(disabled(host));
  EXPECT_EQ(summed_up(four), four);
  std::vector<Statement> all = four;
  for (int host = 2; host <= 5; ++host) all.push_back(other_host(host));
  EXPECT_EQ(summed_up(all), all);
  EXPECT_TRUE(summed_up(std::vector<Statement>()).empty());
}

TEST(GivenReasonsOfManyPlaces, WhenTheyAreAlikeThenThreeAreToldAndTheOthersCounted) {
  std::vector<Statement> all;
  for (int host = 1; host <= 100; ++host) {
    all.push_back(disabled(host));
    if (host == 50) all.push_back({AnswerCode::pe_offers_few, {{"pe", "fill"}, {"slots", 0}}});
  }
  all.push_back({AnswerCode::instance_dropped,
                 {{"queue", "b.q@n1"}, {"why", Statement{AnswerCode::instance_suspended, {}}}}});
  EXPECT_EQ(words(all),
            (std::vector<std::string>{
                "queue instance \"all.q@n1\" dropped because it is disabled",
                "queue instance \"all.q@n2\" dropped because it is disabled",
                "queue instance \"all.q@n3\" dropped because it is disabled",
                "97 more queue instances are ruled out for the same reason as \"all.q@n3\"",
                "cannot run in PE \"fill\" because it only offers 0 slots",
                "queue instance \"b.q@n1\" dropped because it is suspended"}));
}

TEST(GivenHostsThatARequestDoesNotName, WhenTheyAreManyThenTheyAreALine) {
  std::vector<Statement> all;
  for (int host = 2; host <= 100; ++host) all.push_back(other_host(host));
  EXPECT_EQ(words(all),
            std::vector<std::string>{
                "(-l h=n1) cannot run in 99 queue instances, which are on other hosts"});
}

TEST(GivenReasonsOfManyHosts, WhenOneDiffersThenItStandsForItself) {
  std::vector<Statement> all;
  for (const char* host : {"n1", "n2", "n3", "n4", "n5"}) all.push_back(few(host));
  auto more = few("n6");
  more.details.back().text = "1";
  all.push_back(more);
  const auto lines = words(all);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[3], "2 more hosts are ruled out for the same reason as \"n3\"");
  EXPECT_NE(lines[4].find("\"n6\""), std::string::npos) << lines[4];
  for (auto& statement : all) statement.trouble = true;
  EXPECT_TRUE(summed_up(all)[3].trouble) << "it goes where the others go";
}

TEST(GivenReasonsInFull, WhenTheyAreAskedForThenNoneIsLeftOut) {
  auto shortened = Obstacles(), full = Obstacles::in_full();
  for (int host = 1; host <= 9; ++host) shortened.add(disabled(host)), full.add(disabled(host));
  EXPECT_EQ(summed_up(shortened).size(), 4U);
  EXPECT_EQ(summed_up(full).size(), 9U);
}
