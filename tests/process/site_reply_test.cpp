// How lines of metaschedulers are answered: in tokens, or in the words of the Grid Forum
// (spec/metascheduler.md M3.34 to M3.49, section 10).
#include "tools/commands/site_reply.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

const std::string key = "v1.QA.QB";

SiteLine line_of(const std::string& text) {
  const auto reading = parse_site_line(text);
  EXPECT_FALSE(reading.refusal) << text;
  return reading.line;
}

/// Its lines, each with a '|' behind it, and the exit code of gmeta if that is not 0.
std::string text_of(const SiteReply& reply) {
  std::string text;
  for (const auto& line : reply.lines) text += line + "|";
  return reply.exit_code() == 0 ? text : text + std::to_string(reply.exit_code());
}

std::string good(const std::string& line, const SiteFindings& found) {
  return text_of(good_reply(line_of(line), found));
}
std::string bad(const std::string& line, const ggf::Status& status) {
  return text_of(bad_reply(line_of(line), status));
}

const std::string setres = "SETRES USER=ann;TIMENEEDED=1H;STARTTIME=1700003600;NODES=1";
const std::string resqandset = "RESQANDSET USER=ann;TIMENEEDED=1H;NODES=1";
const std::string resquery = "RESQUERY USER=ann;TIMENEEDED=1H;NODES=1";
const std::string query = "QUERY USER=ann;TIMENEEDED=1H;NODES=1";

SiteFindings granted() {
  SiteFindings found;
  found.tokens = {{"SETRES", "1"}, {"RESID", "R14"}, {"HOLDUNTIL", "1700000121"}};
  found.start = {1'700'003'600}, found.key = key;
  return found;
}

} // namespace

