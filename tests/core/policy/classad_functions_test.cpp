// Functions of the policy language (docs/spec/plus.md section 7).
#include "classad_rows.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenListsOfValues, WhenSomethingIsLookedForThenMemberSaysWhetherItIsThere) {
  expect_rows({{"P7.43", "member(\"X1\", {\"x1\", \"x2\"})", "true"},
               {"P7.43", "member(3, {1, 2})", "false"},
               {"P7.43", "member(1, {undefined, 1})", "true"},
               {"P7.43", "member(2, {undefined, 1})", "false"},
               {"P7.43", "member(2, {\"a\", 2})", "true"},
               {"P7.43", "member(undefined, {1})", "undefined"},
               {"P7.43", "member(1, undefined)", "undefined"},
               {"P7.43", "member(error, {1})", "error"},
               {"P7.43", "member({1}, {{1}})", "error"},
               {"P7.43", "member([a=1], {1})", "error"},
               {"P7.43", "member(1, 1)", "error"},
               {"P7.43", "member(relTime(60), {relTime(\"1m\")})", "true"},
               {"P7.44", "identicalMember(\"X1\", {\"x1\"})", "false"},
               {"P7.44", "identicalMember(\"x1\", {\"x1\"})", "true"},
               {"P7.44", "identicalMember(2, {2.0})", "false"},
               {"P7.45", "size({1, 2, {3, 4}})", "3"},
               {"P7.45", "size([a=1; b=2])", "2"},
               {"P7.45", "size(\"abc\")", "3"},
               {"P7.45", "size(\"h\u00e9\")", "2"},
               {"P7.45", "size(1)", "error"}});
}

TEST(GivenTimes, WhenReadAndWrittenThenTheyAreTheSame) {
  expect_rows({{"P7.46", "time()", "1700000000"},
               {"P7.47", "absTime() == absTime(time())", "true"},
               {"P7.47", "absTime(\"2023-11-14T22:13:20\") == absTime(1700000000)", "true"},
               {"P7.47", "absTime(\"2023-11-14T23:13:20+01:00\") == absTime(1700000000)", "true"},
               {"P7.47", "absTime(\"2023-11-14T16:43:20-05:30\") == absTime(1700000000)", "true"},
               {"P7.47", "absTime(\"2023-11-14T23:13:20\", 3600) == absTime(1700000000)", "true"},
               {"P7.47", "absTime(0, 3600)", "absTime(\"1970-01-01T01:00:00+01:00\")"},
               {"P7.47", "absTime(1.5)", "absTime(\"1970-01-01T00:00:01.5+00:00\")"},
               {"P7.47", "absTime(-1)", "absTime(\"1969-12-31T23:59:59+00:00\")"},
               {"P7.47", "absTime(\"2024-02-29T00:00:00\") is undefined", "false"},
               {"P7.47", "absTime(\"2023-02-29T00:00:00\")", "error"},
               {"P7.47", "absTime(\"2023-13-01T00:00:00\")", "error"},
               {"P7.47", "absTime(\"2023-11-14T24:00:00\")", "error"},
               {"P7.47", "absTime(\"2023-11-14\")", "error"},
               {"P7.47", "absTime(\"2023-11-14T22:13:20Z\")", "error"},
               {"P7.47", "absTime(\"2023-11-14T22:13:20+01:00\", 0)", "error"},
               {"P7.47", "absTime(0, 86400)", "error"},
               {"P7.47", "absTime(0, 61)", "error"},
               {"P7.47", "absTime(true)", "error"},
               {"P7.48", "relTime(1.5)", "relTime(\"1.5\")"},
               {"P7.48", "relTime(\"10:30\") == relTime(37800)", "true"},
               {"P7.48", "relTime(\"00:01:02.5\") == relTime(62.5)", "true"},
               {"P7.48", "relTime(\"1+02:03:04\") == relTime(93784)", "true"},
               {"P7.48", "relTime(\"-00:01\") == relTime(-60)", "true"},
               {"P7.48", "relTime(\"7d\")", "relTime(\"7d\")"},
               {"P7.48", "relTime(\"3h\")", "relTime(\"3h\")"},
               {"P7.48", "relTime(\"10m\")", "relTime(\"10m\")"},
               {"P7.48", "relTime(\"5s\")", "relTime(\"5s\")"},
               {"P7.48", "relTime(\"1d2h3m4s\") == relTime(93784)", "true"},
               {"P7.48", "relTime(\"1h+30m\") == relTime(5400)", "true"},
               {"P7.48", "relTime(\"0\")", "relTime(\"0s\")"},
               {"P7.48", "relTime(\"\")", "error"},
               {"P7.48", "relTime(\"1w\")", "error"},
               {"P7.48", "relTime(\"1h30\")", "error"},
               {"P7.48", "relTime(\"1:60\")", "error"},
               {"P7.48", "relTime(\"nan\")", "error"},
               {"P7.48", "relTime(\"--1\")", "error"}});
  for (const char* text : {"1d2h3m4s", "-2h", "0s", "2.5", "1e+300", "-0.001"})
    EXPECT_EQ(value_of("string(relTime(\"" + std::string(text) + "\"))"),
              "\"" + std::string(text) + "\"");
  for (const char* text : {"2023-11-14T22:13:20+00:00", "0001-01-01T00:00:00-23:59",
                           "9999-12-31T23:59:59+14:00", "2000-02-29T12:00:00.25+01:30"})
    EXPECT_EQ(value_of("string(absTime(\"" + std::string(text) + "\"))"),
              "\"" + std::string(text) + "\"");
}

