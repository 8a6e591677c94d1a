// Operators, types and names of the policy language (docs/spec/plus.md section 7).
#include "classad_rows.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenTheTableOfOperators, WhenEvaluatedThenEachRowHasItsResult) {
  expect_rows({{"P7.100", "undefined && false", "false"},
               {"P7.101", "undefined || true", "true"},
               {"P7.102", "undefined == 1", "undefined"},
               {"P7.103", "undefined is undefined", "true"},
               {"P7.104", "\"a\"==\"A\"", "true"},
               {"P7.105", "\"a\" is \"A\"", "false"},
               {"P7.106", "1==\"1\"", "error"},
               {"P7.107", "{1,2}[1]", "2"},
               {"P7.108", "7/2", "3"},
               {"P7.109", "7/2.0", "3.5"},
               {"P7.110", "relTime(\"2d\")==relTime(172800)", "true"},
               {"P7.111", "absTime(10)-absTime(4)==relTime(6)", "true"},
               {"P7.112", "[a=3; b=[c=a]].b.c", "3"},
               {"P7.113", "size({})", "0"},
               {"P7.114", "member(2,{1,2.0})", "true"},
               {"P7.115", "linear(5,0,0,10,100)", "50.0"},
               {"P7.116", "quadratic(5,0,0,10,100)", "25.0"},
               {"P7.117", "linear(1,2,0,2,5)", "error"}});
}

TEST(GivenLiterals, WhenEvaluatedThenEachHasItsType) {
  expect_rows({{"P7.27", "undefined", "undefined"},
               {"P7.27", "error", "error"},
               {"P7.27", "true", "true"},
               {"P7.27", "9223372036854775807", "9223372036854775807"},
               {"P7.27", "1.5", "1.5"},
               {"P7.27", "absTime(0)", "absTime(\"1970-01-01T00:00:00+00:00\")"},
               {"P7.27", "relTime(90)", "relTime(\"1m30s\")"},
               {"P7.27", "{1, {\"b\"}}", "{1, {\"b\"}}"},
               {"P7.27", "[n = 1; m = \"x\"]", "[n = 1; m = \"x\"]"},
               {"P7.28", "12", "12"},
               {"P7.28", "0x1F", "31"},
               {"P7.28", "0xff", "255"},
               {"P7.28", "1e3", "1000.0"},
               {"P7.28", "1E-2", "0.01"},
               {"P7.28", ".5", "0.5"},
               {"P7.28", "\"text\\n\\t\\\\\\\"\"", "\"text\\n\\t\\\\\\\"\""},
               {"P7.28", "TRUE || fAlse", "true"},
               {"P7.28", "Undefined", "undefined"},
               {"P7.28", "ERROR", "error"},
               {"P7.28", "{}", "{}"},
               {"P7.28", "[]", "[]"},
               {"P7.28", "[n1=1; n2=2;]", "[n1 = 1; n2 = 2]"},
               {"P7.28", "1 /* one */ + // and\n 2", "3"}});
}

// P7.28: the file as one record, with brackets or without.
TEST(GivenATextWithAttributes, WhenItStandsInBracketsThenItIsTheSame) {
  EXPECT_EQ(value_in("a = 1; b = a + 1;", "b"), "2");
  EXPECT_EQ(value_in("[ a = 1; b = a + 1 ]", "b"), "2");
  EXPECT_EQ(value_in("", "b"), "undefined");
  EXPECT_EQ(value_in("[]", "b"), "undefined");
}

// P7.29
TEST(GivenNames, WhenTheirCaseDiffersThenTheyAreTheSame) {
  EXPECT_EQ(value_in("_Some_Name1 = 4; x = _SOME_name1", "X"), "4");
  EXPECT_EQ(value_of("[AbC = 1].aBc"), "1");
  EXPECT_EQ(value_of("SIZE({1}) + LinEar(1,0,0,1,1)"), "2.0");
}

