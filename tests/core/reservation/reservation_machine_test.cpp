#include "core/reservation/reservation_machine.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

using namespace almanac;
using enum ReservationPhase;

namespace {

template <class Enum> std::vector<Enum> all_of() {
  std::vector<Enum> all;
  for (auto i = 0; i <= static_cast<int>(last_of<Enum>); ++i) all.push_back(static_cast<Enum>(i));
  return all;
}

// Those in which the event comes.
std::set<ReservationPhase> phases_with(ReservationEvent event) {
  std::set<ReservationPhase> phases;
  for (const auto phase : all_of<ReservationPhase>())
    if (next(phase, event) || ends(phase, event)) phases.insert(phase);
  return phases;
}

} // namespace

TEST(GivenAReservation, WhenAllGoesWellThenItIsCommittedBeginsEndsAndStaysOnRecord) {
  EXPECT_EQ(next(proposed, ReservationEvent::committed), waiting);
  EXPECT_EQ(next(waiting, ReservationEvent::begun), running);
  EXPECT_EQ(next(running, ReservationEvent::ended), closed);
  EXPECT_EQ(next(closed, ReservationEvent::emptied), expired);
  EXPECT_TRUE(ends(expired, ReservationEvent::passed));
}

TEST(GivenAReservation, WhenItIsWithdrawnThenItWasGrantedAndStillEnds) {
  using Phases = std::set<ReservationPhase>;
  EXPECT_EQ(phases_with(ReservationEvent::withdrawn), (Phases{waiting, running}));
  for (const auto phase : {waiting, running})
    EXPECT_EQ(next(phase, ReservationEvent::withdrawn), canceled);
  EXPECT_EQ(phases_with(ReservationEvent::ended), (Phases{waiting, running, deleted, canceled}));
  for (const auto phase : phases_with(ReservationEvent::ended))
    EXPECT_EQ(next(phase, ReservationEvent::ended), phase == canceled ? expired : closed);
}

TEST(GivenAReservation, WhenItIsRemovedThenItIsDeletedWhateverItWas) {
  for (const auto phase : all_of<ReservationPhase>())
    EXPECT_EQ(next(phase, ReservationEvent::removed), deleted);
  EXPECT_TRUE(ends(deleted, ReservationEvent::emptied));
  EXPECT_EQ(next(deleted, ReservationEvent::emptied), std::nullopt) << "it does not stay on record";
}

TEST(GivenAReservationThatIsProposed, WhenItIsDroppedThenItIsGoneAndOnlyThen) {
  EXPECT_TRUE(ends(proposed, ReservationEvent::dropped));
  EXPECT_EQ(phases_with(ReservationEvent::dropped), std::set<ReservationPhase>{proposed});
  EXPECT_EQ(phases_with(ReservationEvent::committed), std::set<ReservationPhase>{proposed});
}

TEST(GivenAReservation, WhenItsStartMovesThenItHasBegunAndWaitsAgain) {
  EXPECT_EQ(next(running, ReservationEvent::moved), waiting);
  EXPECT_EQ(phases_with(ReservationEvent::moved), std::set<ReservationPhase>{running});
  EXPECT_EQ(phases_with(ReservationEvent::begun), std::set<ReservationPhase>{waiting});
}

TEST(GivenTheTableOfReservations, WhenItIsFollowedThenEachStateIsReachedAndCanBeLeftForGood) {
  const auto phases = all_of<ReservationPhase>();
  const auto events = all_of<ReservationEvent>();
  std::set<ReservationPhase> reached{proposed}, ending;
  for (std::size_t round = 0; round < phases.size(); ++round)
    for (const auto phase : phases)
      for (const auto event : events) {
        const auto to = next(phase, event);
        if (to && reached.contains(phase)) reached.insert(*to);
        if (ends(phase, event) || (to && ending.contains(*to))) ending.insert(phase);
      }
  EXPECT_EQ(reached.size(), phases.size());
  EXPECT_EQ(ending.size(), phases.size());
}
