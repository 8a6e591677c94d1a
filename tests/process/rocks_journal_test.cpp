#include "master/rocks_journal.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

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
  // One of the files that its manifest names: each start writes what the log had into one.
  void take_aside() {
    for (int i = 0; i < 2; ++i) last = open(store());
    for (const auto& entry : fs::directory_iterator(store()))
      if (entry.path().extension() == ".sst") table = entry.path();
    ASSERT_FALSE(table.empty());
    aside = table.string() + ".aside";
    fs::rename(table, aside);
  }

  fs::path place, table, aside;
  Term last;
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

// A master that has just started drops files that the reader has found named in the manifest.
TEST_F(GivenAStore, WhenAFileIsMissingForAMomentThenAReaderTriesAgain) {
  take_aside();
  std::thread master([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    fs::rename(aside, table);
  });
  const auto journal = RocksJournal::open_to_read(store());
  master.join();
  ASSERT_TRUE(journal.ok()) << journal.what();
  EXPECT_EQ((*journal)->term(), last);
}

TEST_F(GivenAStore, WhenAFileStaysMissingThenAReaderSaysSoWithinSeconds) {
  take_aside();
  const auto start = std::chrono::steady_clock::now();
  const auto journal = RocksJournal::open_to_read(store());
  ASSERT_FALSE(journal.ok());
  EXPECT_NE(journal.what().find("can't read the store " + store()), std::string::npos);
  EXPECT_NE(journal.what().find("No such file"), std::string::npos) << journal.what();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(GivenAStore, WhenThereIsNoStoreThenAReaderSaysSoAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(RocksJournal::open_to_read(place / "none").ok());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
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
