// Standing reservations: what is granted of them, and what is refused (spec/beyond.md section 5).
#include "series_fixture.hpp"

using namespace almanac;

namespace {
class GivenACellInBerlin : public SeriesFixture {};

// One host for jobs and reservations of others.
class GivenASeriesThatConflicts : public SeriesFixture {
public:
  GivenASeriesThatConflicts() {
    reserve(root, on_pe(window(date(2026, 11, 30, 7), 4 * 3600), "fill", 16)); // 1
  }
};
} // namespace

// S1, B5.401, B5.4011
TEST_F(GivenACellInBerlin, WhenASeriesIsGrantedThenEachOccurrenceIsAReservation) {
  const auto answer = command(root, s1());
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(answer.number, 1);
  EXPECT_EQ(text(answer), "Your advance reservation 1 has been granted\n"
                          "3 occurrences granted: advance reservations 2-4\n"
                          "first occurrence 2026-11-26T09:00\n");
  EXPECT_EQ(starts(), (Times{date(2026, 11, 26, 8), date(2026, 11, 30, 8), date(2026, 12, 3, 8)}));
  EXPECT_EQ(windows()[0].length(), Duration{7200});
  ASSERT_TRUE(occurrence(2));
  EXPECT_EQ(occurrence(2)->series.value, 1);
  EXPECT_EQ(occurrence(2)->occurrence, date(2026, 11, 26, 9));
  EXPECT_EQ(occurrence(2)->request.slots.front().low, 4);
  EXPECT_FALSE(occurrence(1));
}

// S2 to S5, B5.301, B5.302, B5.305
TEST_F(GivenACellInBerlin, WhenClocksAreSetThenOccurrencesFollowTheWallClock) {
  const auto granted = [&](const Reserve& command) {
    EXPECT_EQ(this->command(root, command).exit_code, 0);
    const auto list = windows();
    this->command(root, DeleteReservations{{}, {"root"}, false});
    EXPECT_TRUE(windows().empty());
    return list;
  };
  const auto s2 = granted(lasting(series("FREQ=DAILY;COUNT=3", date(2026, 3, 28, 2, 30)), 3600));
  EXPECT_EQ(s2[0].start.seconds, date(2026, 3, 28, 1, 30));
  EXPECT_EQ(s2[1].start.seconds, date(2026, 3, 29, 1, 30));
  EXPECT_EQ(s2[2].start.seconds, date(2026, 3, 30, 0, 30));
  const auto s3 = granted(lasting(series("FREQ=DAILY;COUNT=3", date(2026, 10, 24, 2, 30)), 3600));
  EXPECT_EQ(s3[1].start.seconds, date(2026, 10, 25, 0, 30));
  EXPECT_EQ(s3[2].start.seconds, date(2026, 10, 26, 1, 30));
  const auto s4 = granted(until_time(series("FREQ=DAILY;COUNT=2", date(2026, 10, 24, 22)), 6));
  EXPECT_EQ(s4[0], (Window{{date(2026, 10, 24, 20)}, {date(2026, 10, 25, 5)}}));
  EXPECT_EQ(s4[1].start.seconds, date(2026, 10, 25, 21));
  expect_refused(lasting(series("FREQ=DAILY;COUNT=3", date(2026, 3, 28)), 86400),
                 "occurrence 2026-03-29T00:00 ends 3600 s after the next one begins: use -e");
  const auto s5 = granted(until_time(series("FREQ=DAILY;COUNT=3", date(2026, 3, 28)), 0));
  EXPECT_EQ(s5[1].length(), Duration{23 * 3600});
}

