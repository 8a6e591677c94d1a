// Zone files, read for series (spec/beyond.md B5.115, B5.208).
#include "actors/process/local_zone.hpp"
#include "tools/commands/time_zones.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace almanac;

namespace {

std::string number(std::int64_t value, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    text += static_cast<char>(static_cast<std::uint64_t>(value) >> shift);
  return text;
}

// A file with one offset and the rule for all years, as RFC 8536 has it.
std::string zone_file(std::int64_t ahead, const std::string& rule) {
  const std::string head = "TZif2" + std::string(15, '\0');
  const auto counts = [](int types, int letters) {
    return std::string(16, '\0') + number(types, 4) + number(letters, 4);
  };
  return head + counts(0, 0) + head + counts(1, 4) + number(ahead, 4) + std::string(2, '\0') +
         "LMT" + '\0' + "\n" + rule + "\n";
}

constexpr Instant year_2026{1'767'225'600};

std::vector<std::pair<std::int64_t, std::int64_t>> changes(const std::string& content) {
  const auto zone = read_zone(content, year_2026);
  std::vector<std::pair<std::int64_t, std::int64_t>> list;
  if (!zone) return list;
  for (const auto& change : zone->changes) list.emplace_back(change.from.seconds, change.ahead);
  return list;
}

} // namespace

TEST(GivenAZoneFile, WhenItHasARuleThenItsChangesAreThoseOfFortyYears) {
  const auto berlin = changes(zone_file(3600, "CET-1CEST,M3.5.0,M10.5.0/3"));
  ASSERT_EQ(berlin.size(), 81u);
  EXPECT_EQ(berlin[0], std::pair(year_2026.seconds, std::int64_t{3600}));
  EXPECT_EQ(berlin[1], std::pair(std::int64_t{1'774'746'000}, std::int64_t{7200})); // 03-29 01:00
  EXPECT_EQ(berlin[2], std::pair(std::int64_t{1'792'890'000}, std::int64_t{3600})); // 10-25 01:00
  // Summer over the turn of the year, and a winter time that is set back.
  EXPECT_EQ(changes(zone_file(10 * 3600, "AEST-10AEDT,M10.1.0,M4.1.0/3"))[1].second, 36'000);
  EXPECT_EQ(changes(zone_file(3600, "IST-1GMT0,M10.5.0,M3.5.0/1"))[1].second, 3600);
  EXPECT_EQ(changes(zone_file(-3 * 3600, "<-03>3")).size(), 1u);
}

TEST(GivenAZoneFile, WhenItIsNoneThenThatIsAnError) {
  const auto good = zone_file(3600, "CET-1CEST,M3.5.0,M10.5.0/3");
  EXPECT_TRUE(read_zone(good, year_2026).ok());
  for (std::size_t size = 0; size + 30 < good.size(); size += 7)
    EXPECT_FALSE(read_zone(good.substr(0, size), year_2026).ok()) << size;
  EXPECT_FALSE(read_zone("#!/bin/sh\n", year_2026).ok());
  EXPECT_FALSE(read_zone(zone_file(3600, "CET-1CEST,M13.5.0,M10.5.0"), year_2026).ok());
  EXPECT_FALSE(read_zone(zone_file(3600, "CET"), year_2026).ok());
}

// The C library reads the same files.
TEST(GivenTheZonesOfThisMachine, WhenTheyAreReadThenTheCLibraryAgrees) {
  for (const std::string name :
       {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Nuuk", "Europe/Dublin",
        "Africa/Casablanca", "Pacific/Chatham", "Asia/Kolkata", "Asia/Gaza"}) {
    const auto path = "/usr/share/zoneinfo/" + name;
    if (!std::filesystem::exists(path)) continue;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    const auto zone = read_zone(content.str(), year_2026);
    ASSERT_TRUE(zone.ok()) << name;
    ::setenv("TZ", (":" + name).c_str(), 1);
    const auto known = local_zone(year_2026);
    for (auto at = year_2026; at < year_2026 + Duration{11LL * 366 * 86400};
         at = at + Duration{43'200})
      ASSERT_EQ(zone->ahead(at), known.ahead(at)) << name << " at " << at.seconds;
  }
  ::setenv("TZ", "UTC", 1), ::tzset();
}
