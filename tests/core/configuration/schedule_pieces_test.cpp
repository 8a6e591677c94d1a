// Pieces of the schedule trace (spec/scheduling.md section 11).
#include "core/configuration/schedule_pieces.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

constexpr std::int64_t day = 24 * 3600, megabyte = 1 << 20;
constexpr Instant evening{1'795'637'701}; // 25 November 2026, 20:15:01
const Retention week{{7 * day}, 8};

} // namespace

TEST(GivenAPieceOfTheScheduleTrace, WhenItIsNamedThenTheNameSaysWhenItsLastRunWas) {
  EXPECT_EQ(schedule_piece_name(evening), "schedule.20261125T201501");
  for (const std::int64_t at : {std::int64_t{0}, day - 1, 951'782'400L, evening.seconds})
    EXPECT_EQ(last_run_in(schedule_piece_name({at})), Instant{at});
}

TEST(GivenAFileBesideTheScheduleTrace, WhenItHasAnotherNameThenItIsNoPiece) {
  for (const auto* name :
       {"schedule", "schedule.", "schedule.1", "schedule.old", "accounting.20261125T201501",
        "schedule.20261125T201501.gz", "schedule.20260231T201501", "schedule.20261125T241501",
        "schedule.20261125 201501", "schedule.2026112+T201501", "Schedule.20261125T201501"})
    EXPECT_FALSE(last_run_in(name)) << name;
}

TEST(GivenTheScheduleTrace, WhenTheNextRunIsOnAnotherDayThenTheFileBecomesAPieceFirst) {
  const auto next = [](Instant at) { return becomes_piece({evening, 100}, 50, at, week); };
  const Instant midnight{(evening.seconds / day + 1) * day};
  EXPECT_FALSE(next(evening));
  EXPECT_FALSE(next({midnight.seconds - 1}));
  EXPECT_TRUE(next(midnight));
  EXPECT_FALSE(becomes_piece({evening, 0}, 50, midnight, week)) << "there is nothing in it";
}

TEST(GivenTheScheduleTrace, WhenTheNextRunWouldMakeItTooLargeThenTheFileBecomesAPieceFirst) {
  const auto next = [](std::int64_t bytes, const Retention& retention) {
    return becomes_piece({evening, bytes}, 100, evening, retention);
  };
  EXPECT_FALSE(next(megabyte - 100, week)) << "an eighth of what is kept";
  EXPECT_TRUE(next(megabyte - 99, week));
  EXPECT_FALSE(next(megabyte << 20, {{}, 0})) << "of any size";
  EXPECT_FALSE(becomes_piece({evening, 0}, 2 * megabyte, evening, week)) << "a run is not divided";
}

TEST(GivenPiecesOfTheScheduleTrace, WhenTheyAreTooOldOrTooManyThenTheOldestGo) {
  const auto ago = [](std::int64_t days) { return Instant{evening.seconds - days * day}; };
  const std::vector<SchedulePiece> pieces{
      {ago(9), megabyte}, {ago(1), megabyte}, {ago(7), megabyte}, {ago(3), 5 * megabyte}};
  const auto gone = [&](std::int64_t bytes, const Retention& retention) {
    return pieces_to_remove(pieces, bytes, evening, retention);
  };
  using Gone = std::vector<Instant>;
  EXPECT_EQ(gone(0, week), (Gone{ago(7), ago(9)})) << "by age";
  EXPECT_EQ(gone(megabyte, {{}, 8}), (Gone{ago(9)})) << "by size";
  EXPECT_EQ(gone(3 * megabyte, {{}, 8}), (Gone{ago(3), ago(7), ago(9)})) << "the file counts, too";
  EXPECT_EQ(gone(100 * megabyte, {{}, 0}), Gone{}) << "all are kept";
}