// P7.30
TEST(GivenOperatorsOfTwoLevels, WhenTheyMeetThenTheTighterOneBindsFirst) {
  expect_rows({{"unary over *", "-2 * 3", "-6"},
               {"* over +", "1 + 2 * 3", "7"},
               {"+ over <<", "1 << 1 + 1", "4"},
               {"<< over <", "1 < 1 << 1", "true"},
               {"< over ==", "1 < 2 == true", "true"},
               {"== over &", "isError(1 & 2 == 2)", "true"},
               {"& over ^", "1 ^ 3 & 2", "3"},
               {"^ over |", "1 | 2 ^ 2", "1"},
               {"| over &&", "isError(true && 1 | 2)", "true"},
               {"&& over ||", "true || true && false", "true"},
               {"|| over ?:", "true || false ? 1 : 2", "1"},
               {"?: to the right", "false ? 1 : false ? 2 : 3", "3"},
               {". over -", "-[a=2].a", "-2"},
               {"[] over -", "-{1,2}[1]", "-2"},
               {"from the left", "10 - 3 - 2", "5"},
               {"from the left", "100 / 10 / 5 * 2", "4"},
               {"brackets", "(1 + 2) * 3", "9"},
               {"older forms", "(1 =?= 1) == (1 =!= 2)", "true"},
               {"shifts", "-8 >> 1", "-4"},
               {"shifts", "-1 >>> 60", "15"},
               {"bits", "~0", "-1"},
               {"one level", "2 == 2 is true isnt false", "true"}});
}

// P7.31
TEST(GivenNestedRecords, WhenANameIsUsedThenTheInnermostRecordThatHasItGivesIt) {
  EXPECT_EQ(
      value_in("a = 1; r = [a = 2; b = a; s = [c = a; d = o]]; o = 5; x = r.s.c * 10 + r.b", "x"),
      "22");
  EXPECT_EQ(value_in("o = 5; r = [s = [d = o]]; x = r.s.d", "x"), "5");
  EXPECT_EQ(value_in("a = 1; r = [b = 2]; x = r.a", "x"), "undefined");
  EXPECT_EQ(value_of("nobody"), "undefined");
  EXPECT_EQ(value_of("undefined.a"), "undefined");
  EXPECT_EQ(value_of("error.a"), "error");
  EXPECT_EQ(value_of("(1).a"), "error");
}

TEST(GivenVariablesOfTheHost, WhenTheTextDefinesThemTooThenItsOwnCount) {
  const AdWords words{{"Load", "Name"}, {}};
  const auto host = host_with({{std::int64_t{3}}, ad_text("n1")});
  const auto ad = parse_ad("x = LOAD + 1; name = 7; y = name; z = [q = load].q", words);
  ASSERT_TRUE(ad.ok());
  EXPECT_EQ(print_value(evaluate(*ad, "x", host)), "4");
  EXPECT_EQ(print_value(evaluate(*ad, "y", host)), "7");
  EXPECT_EQ(print_value(evaluate(*ad, "z", host)), "3");
  EXPECT_EQ(print_value(evaluate(*ad, "x", host_with())), "undefined");
}

TEST(GivenARecordOfTheHost, WhenSelectedThenItsAttributesAreFoundWithoutCase) {
  auto fields = std::make_shared<AdFields>();
  fields->names = ad_names({"isAlive", "loadavg"});
  fields->values = {{true}, {}};
  const auto host = host_with({AdValue(AdRecord(fields))});
  const auto ad =
      parse_ad("a = n.ISALIVE; b = n.loadavg; c = n[\"IsAlive\"]; d = size(n); e = n is "
               "n; f = n.other",
               {{"n"}, {}});
  ASSERT_TRUE(ad.ok());
  EXPECT_EQ(print_value(evaluate(*ad, "a", host)), "true");
  EXPECT_EQ(print_value(evaluate(*ad, "b", host)), "undefined");
  EXPECT_EQ(print_value(evaluate(*ad, "c", host)), "true");
  EXPECT_EQ(print_value(evaluate(*ad, "d", host)), "1");
  EXPECT_EQ(print_value(evaluate(*ad, "e", host)), "true");
  EXPECT_EQ(print_value(evaluate(*ad, "f", host)), "undefined");
}

