// Files of resource quota sets, as administrators and strangers write them.
#include "core/configuration/objects/complex.hpp"
#include "core/configuration/objects/quota_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

std::string refusal(const std::string& text) {
  const auto sets = parse_quota_sets(text);
  return sets ? "" : sets.what();
}

std::string printed(const std::vector<ConfigurationObject>& sets) {
  std::string text;
  for (const auto& set : sets) text += print_quota_set(set);
  return text;
}

std::string canonical(const std::string& text) {
  const auto sets = parse_quota_sets(text);
  return sets ? printed(*sets) : sets.what();
}

// quotas Q2.18, V9.1
constexpr const char* example = "{\n"
                                "   name         max_u_slots\n"
                                "   description  NONE\n"
                                "   enabled      TRUE\n"
                                "   limit        name cap users {ann,bob},!eve hosts @lin to "
                                "slots=100,lic=5\n"
                                "}\n";

} // namespace

TEST(GivenAFileInCanonicalForm, WhenReadAndPrintedThenItIsTheSameByteForByte) {
  EXPECT_EQ(canonical(example), example);
  auto second = std::string(example);
  second.replace(second.find("max_u"), 5, "other");
  EXPECT_EQ(canonical(example + second), example + second);
}

TEST(GivenAFile, WhenItIsWrittenInAnotherWayThenItMeansTheSame) {
  // quotas Q2.2, quotas Q2.3, quotas Q2.4
  EXPECT_EQ(canonical("# sets of ours\r\n"
                      "\r\n"
                      "{\r\n"
                      "enabled true\r\n"
                      "# none \\\r\n of this is read\r\n"
                      "limit name cap users {ann, \\\r\n"
                      "   bob} !eve hosts\t@lin \\\r\n"
                      "   to slots=100 , lic=5\r\n"
                      "  name max_u_slots\r\n"
                      "description \"\"\r\n"
                      "}\r\n\r\n"),
            example);
  EXPECT_EQ(canonical("{\nname a\n}"),
            "{\n   name         a\n   description  NONE\n   enabled      TRUE\n}\n");
  EXPECT_EQ(canonical("{\nname a\ndescription \"at \\\nmost } 3\"\nenabled 0\n}"),
            "{\n   name         a\n   description  at  most } 3\n   enabled      FALSE\n}\n");
  EXPECT_EQ(canonical("{\nname a\ndescription none\nenabled False\n}"),
            "{\n   name         a\n   description  NONE\n   enabled      FALSE\n}\n");
}

// quotas Q2.6, V9.3, objects O10.17, objects O10.18
TEST(GivenATemplate, WhenItIsPrintedThenItIsEnabledAndLimitsSlots) {
  const auto text = print_quota_set(new_quota_set("cap"));
  EXPECT_EQ(text, "{\n"
                  "   name         cap\n"
                  "   description  \"\"\n"
                  "   enabled      TRUE\n"
                  "   limit        to slots=0\n"
                  "}\n");
  const auto sets = parse_quota_sets(text);
  ASSERT_TRUE(sets.ok()) << sets.what();
  EXPECT_EQ(*sets->front().find("description"), "NONE");
  EXPECT_EQ(sets->front().find("position"), nullptr) << "the master gives it one";
}

TEST(GivenAFile, WhenItIsWrongThenLineAndWordAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "the file holds no resource quota sets"},
      {"# only a remark\n", "the file holds no resource quota sets"},
      {"name a\n",
       "a resource quota set begins with \"{\" in a line by itself\nline 1: \"name a\""},
      {"{\nname a\n", "a resource quota set has no \"}\"\nline 1: \"{\""},
      {"{\nname a\n{\n", "unknown attribute name \"{\"\nline 3: \"{\""},
      {"{\nlimit to slots=1\n}\n", "resource quota set has no name\nline 3: \"}\""}, // quotas Q5.12
      {"{\nname\n}\n", "resource quota set has no name\nline 2: \"name\""},
      {"{\nname a\nname b\n}\n", "attribute \"name\" appears more than once\nline 3: \"name b\""},
      {"{\nname a\nenabled MAYBE\n}\n", // V9.4
       "error parsing value \"MAYBE\"\nline 3: \"enabled MAYBE\""},
      {"{\nname a\ncolour red\n}\n", "unknown attribute name \"colour\"\nline 3: \"colour red\""},
      {"{\nname a\nlimit users \\\n{ann to slots=1\n}\n",
       "no valid expanded list\nline 3: \"{ann\""}, // quotas Q2.9
      {"{\nname a\n}\n{\nname a\n}\n",              // quotas Q5.9
       "Resource quota replacement request contains rqs name \"a\" multiple times\nline 5: \"a\""},
      {"{\nname a*\n}\n", "\"a*\" is not a valid object name (contains '*')\nline 2: \"a*\""},
      {"{\nname template\n}\n", // quotas Q5.13
       "Keyword (\"template\") not allowed as objectname\nline 2: \"template\""},
      {std::string("{\nname a\0b\n}\n", 13),
       "the text holds a control character\nline 2: \"name a\\x00b\""},
      {"{\nname \xff\n}\n", "the text is not valid UTF-8\nline 2: \"name \\xff\""}};
  for (const auto& [given, expected] : cases) EXPECT_EQ(refusal(given), expected);
}

