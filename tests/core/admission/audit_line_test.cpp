#include "core/admission/audit_line.hpp"

#include <gtest/gtest.h>

#include <limits>

using namespace almanac;

namespace {

const Caller alice{"alice", "users", 1001, 1001, "n1", "unix door"};

} // namespace

TEST(GivenAnAuditLine, WhenAChangeWasMadeThenItSaysWhoDidWhatFromWhere) {
  EXPECT_EQ(audit_line(alice, "r1", "submits \"sleep\"",
                       Answer{0, 7, {{AnswerCode::job_submitted, {{"job", 7}}}}, {}}),
            "uid=1001 user=\"alice\" host=\"n1\" through=\"unix door\" request=\"r1\" "
            "what=\"submits \\\"sleep\\\"\" exit=0 number=7");
}

TEST(GivenAnAuditLine, WhenARequestWasRefusedThenItSaysWhy) {
  EXPECT_EQ(audit_line(alice, "r1", "submits", Answer{})
                .find(audit_line_ahead(alice, "r1", "submits").substr(0, 60)),
            0u);
  EXPECT_TRUE(audit_line_ahead(alice, "r1", "submits").ends_with(" what=\"submits\" begins"));
  EXPECT_EQ(audit_line(alice, "r2", "deletes jobs 7", Answer::refusal("denied")),
            "uid=1001 user=\"alice\" host=\"n1\" through=\"unix door\" request=\"r2\" "
            "what=\"deletes jobs 7\" exit=1 why=\"denied\"");
}

TEST(GivenAnAuditLine, WhenATextHoldsControlsOrQuotesThenItStaysWithinTheLineAndItsQuotes) {
  const auto line =
      audit_line(alice, "a\" exit=0 user=\"root", "x\x1b]0;a\x07\nuid=0\t\\", Answer{});
  EXPECT_EQ(line, "uid=1001 user=\"alice\" host=\"n1\" through=\"unix door\" "
                  "request=\"a\\\" exit=0 user=\\\"root\" "
                  "what=\"x\\x1b]0;a\\x07\\nuid=0\\t\\\\\" exit=0");
}

TEST(GivenWhoIsRefused, WhenTheRestIsCountedThenItIsOnTheAccountOfTheUserOrTheHost) {
  EXPECT_EQ(audited_taker(alice), "uid=1001");
  EXPECT_EQ(audited_taker({"", "", nobody, nobody, "10.0.0.9\n", "tcp door"}),
            "uid=-1 host=\"10.0.0.9\\n\"");
  EXPECT_EQ(audit_line_of_rest("uid=1001", 9940),
            "uid=1001 what=\"is refused more often than is written\" count=9940");
}

TEST(GivenAnAuditLine, WhenEverythingIsLongThenItIsShorterThanAKilobyte) {
  for (const std::string piece : {"x", "\x1b", "\"", "\xff", "\xc3\xa4", "\\"}) {
    std::string text;
    while (text.size() < 5000) text += piece;
    const auto most = std::numeric_limits<std::int64_t>::max();
    const auto line = audit_line({text, text, most, most, text, text}, text, text,
                                 Answer{most, most, {Statement::said(text)}, {}});
    EXPECT_LT(line.size(), 960u) << piece;
    EXPECT_NE(line.find("...\""), std::string::npos);
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
}
