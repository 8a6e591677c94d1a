#include "core/host/host_key.hpp"

#include <gtest/gtest.h>

#include <map>

using namespace almanac;

namespace {

constexpr Instant now{1'000'000};

HostFacts facts_at(const std::string& address, const std::string& spool,
                   const std::string& boot = "boot") {
  return {"lx", 4, 1, boot, spool, address};
}

// A host whose agent is there with the key K and the serial 5.
struct GivenARegisteredHost : ::testing::Test {
  HostKey known{"n1", KeyState::good, "K", 5, 5, {900'000}, {}, {}, {}};
  HostState host{"n1", HostPhase::up, facts_at("10.0.0.1:7000", "spool"), {}, {}};
  KeyClaim same{"K", 5, {}};

  Admission come(const HostFacts& facts, Rival rival) const {
    return admit(known, host, same, facts, rival, now);
  }
  static std::string outcome(const Admission& admission) {
    return std::string(admission.refusal.empty() ? "in" : "out") +
           (admission.alarm.empty() ? "" : ", alarm");
  }
};

} // namespace

TEST_F(GivenARegisteredHost, WhenAKeyIsShownThenStateAndSerialDecide) {
  struct Cell {
    KeyState state;
    std::string registered, shown; // keys
    std::int64_t serial;           // of the one that is shown; 5 is registered
    bool may;
  };
  using enum KeyState;
  for (const auto& cell : std::initializer_list<Cell>{{awaited, "", "K", 4, false},
                                                      {awaited, "", "K", 5, true},
                                                      {awaited, "", "K", 6, true},
                                                      {good, "K", "K", 4, false},
                                                      {good, "K", "K", 5, true},
                                                      {good, "K", "K", 6, true},
                                                      {good, "K", "L", 4, false},
                                                      {good, "K", "L", 5, false},
                                                      {good, "K", "L", 6, true},
                                                      {revoked, "K", "K", 4, false},
                                                      {revoked, "K", "K", 5, false},
                                                      {revoked, "K", "K", 6, true},
                                                      {revoked, "K", "L", 5, false},
                                                      {revoked, "K", "L", 6, true},
                                                      {revoked, "", "L", 5, false},
                                                      {revoked, "", "L", 6, true}}) {
    known.state = cell.state, known.key = cell.registered;
    const auto why = key_obstacle(known, {cell.shown, cell.serial, {}}, now);
    EXPECT_EQ(!why, cell.may) << name_of(cell.state) << " " << cell.shown << cell.serial << " "
                              << why.value_or("");
  }
}

TEST_F(GivenARegisteredHost, WhenATicketHasExpiredThenItIsWorthNothing) {
  EXPECT_FALSE(key_obstacle(known, {"K", 5, now + Duration{1}}, now));
  EXPECT_TRUE(key_obstacle(known, {"K", 5, now}, now));
  EXPECT_TRUE(key_obstacle(known, {"L", 6, now}, now)) << "however high its serial";
}

TEST_F(GivenARegisteredHost, WhenTheCellIsOfAnEarlierVersionThenItsTicketsCountUntilOneHasASerial) {
  HostKey none;
  const KeyClaim old{"K", 0, {}};
  EXPECT_FALSE(key_obstacle(none, old, now));
  take_over(none, old, now);
  EXPECT_FALSE(key_obstacle(none, old, now));
  const KeyClaim next{"L", issue_serial(none), {}};
  EXPECT_FALSE(key_obstacle(none, old, now)) << "nobody has come with the new one";
  take_over(none, next, now);
  EXPECT_TRUE(key_obstacle(none, old, now));
  EXPECT_FALSE(key_obstacle(none, next, now));
}

TEST_F(GivenARegisteredHost, WhenAnAgentComesThenWhereItIsAndWhoIsThereDecide) {
  const auto again = host.facts, restarted = facts_at("10.0.0.1:7001", "spool"),
             rebooted = facts_at("10.0.0.1:7001", "spool", "boot 2"),
             empty = facts_at("10.0.0.1:7000", "spool 2"),
             moved = facts_at("10.0.0.2:7000", "spool");
  struct Cell {
    HostFacts facts;
    Rival rival;
    HostPhase phase;
    const char* outcome;
  };
  using enum Rival;
  using enum HostPhase;
  for (const auto& cell : std::initializer_list<Cell>{
           {again, none, up, "in"},
           {restarted, none, suspect, "in"},
           {rebooted, none, suspect, "in"},
           {empty, none, up, "out, alarm"}, // the master was restarted: who was there may come back
           {empty, none, suspect, "out, alarm"},
           {moved, none, suspect, "out, alarm"},
           {empty, none, unknown, "in, alarm"},
           {moved, none, unknown, "in, alarm"},
           {again, there, up, "in"}, // its link broke, and the master has not seen it yet
           {restarted, there, up, "out"},
           {rebooted, there, up, "out"},
           {empty, there, up, "out, alarm"},
           {moved, there, up, "out, alarm"},
           {again, lively, up, "out, alarm"},
           {restarted, lively, up, "out, alarm"},
           {moved, lively, up, "out, alarm"}}) {
    host.phase = cell.phase;
    EXPECT_EQ(outcome(come(cell.facts, cell.rival)), cell.outcome)
        << cell.facts.address << " " << cell.facts.spool_id << " " << cell.facts.boot_id << " "
        << static_cast<int>(cell.rival) << static_cast<int>(cell.phase);
  }
}

TEST_F(GivenARegisteredHost, WhenATicketHasAHigherSerialThenItTakesTheNameFromWhoeverIsThere) {
  const auto admission =
      admit(known, host, {"L", 6, {}}, facts_at("10.0.0.2:1", "spool 2"), Rival::lively, now);
  EXPECT_EQ(outcome(admission), "in");
}

TEST_F(GivenARegisteredHost, WhenItIsRevokedThenWhatWasIssuedIsToo) {
  const auto issued = issue_serial(known);
  EXPECT_EQ(issued, 6);
  revoke(known, now);
  EXPECT_TRUE(key_obstacle(known, {"L", issued, {}}, now)) << "a copied folder of new keys";
  EXPECT_EQ(issue_serial(known), 7);
  EXPECT_FALSE(key_obstacle(known, {"M", 7, {}}, now));
}

TEST_F(GivenARegisteredHost, WhenTheSameAlarmComesAgainThenItIsNewsOnceAnHour) {
  EXPECT_TRUE(raise_alarm(known, "a second one", now));
  EXPECT_FALSE(raise_alarm(known, "a second one", now + Duration{3599}));
  EXPECT_TRUE(raise_alarm(known, "a second one", now + Duration{3600}));
  EXPECT_TRUE(raise_alarm(known, "a third one", now + Duration{3601}));
  take_over(known, same, now + Duration{3700});
  EXPECT_EQ(known.alarm, "a third one") << "the same key explains nothing";
  take_over(known, {"L", 6, {}}, now + Duration{3700});
  EXPECT_EQ(known.alarm, "");
}
