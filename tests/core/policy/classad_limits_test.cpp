// What an evaluation may cost, and how a condition that is not true is explained (docs/spec/plus.md
// section 7).
#include "classad_fixture.hpp"

#include "core/policy/classad/matcher.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

std::string doubling(int times) {
  std::string text = "f0 = [x = 1];";
  for (int i = 1; i <= times; ++i) {
    const auto before = "f" + std::to_string(i - 1);
    text += "f" + std::to_string(i) + " = [p = " + before + "; q = " + before + "];";
  }
  return text;
}

std::string shown(const std::vector<AdReason>& reasons) {
  std::string text;
  for (const auto& reason : reasons) {
    text += reason.expression + " is " + reason.result + ":";
    for (const auto& [name, value] : reason.values) text += " " + name + "=" + value;
    text += "\n";
  }
  return text;
}
std::string why(const std::string& text) {
  return shown(why_not(*parse_ad(text), "x", host_with()));
}

bool matches(const std::string& expression, const std::string& text) {
  const auto matcher = Matcher::parse(expression, TextCase::counts);
  EXPECT_TRUE(matcher.ok()) << expression << ": " << matcher.what();
  return matcher.ok() && matcher->matches(text);
}

} // namespace

// P7.60
TEST(GivenAnExpressionWithManySteps, WhenTheyAreUsedUpThenTheResultIsAnErrorWhateverTheTextDoes) {
  std::string sum = "n";
  for (int i = 0; i < 10'100; ++i) sum += "+n";
  EXPECT_EQ(value_in("n = 1; x = " + sum, "x", {.steps = 30'000}), "10101");
  const auto much = "n = 1; s = " + sum + "; ";
  EXPECT_EQ(mistake_in(much + "x = s", "x"), "it takes too many steps");
  EXPECT_EQ(mistake_in(much + "x = isError(s)", "x"), "it takes too many steps");
  EXPECT_EQ(mistake_in(much + "x = (s is 1) || true", "x"), "it takes too many steps");
  EXPECT_EQ(value_in(much + "x = true || s", "x"), "true");
}

// P7.60
TEST(GivenAttributesThatUseEachOther, WhenTheyAreMoreThanAHundredThenItIsAnError) {
  std::string text = "a0 = n; n = 1;";
  for (int i = 1; i <= 120; ++i)
    text += "a" + std::to_string(i) + " = a" + std::to_string(i - 1) + ";";
  EXPECT_EQ(value_in(text, "a90"), "1");
  EXPECT_EQ(mistake_in(text, "a120"), "it is nested too deeply");
  EXPECT_EQ(mistake_in(text + "x = isError(a120)", "x"), "it is nested too deeply");
}

TEST(GivenValuesThatGrow, WhenEvaluatedThenTheyAreBounded) {
  EXPECT_EQ(mistake_in(doubling(40), "f40"), "it takes too many steps");
  std::string text = "s0 = \"0123456789\";";
  for (int i = 1; i <= 40; ++i) {
    const auto before = "s" + std::to_string(i - 1);
    text += "s" + std::to_string(i) + " = strcat(" + before + ", " + before + ");";
  }
  EXPECT_EQ(value_in(text + "x = size(s12)", "x"), "40960");
  EXPECT_EQ(mistake_in(text, "s40"), "a text is too long");
  EXPECT_EQ(mistake_in(text + "p = \"(a*)*b\"; x = regexp(strcat(p, \"{200}\"), s12)", "x"),
            "it takes too many steps");
}

// P7.60: otherwise a few operators on long texts would take as long as millions of others.
TEST(GivenLongValues, WhenTheyAreLookedThroughThenTheirLengthCountsAsSteps) {
  const std::string text(65'536, 'a');
  std::vector<std::string> names(40'000, "n");
  const auto fields = std::make_shared<AdFields>();
  fields->values.resize(names.size(), AdValue(true)), fields->names = ad_names(std::move(names));
  const auto host = host_with({ad_text(text), ad_text(text),
                               ad_list(std::vector<AdValue>(40'000, AdValue(std::int64_t{1}))),
                               AdValue(AdRecord(fields))});
  for (const auto* expression : {"a == b",         "a != b",
                                 "a < b",          "a <= \"\" || a >= b",
                                 "a is b",         "a isnt b",
                                 "member(a, {b})", "identicalMember(a, {1, b})",
                                 "size(a)",        "strcat(a)",
                                 "substr(a, 1)",   "toLower(a)",
                                 "toUpper(a)",     "regexp(\"b\", a)",
                                 "int(a)",         "real(a)",
                                 "bool(a)",        "absTime(a)",
                                 "relTime(a)",     "[n = 1][a]",
                                 "member(2, l)",   "identicalMember(2, l)",
                                 "min(l)",         "max(l)",
                                 "sum(l)",         "avg(l)",
                                 "r.other",        "r[\"other\"]",
                                 "size(r)"}) {
    const auto ad = parse_ad(std::string("x = ") + expression, {{"a", "b", "l", "r"}, {}});
    ASSERT_TRUE(ad.ok()) << expression << ": " << ad.what();
    const auto is_too_much = [&](std::int64_t steps) {
      const auto value = evaluate(*ad, "x", host, {.steps = steps});
      return value.is_error() &&
             value.as<AdError>()->what == std::string("it takes too many steps");
    };
    EXPECT_TRUE(is_too_much(1'000)) << expression;
    EXPECT_FALSE(is_too_much(10'000)) << expression;
  }
  EXPECT_EQ(value_in("x = \"ab\" == \"AB\"", "x", {.steps = 3}), "true");
}

// P7.60
TEST(GivenARecordOfTheText, WhenItIsMadeThenEach32OfItsAttributesAreAStep) {
  std::string fields;
  for (int i = 0; i < 64; ++i) fields += "f" + std::to_string(i) + " = 1; ";
  const auto text = "x = size([" + fields + "])";
  // The call, the record and two for what is in it.
  EXPECT_EQ(value_in(text, "x", {.steps = 4}), "64");
  EXPECT_EQ(mistake_in(text, "x", {.steps = 3}), "it takes too many steps");
}

TEST(GivenAListThatGrows, WhenItWasTakenBeforeThenItStaysAsItWas) {
  const auto items = std::make_shared<std::vector<AdValue>>();
  const auto empty = AdList{items, 0};
  items->push_back({std::int64_t{1}});
  const auto ad = parse_ad("a = size(before); b = size(now); c = before is now; d = now[0]",
                           {{"before", "now"}, {}});
  const auto host = host_with({{empty}, {AdList{items, 1}}});
  EXPECT_EQ(print_value(evaluate(*ad, "a", host)), "0");
  EXPECT_EQ(print_value(evaluate(*ad, "b", host)), "1");
  EXPECT_EQ(print_value(evaluate(*ad, "c", host)), "false");
  EXPECT_EQ(print_value(evaluate(*ad, "d", host)), "1");
}

TEST(GivenAConditionThatIsNotTrue, WhenExplainedThenTheDeepestPartIsNamedWithItsValues) {
  EXPECT_EQ(why("x = true"), "");
  EXPECT_EQ(why("a = 3; b = 4; x = a < b && a == b"), "a == b is false: a=3 b=4\n");
  EXPECT_EQ(why("a = 3; x = y && z; y = a > 1; z = w && a > 2; w = a > 3"),
            "a > 3 is false: a=3\n");
  EXPECT_EQ(why("a = 3; x = a > 5 || a < 1 && a > 0"),
            "a > 5 is false: a=3\na < 1 is false: a=3\n");
  EXPECT_EQ(why("x = r.load <= 0.3; r = [b = 1]"),
            "r.load <= 0.3 is undefined: r.load=undefined\n");
  EXPECT_EQ(why("x = n.load <= 1 && false == n.up; n = [up = true]"),
            "false == n.up is false: n.up=true\n");
  EXPECT_EQ(why("a = 3; x = a"), "3 is 3:\n");
  EXPECT_EQ(why("a = 3; x = a > 2 ? a > 7 : true"), "a > 7 is false: a=3\n");
  EXPECT_EQ(why("a = 3; x = a > 2 ? false : true"), "a > 2 ? false : true is false: a=3\n");
  EXPECT_EQ(why("x = b ? true : true"), "b is undefined: b=undefined\n");
  EXPECT_EQ(why("l = {1,2,3,4,5}; x = member(6, l)"), "member(6, l) is false: l=a list of 5\n");
  EXPECT_EQ(why("x = 1/0 == 1"), "1 / 0 == 1 is error: a division by zero:\n");
  EXPECT_EQ(why("x = y; y = x"), "y is error: an attribute depends on itself:\n");
  EXPECT_EQ(why("z = 1"), "x is undefined:\n");
}

TEST(GivenExpressionsOnTexts, WhenMatchedThenTheyMeanWhatIsUsual) {
  EXPECT_TRUE(matches("", ""));
  EXPECT_TRUE(matches("b+", "abbc"));
  EXPECT_FALSE(matches("^b", "ab"));
  EXPECT_TRUE(matches("^(a|bc)*$", "abcbca"));
  EXPECT_FALSE(matches("^(a|bc)*$", "abcb"));
  EXPECT_TRUE(matches("^[a-c]{2,3}$", "abc"));
  EXPECT_FALSE(matches("^[a-c]{2,3}$", "abca"));
  EXPECT_TRUE(matches("^x{0}y$", "y"));
  EXPECT_TRUE(matches("^a{2,}$", "aaaa"));
  EXPECT_TRUE(matches("^[^0-9]+$", "ab"));
  EXPECT_FALSE(matches("^[^0-9]+$", "a1"));
  EXPECT_TRUE(matches("^[]a-]+$", "]-a"));
  EXPECT_TRUE(matches("^\\d\\w\\s\\.$", "1_ ."));
  EXPECT_FALSE(matches("^\\D", "1"));
  EXPECT_TRUE(matches("^(?:a?)*$", "aaa"));
  EXPECT_TRUE(matches("a.*?c", "abbc"));
  EXPECT_FALSE(matches("a.c", "a\nc"));
  EXPECT_TRUE(matches("|a", "b"));
  EXPECT_TRUE(matches("$", "b"));
  EXPECT_TRUE(Matcher::parse("aBc", TextCase::ignored)->matches("xAbCx"));
  for (const char* text : {"(", ")", "[a", "*a", "a{2", "a{3,2}", "a{201}", "\\1", "(?=a)", "[b-a]",
                           "[[:alpha:]]", "a\\", "((((a{200}){200}){200}){200})"})
    EXPECT_FALSE(Matcher::parse(text, TextCase::counts).ok()) << text;
}

TEST(GivenAHostileExpression, WhenMatchedThenTheTimeIsThatOfAnyOther) {
  const auto matcher = Matcher::parse("^(a*)*(a|a)*(a?){100}b$", TextCase::counts);
  ASSERT_TRUE(matcher.ok());
  EXPECT_FALSE(matcher->matches(std::string(5'000, 'a')));
}