// P7.49
TEST(GivenFunctionsThatAreNotBuilt, WhenTheyAreCalledThenTheTextIsRefused) {
  EXPECT_EQ(refusal_of("a = 1;\nb = interval(5)"),
            "line 2, column 5: there is no function interval");
  EXPECT_EQ(refusal_of("a = getYear(absTime())"), "line 1, column 5: there is no function getYear");
}

TEST(GivenNumbers, WhenConvertedThenTheyAreWhatTheTableSays) {
  expect_rows({{"P7.50", "int(1.9)", "1"},
               {"P7.50", "int(-1.9)", "-1"},
               {"P7.50", "int(\"12\")", "12"},
               {"P7.50", "int(\"-1.5e1\")", "-15"},
               {"P7.50", "int(\"x\")", "error"},
               {"P7.50", "int(true)", "1"},
               {"P7.50", "int(1e19)", "error"},
               {"P7.50", "int(relTime(\"1m\"))", "60"},
               {"P7.50", "int(absTime(5))", "5"},
               {"P7.50", "real(2)", "2.0"},
               {"P7.50", "real(\"0.1\")", "0.1"},
               {"P7.50", "real(\"inf\")", "error"},
               {"P7.50", "string(12)", "\"12\""},
               {"P7.50", "string(0.1)", "\"0.1\""},
               {"P7.50", "string(true)", "\"true\""},
               {"P7.50", "string(\"a\")", "\"a\""},
               {"P7.50", "string({1})", "error"},
               {"P7.50", "bool(0)", "false"},
               {"P7.50", "bool(0.5)", "true"},
               {"P7.50", "bool(\"TRUE\")", "true"},
               {"P7.50", "bool(\"yes\")", "error"},
               {"P7.50", "floor(-1.5)", "-2"},
               {"P7.50", "floor(3)", "3"},
               {"P7.50", "ceiling(-1.5)", "-1"},
               {"P7.50", "ceiling(1.1)", "2"},
               {"P7.50", "round(0.5)", "0"},
               {"P7.50", "round(1.5)", "2"},
               {"P7.50", "round(2.5)", "2"},
               {"P7.50", "round(-2.5)", "-2"},
               {"P7.50", "round(2.4)", "2"},
               {"P7.50", "round(2.6)", "3"},
               {"P7.50", "round(0.49999999999999994)", "0"},
               {"P7.50", "round(4503599627370497.5)", "4503599627370498"},
               {"P7.50", "floor(\"1\")", "error"},
               {"P7.50", "abs(-3)", "3"},
               {"P7.50", "abs(-3.5)", "3.5"},
               {"P7.50", "abs(relTime(\"-1m\"))", "relTime(\"1m\")"},
               {"P7.50", "abs(-9223372036854775807 - 1)", "error"},
               {"P7.50", "min({3, 1, 2})", "1"},
               {"P7.50", "max({90, 50})", "90"},
               {"P7.50", "max({1, 0.5})", "1.0"},
               {"P7.50", "min({})", "undefined"},
               {"P7.50", "max({1, undefined})", "undefined"},
               {"P7.50", "max({1, \"a\"})", "error"},
               {"P7.50", "max({relTime(1), relTime(2)})", "relTime(\"2s\")"},
               {"P7.50", "sum({1, 2, 3})", "6"},
               {"P7.50", "sum({1, 2.5})", "3.5"},
               {"P7.50", "sum({})", "0"},
               {"P7.50", "sum({relTime(1), 1})", "error"},
               {"P7.50", "avg({1, 2})", "1.5"},
               {"P7.50", "avg({})", "0.0"},
               {"P7.50", "avg(1)", "error"}});
}

TEST(GivenQuestionsOnTypes, WhenAskedThenErrorsAndUndefinedValuesAreAnswers) {
  expect_rows({{"P7.51", "ifThenElse(true, 1, 1/0)", "1"},
               {"P7.51", "ifThenElse(undefined, 1, 2)", "undefined"},
               {"P7.51", "isUndefined(x)", "true"},
               {"P7.51", "isUndefined(1)", "false"},
               {"P7.51", "isError(1/0)", "true"},
               {"P7.51", "isError(undefined)", "false"},
               {"P7.51", "isString(\"a\")", "true"},
               {"P7.51", "isList({})", "true"},
               {"P7.51", "isClassAd([])", "true"},
               {"P7.51", "isBoolean(false)", "true"},
               {"P7.51", "isInteger(1)", "true"},
               {"P7.51", "isInteger(1.0)", "false"},
               {"P7.51", "isReal(1.0)", "true"},
               {"P7.51", "isAbsTime(absTime())", "true"},
               {"P7.51", "isRelTime(relTime(1))", "true"}});
}