// P7.32
TEST(GivenAttributesInACircle, WhenOneIsUsedThenItIsAnError) {
  EXPECT_EQ(mistake_in("a = a", "a"), "an attribute depends on itself");
  EXPECT_EQ(mistake_in("a = b + 1; b = c; c = a", "b"), "an attribute depends on itself");
  EXPECT_EQ(value_in("a = b; b = false && a", "a"), "false");
  EXPECT_EQ(value_in("a = [b = a]; c = a.b.b.b.b is a", "c"), "true");
  EXPECT_EQ(value_in("a = [b = a]", "a"), "[b = error]");
}

// P7.33
TEST(GivenAnAttributeThatIsUsedTwice, WhenEvaluatedThenItsStepsCountOnce) {
  std::string text = "a0 = 1 + 1;";
  for (int i = 1; i <= 20; ++i) {
    const auto before = "a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + " = " + before + " + " + before + ";";
  }
  EXPECT_EQ(value_in(text, "a20"), "2097152");
  EXPECT_EQ(value_in("r = [x = 1/0; y = 2]; z = r.y", "z"), "2");
  EXPECT_EQ(value_in("r = [x = 1]; z = r is r", "z"), "true");
}

TEST(GivenUndefinedAndErrors, WhenOperatorsMeetThemThenTheErrorWins) {
  expect_rows({{"P7.34", "undefined + 1", "undefined"},
               {"P7.34", "undefined + error", "error"},
               {"P7.34", "error + undefined", "error"},
               {"P7.34", "-undefined", "undefined"},
               {"P7.34", "undefined < \"a\"", "undefined"},
               {"P7.34", "size(undefined)", "undefined"},
               {"P7.34", "linear(undefined, error, 0, 1, 1)", "error"},
               {"P7.35", "false && error", "false"},
               {"P7.35", "error && false", "error"},
               {"P7.35", "true && undefined", "undefined"},
               {"P7.35", "undefined && true", "undefined"},
               {"P7.35", "undefined && error", "error"},
               {"P7.35", "true && 1", "error"},
               {"P7.35", "1 && false", "error"},
               {"P7.35", "undefined && undefined && false", "false"},
               {"P7.35", "true && true && true", "true"},
               {"P7.36", "true || error", "true"},
               {"P7.36", "error || true", "error"},
               {"P7.36", "false || undefined", "undefined"},
               {"P7.36", "undefined || false", "undefined"},
               {"P7.36", "undefined || error", "error"},
               {"P7.36", "false || 1", "error"},
               {"P7.36", "1 || true", "error"},
               {"P7.37", "!true", "false"},
               {"P7.37", "!undefined", "undefined"},
               {"P7.37", "!error", "error"},
               {"P7.37", "!0", "error"},
               {"P7.38", "true ? 1 : 1/0", "1"},
               {"P7.38", "false ? 1/0 : 2", "2"},
               {"P7.38", "undefined ? 1 : 2", "undefined"},
               {"P7.38", "error ? 1 : 2", "error"},
               {"P7.38", "1 ? 1 : 2", "error"}});
}

TEST(GivenIsAndIsnt, WhenTypesDifferThenTheyAreNeverUndefined) {
  expect_rows({{"P7.39", "1 is 1.0", "false"},
               {"P7.39", "1 isnt 1.0", "true"},
               {"P7.39", "error is error", "true"},
               {"P7.39", "error is undefined", "false"},
               {"P7.39", "1/0 is error", "true"},
               {"P7.39", "\"a\" =?= \"a\"", "true"},
               {"P7.39", "\"a\" =!= \"A\"", "true"},
               {"P7.39", "undefined is false", "false"},
               {"P7.39", "{1} is {1}", "false"},
               {"P7.39", "[a=1] is [a=1]", "false"},
               {"P7.39", "relTime(60) is relTime(\"1m\")", "true"},
               {"P7.39", "absTime(0) is absTime(0, 3600)", "false"}});
  EXPECT_EQ(value_in("l = {x}; x = 1; r = [m = l]; same = l is r.m", "same"), "true");
}