// S6, S7
TEST_F(GivenACellInBerlin, WhenAMonthHasNoSuchDayThenItHasNoOccurrence) {
  auto monthly = lasting(series("FREQ=MONTHLY", date(2026, 1, 31, 10)), 3600);
  monthly.recurrence.until = date(2026, 12, 31, 23);
  ASSERT_EQ(command(root, monthly).exit_code, 0);
  EXPECT_EQ(starts(), (Times{date(2026, 1, 31, 9), date(2026, 3, 31, 8), date(2026, 5, 31, 8),
                             date(2026, 7, 31, 8), date(2026, 8, 31, 8), date(2026, 10, 31, 9),
                             date(2026, 12, 31, 9)}));
}

// S8, B5.4022, B5.4023
TEST_F(GivenASeriesThatConflicts, WhenItIsToBeWholeThenItIsRefusedWithTheConflict) {
  expect_refused(s1(), "conflict: 2026-11-30T09:00: ");
  EXPECT_TRUE(windows().empty());
}

TEST_F(GivenASeriesThatConflicts, WhenItWaitsThenTheRestIsGrantedAndTheConflictTriedAgain) {
  const auto answer = command(root, waiting(s1()));
  ASSERT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(starts(), (Times{date(2026, 11, 26, 8), date(2026, 12, 3, 8)}));
  ASSERT_EQ(standing(2)->conflicts.size(), 1u);
  EXPECT_EQ(standing(2)->conflicts[0].occurrence, date(2026, 11, 30, 9));
  pass();
  EXPECT_EQ(windows().size(), 2u);
  command(root, DeleteReservations{{"1"}, {}, false});
  pass();
  EXPECT_TRUE(standing(2)->conflicts.empty());
  ASSERT_TRUE(occurrence(5));
  EXPECT_EQ(occurrence(5)->occurrence, date(2026, 11, 30, 9));
}

// B5.4023
TEST_F(GivenASeriesThatConflicts, WhenTheStartOfTheConflictComesThenItsOwnerGetsAMail) {
  auto request = waiting(s1());
  request.request.mail_at = "a";
  command(root, request);
  const auto before = planner.state().counters().last_letter;
  go_on(date(2026, 11, 30, 8) - 1);
  EXPECT_EQ(standing(2)->conflicts.size(), 1u);
  EXPECT_EQ(planner.state().counters().last_letter, before);
  go_on(date(2026, 11, 30, 8));
  EXPECT_TRUE(standing(2)->conflicts.empty());
  EXPECT_EQ(planner.state().counters().last_letter, before + 1);
}

// S9, B5.206
TEST_F(GivenACellInBerlin, WhenADayIsSkippedThenCountHasCountedIt) {
  auto command = s1();
  command.recurrence.skipped = {date(2026, 11, 30) / 86400, date(2026, 12, 1) / 86400};
  const auto answer = this->command(root, command);
  EXPECT_EQ(starts(), (Times{date(2026, 11, 26, 8), date(2026, 12, 3, 8)}));
  EXPECT_NE(text(answer).find("no occurrence on 2026-12-01 to skip"), std::string::npos)
      << text(answer);
}

// B5.4021
TEST_F(GivenACellInBerlin, WhenThePlaceOfTheFirstOneIsFreeThenTheOthersHaveIt) {
  reserve(root, on_pe(window(date(2026, 11, 26, 7), 4 * 3600), "fill", 4)); // on h1, that day
  command(root, s1());
  for (const auto number : {3, 4, 5})
    EXPECT_EQ(occurrence(number)->shape.grants.front().instance.host, "h2") << number;
}

// B5.4024, L4
TEST_F(GivenACellInBerlin, WhenALimitIsReachedThenThatIsAConflict) {
  change({ObjectKind::userset, "arusers", {{"entries", "alice"}}});
  global({{"max_u_advance_reservations", "2"}});
  const auto refused = command(alice, s1());
  EXPECT_EQ(refused.exit_code, 25) << text(refused);
  EXPECT_TRUE(windows().empty());
  const auto granted = command(alice, waiting(s1()));
  EXPECT_EQ(granted.exit_code, 0) << text(granted);
  EXPECT_EQ(windows().size(), 2u);
  EXPECT_EQ(standing()->conflicts.size(), 1u);
}