TEST(GivenTexts, WhenTakenApartThenCharactersCount) {
  expect_rows({{"P7.52", "strcat(\"a\", 1, true, 0.5)", "\"a1true0.5\""},
               {"P7.52", "strcat()", "\"\""},
               {"P7.52", "strcat(\"a\", undefined)", "undefined"},
               {"P7.52", "substr(\"abcdef\", 2)", "\"cdef\""},
               {"P7.52", "substr(\"abcdef\", 1, 2)", "\"bc\""},
               {"P7.52", "substr(\"abcdef\", -2)", "\"ef\""},
               {"P7.52", "substr(\"abcdef\", 1, -2)", "\"bcd\""},
               {"P7.52", "substr(\"abc\", 5)", "\"\""},
               {"P7.52", "substr(\"abc\", -5, 1)", "\"a\""},
               {"P7.52", "substr(\"h\u00e9llo\", 1, 2)", "\"\u00e9l\""},
               {"P7.52", "substr(\"abc\", 0, 9223372036854775807)", "\"abc\""},
               {"P7.52", "substr(\"abc\", -9223372036854775807 - 1)", "\"abc\""},
               {"P7.52", "toLower(\"AbC1\")", "\"abc1\""},
               {"P7.52", "toUpper(\"aBc1\")", "\"ABC1\""},
               {"P7.52", "toLower(1)", "error"},
               {"P7.52", "regexp(\"^n[0-9]+$\", \"n12\")", "true"},
               {"P7.52", "regexp(\"^n[0-9]+$\", \"xn12\")", "false"},
               {"P7.52", "regexp(\"ab\", \"xABx\")", "false"},
               {"P7.52", "regexp(\"ab\", \"xABx\", \"i\")", "true"},
               {"P7.52", "regexp(\"ab\", \"ab\", \"x\")", "error"},
               {"P7.52", "regexp(strcat(\"(\"), \"ab\")", "error"},
               {"P7.52", "regexp(\"a\", 1)", "error"}});
  EXPECT_EQ(refusal_of("a = regexp(\"(\", \"b\")"), "line 1, column 5: a ( is not closed");
}

TEST(GivenPoints, WhenInterpolatedThenTheLineGoesOnBeyondThem) {
  expect_rows(
      {{"P7.53", "linear(15,0,0,10,100)", "150.0"},
       {"P7.53", "linear(-5,0,0,10,100)", "-50.0"},
       {"P7.53", "linear(relTime(\"75m\"), relTime(\"30m\"), 90, relTime(\"2h\"), 50)", "70.0"},
       {"P7.53", "linear(relTime(1), 0, 0, 10, 100)", "error"},
       {"P7.53", "linear(1, relTime(0), 0, relTime(10), 100)", "error"},
       {"P7.53", "linear(1, 0, \"0\", 10, 100)", "error"},
       {"P7.53", "linear(1, 5, 0, 5, 100)", "error"},
       {"P7.54", "quadratic(10,0,0,10,100)", "100.0"},
       {"P7.54", "quadratic(-10,0,0,10,100)", "100.0"},
       {"P7.54", "quadratic(0,0,7,10,100)", "7.0"},
       {"P7.54", "quadratic(relTime(5),relTime(0),0,relTime(10),100)", "25.0"},
       {"P7.54", "quadratic(3, 0,0, 1,1, 2,4)", "9.0"},
       {"P7.54", "quadratic(3, 0,0, 1,1, 1,4)", "error"},
       {"P7.54", "quadratic(3, 0,0, 0,1)", "error"}});
  EXPECT_EQ(refusal_of("a = quadratic(1,2,3,4,5,6)"),
            "line 1, column 5: quadratic() is not called with 6 arguments");
}

// P7.55
TEST(GivenAFunctionOfTheHost, WhenCalledThenItGetsValues) {
  std::string seen;
  AdHost host = host_with();
  host.function = [&](const std::string& name, const std::vector<AdValue>& given) {
    seen += name;
    for (const auto& value : given) seen += " " + print_value(value);
    return given.empty() ? std::nullopt : std::optional(AdValue(std::int64_t{7}));
  };
  const auto ad = parse_ad("a = Plus_RsvUtil(\"u\", [x = 1 + 1]) + 1; b = plus_rsvutil(); c = "
                           "plus_rsvutil(undefined)",
                           {{}, {"plus_rsvutil"}});
  ASSERT_TRUE(ad.ok());
  EXPECT_EQ(print_value(evaluate(*ad, "a", host)), "8");
  EXPECT_EQ(seen, "plus_rsvutil \"u\" [x = 2]");
  EXPECT_EQ(print_value(evaluate(*ad, "b", host)), "error");
  EXPECT_EQ(print_value(evaluate(*ad, "c", host)), "undefined");
  EXPECT_EQ(print_value(evaluate(*ad, "a", host_with())), "error");
}
