// What the parser of the policy language refuses, and what is printed (docs/spec/plus.md section 7).
#include "classad_fixture.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

} // namespace

// P7.4: a text that does not parse is told by line and column.
TEST(GivenABrokenText, WhenParsedThenTheFirstErrorIsToldWithLineAndColumn) {
  const std::pair<const char*, const char*> rows[] = {
      {"a = 1 +", "line 1, column 8: an expression is expected here"},
      {"a = 1;\nb = (2", "line 2, column 7: ) is missing behind an expression"},
      {"a = 1;\n\n  b 2", "line 3, column 5: = is missing behind the name of an attribute"},
      {"a = 1 b = 2", "line 1, column 7: an attribute, `name = expression`, is expected here, with "
                      "; between two of them"},
      {"a = {1, 2", "line 1, column 10: } is missing behind a list of expressions"},
      {"a = {1,}", "line 1, column 8: an expression is expected here"},
      {"a = [b = 1",
       "line 1, column 11: an attribute, `name = expression`, is expected here, with ; "
       "between two of them"},
      {"[a = 1] b = 2", "line 1, column 9: nothing may follow the record of the text"},
      {"a = \"x", "line 1, column 5: the text is not closed in its line"},
      {"a = \"x\n\"", "line 1, column 5: the text is not closed in its line"},
      {"a = \"\\q\"", "line 1, column 6: a \\ in a text is followed by one of n t r b f \\ \" '"},
      {"a = 1; /* x", "line 1, column 8: the comment is not closed"},
      {"a = 'b'", "line 1, column 5: no word of the language begins so"},
      {"a = 010", "line 1, column 5: a number does not begin with 0 and another digit"},
      {"a = 0x", "line 1, column 5: 0x is followed by hexadecimal digits"},
      {"a = 0x-1", "line 1, column 5: 0x is followed by hexadecimal digits"},
      {"a = 1x", "line 1, column 5: a number is not followed by letters"},
      {"a = 9223372036854775808", "line 1, column 5: the number does not fit into 64 bits"},
      {"a = 0x8000000000000000", "line 1, column 5: the number does not fit into 64 bits"},
      {"a = 1e999", "line 1, column 5: the number is too large or too small"},
      {"a = b ? 1", "line 1, column 10: : is missing behind ?"},
      {"a = is 1", "line 1, column 5: an operand is missing before is"},
      {"true = 1", "line 1, column 1: a word of the language cannot be the name of an attribute"},
      {"a = 1; A = 2", "line 1, column 8: A is defined twice"},
      {"a = r.true", "line 1, column 7: the name of an attribute is expected behind ."},
      {"a = size()", "line 1, column 5: size() is not called with 0 arguments"},
      {"a = time(1)", "line 1, column 5: time() is not called with 1 argument"},
      {"a = nothing(1)", "line 1, column 5: there is no function nothing"}};
  for (const auto& [text, error] : rows) EXPECT_EQ(refusal_of(text), error) << text;
}

TEST(GivenTextsBeyondTheLimits, WhenParsedThenTheyAreRefused) {
  EXPECT_EQ(refusal_of("a = 1 //" + std::string(256 * 1024, 'x')), "the text has more than 256 KB");
  EXPECT_EQ(refusal_of("a = \"\xff\""), "the text is not UTF-8");
  EXPECT_EQ(refusal_of(std::string("a = \"\0\"", 7)), "the text contains a control character");
  EXPECT_NE(refusal_of("a = 1" + repeated("+1", 20'000)).find("more than 20000 parts"),
            std::string::npos);
  for (const char* opening : {"(", "{", "[x=", "-", "!", "size(", "1?", "1?2:", "1+(", "{1}["})
    for (const int count : {1'000, 40'000})
      EXPECT_NE(refusal_of("a = " + repeated(opening, count)).find("nested too deeply"),
                std::string::npos)
          << opening;
  EXPECT_NE(refusal_of("a = b" + repeated(".b", 10'000)).find("nested too deeply"),
            std::string::npos);
  EXPECT_EQ(refusal_of("a = " + repeated("(", 90) + "1" + repeated(")", 90)), "");
  EXPECT_EQ(refusal_of("a = 1" + repeated(" + 1", 9'000)), "");
}

TEST(GivenAText, WhenPrintedThenItReadsBackAsTheSame) {
  const std::pair<const char*, const char*> rows[] = {
      {"a=1;b=2", "a = 1;\nb = 2;\n"},
      {"", ""},
      {"a = (1 + 2) * 3", "a = (1 + 2) * 3;\n"},
      {"a = 1 + 2 * 3", "a = 1 + 2 * 3;\n"},
      {"a = (1 - 2) - 3", "a = (1 - 2) - 3;\n"},
      {"a = -(1 + 2)", "a = -(1 + 2);\n"},
      {"a = - -x", "a = --x;\n"},
      {"a = (b ? c : d) ? e : f ? g : h", "a = (b ? c : d) ? e : f ? g : h;\n"},
      {"a = (-b).c", "a = (-b).c;\n"},
      {"a = (b + c)[1]", "a = (b + c)[1];\n"},
      {"a = SIZE({1,2})", "a = size({1, 2});\n"},
      {"a = 0x10", "a = 16;\n"},
      {"a = 1e3", "a = 1000.0;\n"},
      {"a = relTime(\"2d\")", "a = relTime(\"2d\");\n"},
      {"a = \"\\t\\\"\"", "a = \"\\t\\\"\";\n"},
      {"a = [B = 1; c = b].c", "a = [B = 1; c = B].c;\n"},
      {"a = b =?= TRUE", "a = b is true;\n"}};
  for (const auto& [text, printed] : rows) {
    const auto ad = parse_ad(text);
    ASSERT_TRUE(ad.ok()) << text << ": " << ad.what();
    EXPECT_EQ(print_ad(*ad), printed);
    EXPECT_EQ(print_ad(*parse_ad(printed)), printed);
  }
}
