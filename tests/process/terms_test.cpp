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
