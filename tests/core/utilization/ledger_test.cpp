// What is booked where and when, and whether it is the same.
#include "core/utilization/ledger.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

const std::vector<Booking> three{{Container::host("h1"), "lic", 3}};
const Window window{{10}, {20}};

const auto h1 = Container::queue({"all.q", "h1"});
std::vector<Booking> some_slots(std::int64_t amount) { return {{h1, "slots", amount}}; }

} // namespace

TEST(GivenLedgers, WhenOneHasSomethingBookedThatNobodyNamesThenTheyDiffer) {
  Ledger one, other;
  EXPECT_TRUE(one == other);
  one.book(three, window);
  EXPECT_FALSE(one == other);
  EXPECT_FALSE(other == one);
  other.book(three, window);
  EXPECT_TRUE(one == other);
  other.release(three, window);
  other.book(three, {{10}, {21}});
  EXPECT_FALSE(one == other);
}

TEST(GivenLedgers, WhenAllOfAPlaceIsGivenBackThenItIsAsGoodAsNeverBooked) {
  Ledger one, other;
  one.book(three, window), one.release(three, window);
  EXPECT_TRUE(one == other);
  EXPECT_TRUE(other == one);
}

// spec/beyond.md B1.105: of spare hosts and rerunnable jobs at one place the larger counts.
TEST(GivenALedger, WhenASpareHostAndRerunnableJobsShareAPlaceThenTheLargerOfThemIsUsed) {
  const auto place = Container::host("h1");
  const auto some = [&](std::int64_t amount) {
    return std::vector<Booking>{{place, "lic", amount}};
  };
  Ledger ledger;
  ledger.book(some(3), window), ledger.book(some(2), window, Claim::rerunnable);
  ledger.open_spare(place, "lic");
  ledger.release_beside_spares(some(2).front(), window);
  ledger.book(some(4), window, Claim::spare), ledger.book(some(1), window, Claim::rerunnable);
  const auto* diagram = ledger.find(place, "lic");
  EXPECT_EQ(diagram->max(window), 6);
  EXPECT_EQ(ledger.with_spares(diagram)->max(window), 7);
  EXPECT_EQ(ledger.used(place, "lic", window), 7);

  Ledger same;
  same.open_spare(place, "lic");
  same.book(some(4), window, Claim::spare), same.book(some(3), window);
  EXPECT_FALSE(same == ledger);
  same.book(some(2), window, Claim::rerunnable), same.book(some(1), window, Claim::rerunnable);
  EXPECT_TRUE(same == ledger);
  EXPECT_TRUE(ledger == same);

  ledger.release(some(4), window, Claim::spare);
  ledger.close_spare(place, "lic");
  EXPECT_EQ(ledger.used(place, "lic", window), 6);
  EXPECT_FALSE(same == ledger) << "one of them keeps a spare host";
}

// spec/plus.md P5.10
TEST(GivenALedger, WhenAReservationPreemptsThenJobsThatStartBeforeItLookPastIt) {
  Ledger ledger;
  ledger.book(some_slots(3), {{0}, {100}});
  ledger.open_preempted(h1, "slots");
  ledger.book(some_slots(4), window, Claim::preempting);
  const auto* diagram = ledger.find(h1, "slots");
  EXPECT_EQ(diagram->max(window), 7);
  EXPECT_EQ(ledger.without_preempting(diagram)->max(window), 3);
  ledger.book(some_slots(2), window, Claim::rerunnable), ledger.book(some_slots(1), window);
  EXPECT_EQ(ledger.without_preempting(diagram)->max(window), 6);

  Ledger same;
  same.open_preempted(h1, "slots");
  same.book(some_slots(4), window, Claim::preempting);
  same.book(some_slots(3), {{0}, {100}}), same.book(some_slots(2), window),
      same.book(some_slots(1), window);
  EXPECT_TRUE(same == ledger);
  same.release(some_slots(1), window), same.book(some_slots(1), window, Claim::preempting);
  EXPECT_FALSE(same == ledger) << "as much in all, and another part of it gives way";

  ledger.release(some_slots(4), window, Claim::preempting);
  EXPECT_EQ(diagram->max(window), 6);
  ledger.close_preempted(h1, "slots");
  EXPECT_EQ(ledger.without_preempting(diagram), nullptr);
}