// B8.26, B8.4
TEST_F(GivenASeriesThatConflicts, WhenTheStartOfAConflictComesThenItsHookReadsOfTheSeriesInError) {
  global({{"ar_error", "/hook"}});
  command(root, waiting(s1()));
  go_on(date(2026, 11, 30, 8) - 1);
  ASSERT_EQ(standing(2)->conflicts.size(), 1u);
  now = {date(2026, 11, 30, 8)};
  std::vector<HookCall> calls;
  for (const auto& effect : handle(Pass{}).effects)
    if (const auto* call = std::get_if<HookCall>(&effect)) calls.push_back(*call);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].event, HookEvent::error);
  EXPECT_EQ(calls[0].state, "E");
  EXPECT_EQ(calls[0].number.value, 2);
  EXPECT_EQ(calls[0].series.value, 2);
}

// B13: each is refused, and nothing has changed.
TEST_F(GivenACellInBerlin, WhenItMakesNoSenseThenItIsRefusedWithTheReason) {
  const auto first = date(2026, 11, 24, 9);
  expect_refused(lasting(series("FREQ=HOURLY", first), 60), "FREQ");
  expect_refused(series("FREQ=DAILY", first), "end");
  auto early = s1();
  early.recurrence.until = date(2026, 11, 23);
  expect_refused(early, "no occurrence is left");
  expect_refused(lasting(series("FREQ=DAILY", date(2025, 12, 31)), 60), "past");
  auto both = s1();
  both.request.has_duration = true, both.request.duration = {60};
  expect_refused(both, "-e and -d exclude each other");
  auto disordered = s1();
  std::swap(disordered.recurrence.zone_changes[0], disordered.recurrence.zone_changes[1]);
  expect_refused(disordered, "not in order");
  auto alone = s1();
  alone.recurrence.rule.clear();
  expect_refused(alone, "needs -repeat");
}

// B5.4061, B5.4063
TEST_F(GivenACellInBerlin, WhenAnOccurrenceIsDeletedThenItDoesNotComeBack) {
  command(root, s1());
  command(root, DeleteReservations{{"3"}, {}, false});
  EXPECT_EQ(standing()->removed, (Times{date(2026, 11, 30, 9)}));
  go_on(date(2026, 11, 29));
  EXPECT_EQ(starts().back(), date(2026, 12, 3, 8));
  EXPECT_EQ(starts().size(), 1u);
}

TEST_F(GivenACellInBerlin, WhenTheSeriesIsDeletedThenAllItsOccurrencesGo) {
  command(root, s1());
  const auto denied = command(alice, DeleteReservations{{"1"}, {}, false});
  EXPECT_EQ(denied.exit_code, 1);
  EXPECT_EQ(windows().size(), 3u);
  const auto answer = command(root, DeleteReservations{{"1"}, {}, false});
  EXPECT_EQ(text(answer), "root has deleted advance reservation 1 with 3 occurrences\n");
  EXPECT_TRUE(windows().empty());
  EXPECT_FALSE(standing());
}

// B5.4062
TEST_F(GivenACellInBerlin, WhenTheRestIsDeletedThenTheSeriesEndsBeforeIt) {
  command(root, s1());
  DeleteReservations rest{{"3"}, {}, false};
  rest.rest = true;
  EXPECT_EQ(text(command(root, rest)), "advance reservation 1 ends before 2026-11-30T09:00\n");
  EXPECT_EQ(starts(), (Times{date(2026, 11, 26, 8)}));
  reserve(root, on_pe(window(date(2026, 2, 1), 60), "fill", 1));
  rest.targets = {"5"};
  EXPECT_EQ(text(command(root, rest)), "advance reservation 5 is not part of a series\n");
  go_on(date(2026, 11, 27));
  EXPECT_FALSE(standing());
}

