#include "core/request/valid_report.hpp"
#include "core/text/names.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

using namespace almanac;

namespace {

constexpr auto greatest_number = std::numeric_limits<std::int64_t>::max();
constexpr auto least_number = std::numeric_limits<std::int64_t>::min();

HostFacts plain_facts() { return {"lx-amd64", 8, 1LL << 35, "boot", "spool", "n1:6444"}; }

template <class Change> bool facts_are_valid_with(Change change) {
  auto facts = plain_facts();
  change(facts);
  return valid(facts).ok();
}
template <class Change> bool load_is_valid_with(Change change) {
  HostLoad load{10, 20, 30, 5000, 1 << 20, 0, 0};
  change(load);
  return valid(load).ok();
}
template <class Change> bool record_is_valid_with(Change change) {
  ExitRecord record;
  record.failed = failed::before_job, record.exit_status = 255, record.reason = "no folder";
  change(record);
  return valid(record).ok();
}

} // namespace

TEST(GivenFactsOfAHost, WhenTheyAreThoseOfAMachineThenTheyAreValid) {
  EXPECT_TRUE(facts_are_valid_with([](HostFacts&) {}));
  EXPECT_TRUE(valid(HostFacts()).ok()) << "an agent may know nothing";
}

TEST(GivenFactsOfAHost, WhenANumberOrATextIsOutOfBoundsThenTheyAreNotValid) {
  for (const auto wrong : {std::int64_t(-1), least_number, greatest_number}) {
    EXPECT_FALSE(facts_are_valid_with([&](HostFacts& f) { f.processors = wrong; })) << wrong;
    EXPECT_FALSE(facts_are_valid_with([&](HostFacts& f) { f.memory = wrong; })) << wrong;
  }
  for (const auto& wrong :
       {std::string(513, 'a'), std::string("a\nb"), std::string("\x1b[2J"), std::string("\xff")}) {
    EXPECT_FALSE(facts_are_valid_with([&](HostFacts& f) { f.arch = wrong; }));
    EXPECT_FALSE(facts_are_valid_with([&](HostFacts& f) { f.boot_id = wrong; }));
    EXPECT_FALSE(facts_are_valid_with([&](HostFacts& f) { f.spool_id = wrong; }));
    EXPECT_FALSE(facts_are_valid_with([&](HostFacts& f) { f.address = wrong; }));
  }
}

TEST(GivenTheCoresOfAHost, WhenTheyAreNotInTheirLettersThenTheyAreNotValid) {
  EXPECT_TRUE(facts_are_valid_with([](HostFacts& f) { f.topology = "SCTTCTT"; }));
  EXPECT_TRUE(load_is_valid_with([](HostLoad& l) { l.topology_in_use = "SCTTctt"; }));
  for (const auto& wrong : {std::string(1 << 20, 'S'), std::string("CC"), std::string("S\n")}) {
    EXPECT_FALSE(facts_are_valid_with([&](HostFacts& f) { f.topology = wrong; }));
    EXPECT_FALSE(load_is_valid_with([&](HostLoad& l) { l.topology_in_use = wrong; }));
  }
}

TEST(GivenALoad, WhenAValueIsUnknownThenItIsValid) {
  EXPECT_TRUE(valid(HostLoad()).ok());
  EXPECT_TRUE(load_is_valid_with([](HostLoad& l) { l.cpu = 10'000; }));
}

TEST(GivenALoad, WhenAValueIsOutOfBoundsThenItIsNotValid) {
  for (const auto wrong : {std::int64_t(-2), least_number, greatest_number}) {
    EXPECT_FALSE(load_is_valid_with([&](HostLoad& l) { l.load_short = wrong; })) << wrong;
    EXPECT_FALSE(load_is_valid_with([&](HostLoad& l) { l.load_medium = wrong; })) << wrong;
    EXPECT_FALSE(load_is_valid_with([&](HostLoad& l) { l.load_long = wrong; })) << wrong;
    EXPECT_FALSE(load_is_valid_with([&](HostLoad& l) { l.cpu = wrong; })) << wrong;
    EXPECT_FALSE(load_is_valid_with([&](HostLoad& l) { l.memory_free = wrong; })) << wrong;
    EXPECT_FALSE(load_is_valid_with([&](HostLoad& l) { l.swap_total = wrong; })) << wrong;
    EXPECT_FALSE(load_is_valid_with([&](HostLoad& l) { l.swap_free = wrong; })) << wrong;
  }
}

TEST(GivenAnAttempt, WhenANumberIsOutOfBoundsThenItIsNotValid) {
  EXPECT_TRUE(valid(Attempt{7, 0, 1}).ok());
  for (const auto wrong : {std::int64_t(-1), least_number, greatest_number}) {
    EXPECT_FALSE(valid(Attempt{wrong, 0, 1}).ok()) << wrong;
    EXPECT_FALSE(valid(Attempt{7, wrong, 1}).ok()) << wrong;
    EXPECT_FALSE(valid(Attempt{7, 0, wrong}).ok()) << wrong;
  }
}

TEST(GivenAnExitRecord, WhenItIsOneOfAShepherdThenItIsValid) {
  EXPECT_TRUE(valid(ExitRecord()).ok());
  EXPECT_TRUE(record_is_valid_with([](ExitRecord& r) { r.exit_status = 128 + 64; }));
}

TEST(GivenAnExitRecord, WhenANumberOrTheReasonIsOutOfBoundsThenItIsNotValid) {
  for (const auto wrong : {std::int64_t(-1), least_number, greatest_number}) {
    EXPECT_FALSE(record_is_valid_with([&](ExitRecord& r) { r.failed = wrong; })) << wrong;
    EXPECT_FALSE(record_is_valid_with([&](ExitRecord& r) { r.exit_status = wrong; })) << wrong;
    EXPECT_FALSE(record_is_valid_with([&](ExitRecord& r) { r.wallclock = wrong; })) << wrong;
    EXPECT_FALSE(record_is_valid_with([&](ExitRecord& r) { r.user_microseconds = wrong; }));
    EXPECT_FALSE(record_is_valid_with([&](ExitRecord& r) { r.ended = wrong; })) << wrong;
  }
  for (const auto& wrong : {std::string(1001, 'a'), std::string("a\nb"), std::string("\xff")})
    EXPECT_FALSE(record_is_valid_with([&](ExitRecord& r) { r.reason = wrong; }));
}

// A user chooses the path of -o, which stands in the reason: the host may not be lost by it.
RC_GTEST_PROP(GivenWhateverAShepherdWrote, WhenTheAgentTellsItThenItIsWithinBounds,
              (const std::string& text, std::int64_t number)) {
  ExitRecord record;
  record.reason = text;
  record.failed = record.wallclock = record.ended = record.maxrss_kib = number;
  RC_ASSERT(valid(within_bounds(record)).ok());
  for (const char byte : {'\xff', '\n', 'a', '\xc2'}) {
    record.reason = text + std::string(200'000, byte) + text;
    RC_ASSERT(valid(within_bounds(record)).ok());
  }
}

TEST(GivenAPlainExitRecord, WhenTheAgentTellsItThenItStaysAsItIs) {
  ExitRecord record;
  record.failed = failed::no_directory, record.exit_status = 1, record.wallclock = 12;
  record.reason = "can't change to /home/bücher: No such file or directory";
  const auto told = within_bounds(record);
  EXPECT_EQ(told.reason, record.reason);
  EXPECT_EQ(told.wallclock, 12);
  record.reason = "can't open " + std::string(100'000, 'x') + ": File name too long";
  EXPECT_TRUE(within_bounds(record).reason.ends_with("xxx: File name too long"));
}
