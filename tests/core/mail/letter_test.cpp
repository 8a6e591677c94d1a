// What letters say, to whom they may go, and when they are tried again.
#include "core/mail/outbox.hpp"

#include <gtest/gtest.h>

namespace almanac {
namespace {

std::string plain(Instant instant) { return "at " + std::to_string(instant.seconds); }

Letter letter(Occasion occasion) {
  Letter one;
  one.sequence = 7, one.occasion = occasion, one.at = {2000};
  one.number = 5, one.name = "run", one.owner = "alice";
  return one;
}

} // namespace

TEST(GivenMailOptions, WhenTheyAreReadThenOnlyKnownLettersCount) {
  EXPECT_EQ(*parse_mail_occasions("n", "beas"), "");
  EXPECT_EQ(*parse_mail_occasions("be", "beas"), "be");
  EXPECT_EQ(*parse_mail_occasions("a,b,a", "beas"), "ab");
  for (const char* wrong : {"", ",", "x", "bn", "s"})
    EXPECT_FALSE(parse_mail_occasions(wrong, "bea").ok()) << wrong;
}

TEST(GivenMailAddresses, WhenTheyAreReadThenNoneCanBeAnOptionOrACommand) {
  EXPECT_EQ(*parse_mail_list("alice,bob@site.org,alice"),
            (std::vector<std::string>{"alice", "bob@site.org"}));
  for (const char* wrong : {"", "alice,,bob", "-f", "@site", "a b", "a;reboot", "$(id)", "a\nb"})
    EXPECT_FALSE(parse_mail_list(wrong).ok()) << wrong;
}

TEST(GivenALetter, WhenItIsWrittenThenItSaysWhatHasHappened) {
  auto ended = letter(Occasion::job_ended);
  ended.queue = "all.q@h1", ended.host = "h1", ended.started = {1000};
  ended.record.exit_status = 3, ended.record.wallclock = 900;
  EXPECT_EQ(subject_of(ended), "Job 5 (run) Complete");
  const auto text = text_of(ended, "store", plain);
  for (const char* line : {"Job 5 (run) Complete\n", " User           = alice\n",
                           " Queue          = all.q@h1\n", " Start Time     = at 1000\n",
                           " End Time       = at 2000\n", " Wallclock Time = 00:15:00\n",
                           " Exit Status    = 3\n", " Message-ID     = <almanac.7@store>\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;

  auto task = letter(Occasion::job_aborted);
  task.task = 2;
  EXPECT_EQ(subject_of(task), "Job-array task 5.2 (run) Aborted");

  auto unnamed = letter(Occasion::reservation_in_error);
  unnamed.name.clear();
  EXPECT_EQ(subject_of(unnamed), "Advance Reservation 5 (none) Error");
  EXPECT_NE(text_of(unnamed, "s", plain).find(" Error Time = at 2000\n"), std::string::npos);
}

TEST(GivenAnOutbox, WhenALetterDoesNotGoThenItIsTriedLaterAndAtLastGivenUp) {
  Outbox outbox;
  EXPECT_TRUE(outbox.next_try().is_never());
  outbox.add(letter(Occasion::job_started));
  Instant now{1000};
  ASSERT_NE(outbox.due(now), nullptr);
  EXPECT_TRUE(outbox.failed(7, now));
  EXPECT_EQ(outbox.due(now), nullptr);
  EXPECT_EQ(outbox.next_try(), now + Duration{60});
  auto other = letter(Occasion::job_ended);
  other.sequence = 8;
  outbox.add(other);
  EXPECT_EQ(outbox.due(now)->sequence, 8) << "one that waits keeps no other waiting";
  outbox.sent(8);

  Duration longest;
  for (std::int64_t tries = 2; tries < Outbox::most_tries; ++tries) {
    const auto next = outbox.next_try();
    longest = std::max(longest, next - now);
    now = next;
    ASSERT_TRUE(outbox.failed(7, now)) << tries;
  }
  EXPECT_EQ(longest, Outbox::longest_wait);
  EXPECT_FALSE(outbox.failed(7, outbox.next_try()));
  EXPECT_EQ(outbox.size(), 0U);
}

} // namespace almanac