TEST(GivenAFile, WhenSeveralLinesAreWrongThenAllAreNamedAndNoneBecauseOfAnother) {
  std::string all;
  for (const auto& error :
       read_quota_file("first\nsecond\n"
                       "{\nname a*\nenabled maybe\nlimit users {* to slots=1\n}\n"
                       "{\nname b\nfoo\n}\n{\nname b\n}\n{\n")
           .errors)
    all += error.what.substr(error.what.find('\n') + 1) + "; ";
  EXPECT_EQ(all, "line 1: \"first\"; line 4: \"a*\"; line 5: \"enabled maybe\"; line 6: \"{*\"; "
                 "line 10: \"foo\"; line 13: \"b\"; ");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "{\nfoo\nname a" + std::to_string(i) + "\n}\n";
  EXPECT_EQ(read_quota_file(many).errors.size(), 20u);
}

TEST(GivenAFile, WhenItsRulesAreLookedForThenTheLinesAtWhichTheyBegin) {
  const auto lines = quota_rule_lines("# two\n{\nname a\nlimit \\\nto slots=1\n\nlimit to s=2\n}\n"
                                      "{\nlimit to s=3\nname b\n}\n{\nname c\n}\n{\nname d\nwrong");
  const std::map<std::string, std::vector<std::size_t>> expected{
      {"a", {4, 7}}, {"b", {10}}, {"c", {}}};
  EXPECT_EQ(lines, expected);
}

TEST(GivenAHugeFile, WhenReadThenTheLimitIsSaid) {
  EXPECT_EQ(refusal(std::string(17 << 20, 'x')),
            "a file of resource quota sets has at most 16777216 bytes, not 17825792");
  std::string rules = "{\nname a\n";
  for (int i = 0; i < 10'000; ++i) rules += "limit to slots=1\n";
  EXPECT_EQ(refusal(rules + "}\n"), "at most 1000 rules are taken in a resource quota set\n"
                                    "line 1003: \"limit to slots=1\"");
  std::string names = "u0";
  for (int i = 1; i < 100; ++i) names += ",u" + std::to_string(i);
  std::string long_rules = "{\nname a\n";
  for (int i = 0; i < 900; ++i) long_rules += "limit users " + names + " to slots=1\n";
  const auto said = refusal(long_rules + "}\n");
  EXPECT_TRUE(said.starts_with("at most 131072 bytes of rules are taken in a resource quota set\n"
                               "line 3"))
      << said;
  std::string sets;
  for (int i = 0; i <= 1'000; ++i) sets += "{\nname s" + std::to_string(i) + "\n}\n";
  EXPECT_EQ(refusal(sets),
            "at most 1000 resource quota sets are taken from a file\nline 3001: \"{\"");
}

// What was read is printed in a form that reads back as the same, whatever was written.
RC_GTEST_PROP(GivenAnyFile, WhenItReadsThenItsCanonicalFormReadsBack, ()) {
  static const std::vector<std::string> pieces{
      "users", "hosts", "queues", "!eve",  "@g",    "{",       "}",     ",",       " ",  "ann",
      "to",    "name",  "\\\n",   "slots", "lic=5", "slots=1", "h[12]", "$p*2-1=", "\t", "*"};
  std::string text = "{\nname a\n";
  const auto lines = *rc::gen::inRange(0, 4);
  for (int line = 0; line < lines; ++line) {
    text += "limit ";
    const auto length = *rc::gen::inRange(0, 12);
    for (int i = 0; i < length; ++i)
      text += pieces[*rc::gen::inRange<std::size_t>(0, pieces.size())] + " ";
    if (*rc::gen::inRange(0, 2)) text += " to slots=1";
    text += "\n";
  }
  const auto read = parse_quota_sets(text + "}\n");
  if (!read) RC_DISCARD("it does not read");
  const auto again = parse_quota_sets(printed(*read));
  RC_ASSERT(again.ok());
  RC_ASSERT(*again == *read);
}