// B5.403
TEST_F(GivenACellInBerlin, WhenDaysPassThenTheWindowRolls) {
  command(root, lasting(series("FREQ=DAILY", date(2026, 1, 1, 9)), 3600));
  const auto count = windows().size();
  EXPECT_EQ(windows().back().start.seconds, date(2027, 1, 1, 8));
  go_on(date(2026, 1, 4));
  EXPECT_EQ(windows().size(), count);
  EXPECT_EQ(windows().front().start.seconds, date(2026, 1, 4, 8));
  EXPECT_EQ(windows().back().start.seconds, date(2027, 1, 4, 8));
}

// B5.4031
TEST_F(GivenACellInBerlin, WhenWhatRollsInDoesNotFitThenTheOwnerIsToldOnce) {
  auto weekly = lasting(series("FREQ=WEEKLY", date(2026, 1, 1, 9)), 3600);
  weekly.request.mail_at = "a";
  command(root, weekly);
  reserve(root, on_pe(window(date(2027, 1, 7, 7), 4 * 3600), "fill", 16));
  const auto before = planner.state().counters().last_letter;
  go_on(date(2026, 1, 8));
  EXPECT_EQ(planner.state().counters().last_letter, before + 1);
  ASSERT_EQ(standing()->conflicts.size(), 1u);
  go_on(date(2027, 1, 7, 8));
  EXPECT_EQ(planner.state().counters().last_letter, before + 1);
  EXPECT_TRUE(standing()->conflicts.empty());
}

// B5.402, B5.4020: the first 400, and the next one at each end.
TEST_F(GivenACellInBerlin, WhenThereAreTooManyThenOneFollowsEachThatEnds) {
  const auto answer = command(
      root, lasting(series("FREQ=DAILY;BYHOUR=0,6,12,18;BYMINUTE=0", date(2026, 1, 2)), 3600));
  EXPECT_EQ(windows().size(), 400u);
  EXPECT_NE(
      text(answer).find("at most 400 occurrences at a time: those after 2026-04-11T18:00 are"),
      std::string::npos)
      << text(answer);
  const auto last = windows().back().start;
  go_on(date(2026, 1, 2, 1));
  EXPECT_EQ(windows().size(), 400u);
  EXPECT_EQ(windows().back().start, last + Duration{6 * 3600});
}

// B5.4064: one that ends early does not end the series.
TEST_F(GivenACellInBerlin, WhenTheLastOccurrenceIsOverThenTheSeriesGoes) {
  command(root, s1());
  go_on(date(2026, 12, 3, 9));
  EXPECT_TRUE(standing());
  go_on(date(2026, 12, 3, 10));
  EXPECT_FALSE(standing());
}