TEST(GivenComparisons, WhenTypesMixThenOnlyNumbersDo) {
  expect_rows({{"P7.40", "1 == 1.0", "true"},
               {"P7.40", "2 > 1.5", "true"},
               {"P7.40", "\"Abc\" <= \"aBC\"", "true"},
               {"P7.40", "\"ab\" < \"B\"", "true"},
               {"P7.40", "\"a\" != \"A\"", "false"},
               {"P7.40", "true == true", "true"},
               {"P7.40", "true == 1", "error"},
               {"P7.40", "absTime(5) < absTime(6, 3600)", "true"},
               {"P7.40", "absTime(5) == absTime(5, 3600)", "true"},
               {"P7.40", "absTime(5) == 5", "error"},
               {"P7.40", "relTime(5) >= relTime(5)", "true"},
               {"P7.40", "relTime(5) == 5", "error"},
               {"P7.40", "absTime(5) == relTime(5)", "error"},
               {"P7.40", "{1} == {1}", "error"},
               {"P7.40", "[a=1] == [a=1]", "error"}});
}

TEST(GivenArithmetic, WhenTypesMixThenTheTableSaysWhatComesOut) {
  expect_rows({{"P7.41", "-7/2", "-3"},
               {"P7.41", "-7%3", "-1"},
               {"P7.41", "1/0", "error"},
               {"P7.41", "1%0", "error"},
               {"P7.41", "1.0/0", "error"},
               {"P7.41", "1.5 + 1", "2.5"},
               {"P7.41", "2 * 0.5", "1.0"},
               {"P7.41", "5.0 % 2", "error"},
               {"P7.41", "9223372036854775807 + 1", "error"},
               {"P7.41", "-9223372036854775807 - 2", "error"},
               {"P7.41", "4611686018427387904 * 2", "error"},
               {"P7.41", "-(-9223372036854775807 - 1)", "error"},
               {"P7.41", "(-9223372036854775807 - 1) / -1", "error"},
               {"P7.41", "(-9223372036854775807 - 1) % -1", "0"},
               {"P7.41", "1e308 * 10", "error"},
               {"P7.41", "absTime(10) - absTime(4)", "relTime(\"6s\")"},
               {"P7.41", "absTime(10) + relTime(4) == absTime(14)", "true"},
               {"P7.41", "absTime(10) - relTime(4) == absTime(6)", "true"},
               {"P7.41", "relTime(10) - relTime(4)", "relTime(\"6s\")"},
               {"P7.41", "relTime(10) + relTime(4)", "relTime(\"14s\")"},
               {"P7.41", "relTime(10) * 2", "relTime(\"20s\")"},
               {"P7.41", "2 * relTime(10)", "relTime(\"20s\")"},
               {"P7.41", "relTime(10) / 4", "relTime(\"2.5\")"},
               {"P7.41", "-relTime(10)", "relTime(\"-10s\")"},
               {"P7.41", "1 + absTime(5)", "error"},
               {"P7.41", "absTime(5) + 1", "error"},
               {"P7.41", "absTime(5) + absTime(5)", "error"},
               {"P7.41", "relTime(5) + 1", "error"},
               {"P7.41", "relTime(5) / relTime(5)", "error"},
               {"P7.41", "\"a\" + \"b\"", "error"},
               {"P7.41", "true + 1", "error"},
               {"P7.41", "1 << 64", "error"},
               {"P7.41", "1.5 & 1", "error"},
               {"P7.42", "{1,2}[0]", "1"},
               {"P7.42", "{1,2}[2]", "error"},
               {"P7.42", "{1,2}[-1]", "error"},
               {"P7.42", "{1,2}[\"a\"]", "error"},
               {"P7.42", "{1,error}[0]", "1"},
               {"P7.42", "{1}[undefined]", "undefined"},
               {"P7.42", "undefined[0]", "undefined"},
               {"P7.42", "[ab=3][\"AB\"]", "3"},
               {"P7.42", "[ab=3][\"c\"]", "undefined"},
               {"P7.42", "[ab=3][0]", "error"},
               {"P7.42", "\"abc\"[0]", "error"}});
}
