// Lists of tokens (spec/metascheduler.md section 3).
#include "core/text/token_list.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

std::string read(std::string_view text) {
  const auto tokens = parse_token_list(text);
  if (!tokens) return "error: " + tokens.what();
  std::string all;
  for (const auto& [name, value] : *tokens) all += "<" + name + "|" + value + ">";
  return all;
}

} // namespace

TEST(GivenATokenList, WhenItIsReadThenNamesAreInUpperCaseAndValuesAreAsTheyAre) {
  EXPECT_EQ(read("user=Ann;Nodes=2"), "<USER|Ann><NODES|2>");
  EXPECT_EQ(read("USER=ann;"), "<USER|ann>");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("A=x=y"), "<A|x=y>") << "TIMESPEC has tokens of its own";
}

// M3.1
TEST(GivenATokenList, WhenACharacterHasABackslashThenItHasNoMeaning) {
  EXPECT_EQ(read("L=mem\\:2G,a\\;b;X_1=\\#\\\\"), "<L|mem:2G,a;b><X_1|#\\>");
  EXPECT_EQ(read("MSG=one\\ntwo"), "<MSG|one\ntwo>");
  EXPECT_EQ(read("T=2H:WALL"), "<T|2H:WALL>") << "a colon needs none";
}

// M3.3
TEST(GivenATokenList, WhenThereAreBlanksAroundSeparatorsThenTheyAreDropped) {
  EXPECT_EQ(read(" USER = ann ; NODES\t=\t2 ; "), "<USER|ann><NODES|2>");
  EXPECT_EQ(read("NAME=a b;X_=\\ x\\ "), "<NAME|a b><X_| x >");
  EXPECT_EQ(read("A=x\\\\ "), "<A|x\\>") << "that backslash is a character";
}

TEST(GivenATokenList, WhenAPieceIsNoTokenThenItIsNamed) {
  EXPECT_EQ(read("USER=ann;;NODES=2"), "error: \"\" is not NAME=value");
  EXPECT_EQ(read(";"), "error: \"\" is not NAME=value");
  EXPECT_EQ(read("USER"), "error: \"USER\" is not NAME=value");
  EXPECT_EQ(read("9A=1"), "error: \"9A=1\" is not NAME=value");
  EXPECT_EQ(read("A-B=1"), "error: \"A-B=1\" is not NAME=value");
  EXPECT_EQ(read("=1"), "error: \"=1\" is not NAME=value");
  EXPECT_EQ(read("A=1\\"), "error: A: a backslash is the last character");
  EXPECT_EQ(read(std::string(65'536, ';')).substr(0, 6), "error:");
}

RC_GTEST_PROP(GivenAnyTokens, WhenTheyArePrintedThenTheyAreReadBackAsTheyWere, ()) {
  const auto character = rc::gen::elementOf(std::string("ab;:#\\ \t\n=,nN\"'\xc3\xa4"));
  const auto values =
      *rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(character));
  std::vector<Attribute> tokens;
  for (const auto& value : values) tokens.push_back({"X_" + std::to_string(tokens.size()), value});
  const auto text = print_token_list(tokens);
  RC_ASSERT(text.find('\n') == std::string::npos);
  const auto read = parse_token_list(text);
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == tokens);
}