// B5.407
TEST_F(GivenACellInBerlin, WhenItIsOnlyAskedForThenTheYearIsToldAndNothingGranted) {
  reserve(root, on_pe(window(date(2026, 11, 30, 7), 4 * 3600), "fill", 16));
  auto asked = s1();
  asked.recurrence.skipped = {date(2026, 12, 3) / 86400};
  const auto before = planner.digest();
  const auto answer = ask(VerifyReserve{root, asked});
  EXPECT_EQ(planner.digest(), before);
  EXPECT_EQ(answer.exit_code, 1);
  const auto said = text(answer);
  EXPECT_NE(said.find("2026-11-26T09:00 to 2026-11-26T11:00 UTC+01:00: all.q@h1=4\n"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("2026-11-30T09:00 to 2026-11-30T11:00 UTC+01:00: conflict: "),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("advance reservation 1"), std::string::npos) << said;
  EXPECT_NE(said.find("2026-12-03T09:00: skipped\n"), std::string::npos) << said;
  EXPECT_TRUE(said.ends_with("2 occurrences, 1 fit, 1 conflicts\n")) << said;
}

// B5.407, B5.302
TEST_F(GivenACellInBerlin, WhenClocksAreSetWithinAnOccurrenceThenBothOffsetsAreSaid) {
  const auto said = text(ask(
      VerifyReserve{root, lasting(series("FREQ=DAILY;COUNT=1", date(2026, 10, 25, 2, 30)), 3600)}));
  EXPECT_NE(said.find("2026-10-25T02:30 UTC+02:00 to 2026-10-25T02:30 UTC+01:00: all.q@h1=4\n"),
            std::string::npos)
      << said;
}

// B5.402: what a planner restores it goes on with (S11).
TEST_F(GivenASeriesThatConflicts, WhenThePlannerIsRestoredThenItEqualsTheOneThatWas) {
  command(root, waiting(s1()));
  auto again = *Planner::restore(planner.state().records().copy());
  EXPECT_EQ(again.digest(), planner.digest());
  command(root, DeleteReservations{{"1"}, {}, false});
  again.handle(
      std::get<ValidInput>(validated_input(Command{root, DeleteReservations{{"1"}, {}, false}})),
      now);
  pass(), again.handle(Pass{}, now);
  EXPECT_EQ(again.digest(), planner.digest());
  EXPECT_TRUE(standing(2)->conflicts.empty());
}

// B14 (slurm 26.05): a conflict that only the summer's clock makes is found in winter.
TEST_F(GivenACellInBerlin, WhenAReservationIsInTheWayInSummerThenThatIsKnownInWinter) {
  reserve(root, on_pe(window(date(2026, 7, 15, 7), 3600), "fill", 16));
  expect_refused(lasting(series("FREQ=DAILY;COUNT=250", date(2026, 1, 2, 9)), 3600),
                 "conflict: 2026-07-15T09:00: ");
}

// B14 (pbs rrule), B5.207
TEST_F(GivenACellInBerlin, WhenTheFirstOneIsNotWhereOneMightThinkThenTheAnswerSaysSo) {
  const auto command = lasting(series("FREQ=DAILY;BYHOUR=9;COUNT=2", date(2026, 2, 2, 7, 30)), 60);
  EXPECT_NE(text(this->command(root, command)).find("first occurrence 2026-02-02T09:30"),
            std::string::npos);
}

// What one user keeps is bounded, with series, too.
TEST_F(GivenACellInBerlin, WhenASeriesGoesThenNothingIsKeptOfIt) {
  const auto before = planner.state().occupancy().reservations_of.kept_bytes("root");
  command(root, s1());
  EXPECT_GT(planner.state().occupancy().reservations_of.kept_bytes("root"), before + 4 * 2048);
  command(root, DeleteReservations{{"1"}, {}, false});
  EXPECT_EQ(planner.state().occupancy().reservations_of.kept_bytes("root"), before);
  EXPECT_TRUE(planner.state().records().followers_agree());
}

// B8.21, B8.23
TEST_F(GivenACellInBerlin, WhenItIsGrantedThenItIsConfirmedOnceAndLaterOccurrencesAreChanges) {
  for (const auto* hook : {"ar_confirm", "ar_change"}) global({{hook, "/hook"}});
  const auto calls_of = [&](const Input& input) {
    std::string calls;
    for (const auto& effect : handle(input).effects)
      if (const auto* call = std::get_if<HookCall>(&effect))
        calls += std::string(name_of(call->event)) + " " + to_string(call->number) + ";";
    return calls;
  };
  reserve(root, on_pe(window(date(2026, 1, 2, 8), 60), "fill", 16)); // 1
  const auto daily = waiting(lasting(series("FREQ=DAILY;COUNT=3", date(2026, 1, 1, 9)), 600));
  EXPECT_EQ(calls_of(Command{root, daily}), "confirm 3;"); // of 3 and 4
  command(root, DeleteReservations{{"1"}, {}, false});
  EXPECT_EQ(calls_of(Pass{}), "change 5;");
}