// M1.1, M3.36, M3.44, M11.7
TEST(GivenAQuery, WhenItsStartIsKnownThenBothFormsSayIt) {
  SiteFindings found;
  found.start = {1'700'003'600};
  EXPECT_EQ(good(query, found), "SC=0;STARTTIME=1700003600|");
  EXPECT_EQ(good("QUERY ann 1H NODES=1", found), "1700003600|");
  found.info = "bound"; // M4.5
  EXPECT_EQ(good(query, found), "SC=0;STARTTIME=1700003600;OTHERINFO=bound|");
  EXPECT_EQ(good("QUERY ann 1H NODES=1", found), "1700003600 \"bound\"|");
  EXPECT_EQ(bad(query, ggf::status(-31)), "SC=-31;MSG=can never run|31");
}

// M1.2, M1.13, M3.37, M3.45, M11.7
TEST(GivenAQueryForStarts, WhenThereAreRangesThenEachIsTold) {
  SiteFindings found;
  EXPECT_EQ(good(resquery, found), "SC=0;COUNT=0|");
  EXPECT_EQ(good("RESQUERY ann 1H NODES=1", found), "|");
  found.ranges = {{{100}, {200}}, {{300}, {300}}};
  EXPECT_EQ(good(resquery, found),
            "SC=0;COUNT=2|SC=0;STIME=100;ENDSTIME=200|SC=0;STIME=300;ENDSTIME=300|");
  EXPECT_EQ(good("RESQUERY ann 1H NODES=1", found), "100 200 \"\" 300 300 \"\"|");
  found.info = "a \"b\"";
  EXPECT_EQ(good("RESQUERY ann 1H NODES=1", found),
            "100 200 \"a \\\"b\\\"\" 300 300 \"a \\\"b\\\"\"|");
}

// M1.4, M3.39, M3.46, M10.4: the start of SETRES is the one that was asked for, and is not repeated
TEST(GivenAReservationForAStart, WhenItIsGrantedThenBothFormsHaveItsKey) {
  EXPECT_EQ(good(setres, granted()),
            "SC=0;SETRES=1;RESID=R14;RESKEY=v1.QA.QB;HOLDUNTIL=1700000121|");
  EXPECT_EQ(good("SETRES ann 1H 1700003600 NODES=1", granted()), "SETRES 1 v1.QA.QB|");
  auto found = granted();
  found.info = "state=W"; // M4.2
  EXPECT_EQ(good(setres, found),
            "SC=0;SETRES=1;RESID=R14;RESKEY=v1.QA.QB;HOLDUNTIL=1700000121;OTHERINFO=state=W|");
  EXPECT_EQ(good("SETRES ann 1H 1700003600 NODES=1", found), "SETRES 1 v1.QA.QB \"state=W\"|");
  found.key.clear();
  EXPECT_EQ(good(setres, found), "SC=0;SETRES=1;RESID=R14;HOLDUNTIL=1700000121;OTHERINFO=state=W|");
  EXPECT_EQ(good("SETRES ann 1H 1700003600 NODES=1", found), "SETRES 1 \"state=W\"|");
}

// M1.3, M3.38, M3.47, M10.2: this answer begins with the word SETRES, too
TEST(GivenAReservationForTheFirstStart, WhenItIsGrantedThenBothFormsHaveItsStart) {
  EXPECT_EQ(good(resqandset, granted()),
            "SC=0;SETRES=1;STARTTIME=1700003600;RESID=R14;RESKEY=v1.QA.QB;HOLDUNTIL=1700000121|");
  EXPECT_EQ(good("RESQANDSET ann 1H NODES=1", granted()), "SETRES 1 1700003600 v1.QA.QB|");
}

// M3.40, M3.48
TEST(GivenAReservation, WhenItIsRefusedThenBothFormsSayZero) {
  const auto full = ggf::status(-30);
  EXPECT_EQ(bad(setres, full), "SC=-30;SETRES=0;MSG=no capacity at that time|30");
  EXPECT_EQ(bad(resqandset, full), "SC=-30;SETRES=0;MSG=no capacity at that time|30");
  EXPECT_EQ(bad("SETRES ann 1H 1700003600 NODES=1", full), "SETRES 0|30");
  EXPECT_EQ(bad("RESQANDSET ann 1H NODES=1", full), "SETRES 0|30");
  EXPECT_EQ(bad("STATUS RESID=R9", ggf::status(-40)), "SC=-40;MSG=unknown reservation|40");
}

// M3.34
TEST(GivenATag, WhenALineIsAnsweredThenTheAnswerHasItFirst) {
  EXPECT_EQ(good("COMMIT RESID=R1;ID=a\\;b", {{{"STATE", "COMMITTED"}}}),
            "SC=0;ID=a\\;b;STATE=COMMITTED|");
  EXPECT_EQ(bad("SETRES USER=a;TIMENEEDED=1H;STARTTIME=NOW;NODES=1;ID=7", ggf::status(-30)),
            "SC=-30;ID=7;SETRES=0;MSG=no capacity at that time|30");
  SiteFindings found;
  found.ranges = {{{100}, {200}}};
  EXPECT_EQ(good(resquery + ";ID=7", found), "SC=0;ID=7;COUNT=1|SC=0;STIME=100;ENDSTIME=200|");
}

// M1.12, M3.6
TEST(GivenTokensThatNobodyKnows, WhenTheyAreToBeRepeatedThenTheyStandInTheInfo) {
  const std::string more = ";ECHO=1;X_A=1;X_B=a\\;b";
  EXPECT_EQ(good("STATUS RESID=R1" + more, {{{"STATE", "HELD"}}}),
            "SC=0;STATE=HELD;OTHERINFO=X_A=1\\;X_B=a\\\\\\;b|");
  auto found = granted();
  found.info = "state=W";
  EXPECT_EQ(good("RESQANDSET ann 1H NODES=1,ECHO=1", found),
            "SETRES 1 1700003600 v1.QA.QB \"state=W\"|");
}

// M3.49
TEST(GivenAStatus, WhenGmetaEndsThenItsExitCodeIsTheStatusWithoutItsSign) {
  const auto exit_code = [](std::int64_t status) { return SiteReply{{}, status}.exit_code(); };
  EXPECT_EQ(exit_code(0), 0);
  EXPECT_EQ(exit_code(-13), 13);
  EXPECT_EQ(exit_code(-62), 62);
  EXPECT_EQ(exit_code(-125), 125);
  EXPECT_EQ(exit_code(-300), 125);
}
