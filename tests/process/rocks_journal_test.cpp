#include "master/rocks_journal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

using namespace almanac;
namespace fs = std::filesystem;

namespace {

class GivenAStore : public testing::Test {
protected:
  GivenAStore() {
    char folder[] = "/tmp/almanac-terms-XXXXXX";
    place = ::mkdtemp(folder);
    EXPECT_TRUE(RocksJournal::create(store(), {}).ok());
  }
  ~GivenAStore() override { fs::remove_all(place); }
  std::string store() const { return place / "store"; }
  static Term open(const std::string& path) {
    auto journal = RocksJournal::open(path);
    EXPECT_TRUE(journal.ok()) << journal.what();
    return (*journal)->term();
  }

  fs::path place;
};

} // namespace

TEST_F(GivenAStore, WhenItIsOpenedAgainThenItsTermIsLater) {
  const auto first = open(store());
  EXPECT_LT(first, open(store()));
}

// Agents refuse a term that is earlier than one they have heard, and warrants that were numbered
// before.
TEST_F(GivenAStore, WhenACopyOfBeforeTakesItsPlaceThenItsTermIsLaterThanAllOnesSince) {
  open(store());
  fs::copy(store(), place / "backup", fs::copy_options::recursive);
  Term last;
  for (int i = 0; i < 3; ++i) last = open(store());
  fs::remove_all(store());
  fs::rename(place / "backup", store());
  EXPECT_LT(last, open(store()));
}

TEST_F(GivenAStore, WhenASnapshotIsTakenThenWhatIsWrittenLaterIsNotInIt) {
  const auto journal = RocksJournal::open(store());
  ASSERT_TRUE(journal.ok());
  const auto write = [&](const std::string& key, std::optional<std::string> value) {
    (*journal)->commit({{store::Family::scripts, key, std::move(value)}}, (*journal)->term());
  };
  write("a", "1"), write("b", "2");
  const auto snapshot = (*journal)->snapshot();
  write("a", std::nullopt), write("b", "3"), write("c", "4");
  EXPECT_EQ(snapshot->get(store::Family::scripts, "a"), "1");
  EXPECT_EQ(snapshot->last(store::Family::scripts), "2");
  std::vector<std::string> keys;
  snapshot->scan(store::Family::scripts,
                 [&](std::string_view key, std::string_view) { keys.emplace_back(key); });
  EXPECT_EQ(keys, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ((*journal)->get(store::Family::scripts, "b"), "3");
}
