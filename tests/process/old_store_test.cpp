// Stores that an earlier version wrote have fewer families of records.
#include "core/planning/planner.hpp"
#include "master/rocks_journal.hpp"
#include "schema/store/records.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

using namespace almanac;

namespace {

struct GivenAnOldStore : ::testing::Test {
  std::string folder;

  void SetUp() override {
    char name[] = "/tmp/almanac-old-store-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder = name;
    const auto writes = store::writes_of(Planner::initial_records("root", "master"));
    ASSERT_TRUE(RocksJournal::create(path(), writes).ok());
    drop_family("keys");
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string path() const { return folder + "/store"; }

  void drop_family(const std::string& wanted) const {
    std::vector<std::string> names;
    ASSERT_TRUE(rocksdb::DB::ListColumnFamilies(rocksdb::Options(), path(), &names).ok());
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const auto& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(rocksdb::Options(), path(), families, &handles, &db).ok());
    for (auto* handle : handles) {
      if (handle->GetName() == wanted) {
        EXPECT_TRUE(db->DropColumnFamily(handle).ok());
      }
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
    delete db;
  }
  static Result<RecordSet> records_in(const Journal& journal) {
    return store::read_records(
        [&](store::Family family, const auto& visit) { journal.scan(family, visit); });
  }
};

} // namespace

TEST_F(GivenAnOldStore, WhenItIsReadThenItHasNoKeys) {
  auto journal = RocksJournal::open_to_read(path());
  ASSERT_TRUE(journal.ok()) << journal.what();
  auto records = records_in(**journal);
  ASSERT_TRUE(records.ok()) << records.what();
  EXPECT_FALSE(records->objects.empty());
  EXPECT_TRUE(records->keys.empty());
  EXPECT_EQ((*journal)->get(store::Family::keys, "n1"), std::nullopt);
  EXPECT_EQ((*journal)->last(store::Family::keys), std::nullopt);
}

TEST_F(GivenAnOldStore, WhenAMasterOpensItThenKeysAreKept) {
  {
    auto journal = RocksJournal::open(path());
    ASSERT_TRUE(journal.ok()) << journal.what();
    const auto write =
        store::write_of(HostKey{"n1", KeyState::good, "K", 3, 4, {5}, {6}, "a", {7}});
    ASSERT_EQ((*journal)->commit({write}, (*journal)->term()), Commit::durable);
  }
  auto records = records_in(**RocksJournal::open_to_read(path()));
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->keys.size(), 1u);
  EXPECT_EQ(records->keys.front(), (HostKey{"n1", KeyState::good, "K", 3, 4, {5}, {6}, "a", {7}}));
}

// The golden stores in tests/golden are of versions without this family, too.
TEST_F(GivenAnOldStore, WhenAMasterOpensItThenSettledTransactionsAreKept) {
  SettledTransaction settled{{7}, "t1", true, {5000}, {}};
  settled.by.user = "ann";
  {
    auto journal = RocksJournal::open(path());
    ASSERT_TRUE(journal.ok()) << journal.what();
    ASSERT_EQ((*journal)->commit({store::write_of(settled)}, (*journal)->term()), Commit::durable);
  }
  auto records = records_in(**RocksJournal::open_to_read(path()));
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->transactions.size(), 1u);
  EXPECT_EQ(key_of(records->transactions.front()), key_of(settled));
  EXPECT_TRUE(records->transactions.front().committed);
  EXPECT_EQ(records->transactions.front().by.user, "ann");
  EXPECT_EQ(store::key_of_stored<TransactionKey>(store::stored_key(key_of(settled))),
            key_of(settled));
}
