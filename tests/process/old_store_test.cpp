// Stores that an earlier version wrote have fewer families of records.
#include "core/planning/planner.hpp"
#include "master/rocks_journal.hpp"
#include "schema/store/records.hpp"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

using namespace almanac;

namespace {

struct GivenAnOldStore : ::testing::Test {
  std::string folder;
  std::vector<rocksdb::ColumnFamilyHandle*> handles; ///< while open_with_all() works

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

  // As the engine alone sees it.
  void open_with_all(const std::function<void(rocksdb::DB& db)>& work) {
    std::vector<std::string> names;
    ASSERT_TRUE(rocksdb::DB::ListColumnFamilies(rocksdb::Options(), path(), &names).ok());
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const auto& name : names) families.emplace_back(name, rocksdb::ColumnFamilyOptions());
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(rocksdb::Options(), path(), families, &handles, &db).ok());
    work(*db);
    for (auto* handle : handles) EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    delete db;
  }
  rocksdb::ColumnFamilyHandle* handle_of(const std::string& family) const {
    for (auto* handle : handles)
      if (handle->GetName() == family) return handle;
    return nullptr;
  }
  void drop_family(const std::string& wanted) {
    open_with_all([&](rocksdb::DB& db) {
      ASSERT_TRUE(db.DropColumnFamily(handle_of(wanted)).ok()) << wanted;
    });
  }
  void set_meta(const std::string& key, const std::string& value) {
    open_with_all([&](rocksdb::DB& db) {
      ASSERT_TRUE(db.Put(rocksdb::WriteOptions(), handle_of("meta"), key, value).ok());
    });
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

TEST_F(GivenAnOldStore, WhenAMasterOpensItThenFilesOfTheSiteAreKept) {
  const SiteFile file{"sched_conf", "JobSortKey: SubmitTime\n", {5000}, "sched_conf, line 1: x"};
  {
    auto journal = RocksJournal::open(path());
    ASSERT_TRUE(journal.ok()) << journal.what();
    ASSERT_EQ((*journal)->commit({store::write_of(file)}, (*journal)->term()), Commit::durable);
  }
  auto records = records_in(**RocksJournal::open_to_read(path()));
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->site_files.size(), 1u);
  EXPECT_EQ(records->site_files.front().name, file.name);
  EXPECT_EQ(records->site_files.front().text, file.text);
  EXPECT_EQ(records->site_files.front().read_at, file.read_at);
  EXPECT_EQ(records->site_files.front().error, file.error);
}

// The golden stores in tests/golden are of versions without this family, too.
TEST_F(GivenAnOldStore, WhenAMasterOpensItThenChallengesOfClaimsAreKept) {
  {
    auto journal = RocksJournal::open(path());
    ASSERT_TRUE(journal.ok()) << journal.what();
    const auto write = store::write_of(ClaimChallenge{"nonce", {7}, {5'000}, 1001});
    ASSERT_EQ((*journal)->commit({write}, (*journal)->term()), Commit::durable);
  }
  auto records = records_in(**RocksJournal::open_to_read(path()));
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->challenges.size(), 1u);
  EXPECT_EQ(records->challenges.front().nonce, "nonce");
  EXPECT_EQ(records->challenges.front().until, Instant{5'000});
}

// The golden stores in tests/golden are of versions with fewer families.
TEST_F(GivenAnOldStore, WhenItHasFormat1ThenTheCopyIsAStoreThatItsOwnVersionOpens) {
  for (const auto* name : {"tasks", "transactions", "accounting_of_job"}) drop_family(name);
  std::vector<std::string> before, copied, now;
  ASSERT_TRUE(rocksdb::DB::ListColumnFamilies(rocksdb::Options(), path(), &before).ok());
  set_meta("format", "1");
  ASSERT_TRUE(RocksJournal::open(path()).ok());
  const auto copy = path() + ".format1";
  ASSERT_TRUE(rocksdb::DB::ListColumnFamilies(rocksdb::Options(), copy, &copied).ok());
  EXPECT_EQ(copied, before);
  ASSERT_TRUE(rocksdb::DB::ListColumnFamilies(rocksdb::Options(), path(), &now).ok());
  EXPECT_EQ(now.size(), store::number_of_families + 1);
  EXPECT_FALSE(std::filesystem::exists(copy + ".unfinished"));
}

TEST_F(GivenAnOldStore, WhenTheCopysNameIsTakenThenNothingIsChanged) {
  std::filesystem::create_directory(path() + ".format1");
  set_meta("format", "1");
  std::vector<std::string> before, after;
  ASSERT_TRUE(rocksdb::DB::ListColumnFamilies(rocksdb::Options(), path(), &before).ok());
  const auto opened = RocksJournal::open(path());
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.what().find("is there already: move it away. Nothing was changed"),
            std::string::npos);
  ASSERT_TRUE(rocksdb::DB::ListColumnFamilies(rocksdb::Options(), path(), &after).ok());
  EXPECT_EQ(after, before);
}

TEST_F(GivenAnOldStore, WhenAFamilyIsOfANewerVersionThenTheStoreIsRefusedByItsName) {
  open_with_all([](rocksdb::DB& db) {
    rocksdb::ColumnFamilyHandle* made = nullptr;
    ASSERT_TRUE(db.CreateColumnFamily(rocksdb::ColumnFamilyOptions(), "votes", &made).ok());
    ASSERT_TRUE(db.DestroyColumnFamilyHandle(made).ok());
  });
  const auto expected = "has records of a newer version (votes)";
  const auto opened = RocksJournal::open(path()), read = RocksJournal::open_to_read(path());
  ASSERT_FALSE(opened.ok() || read.ok());
  EXPECT_NE(opened.what().find(expected), std::string::npos) << opened.what();
  EXPECT_NE(read.what().find(expected), std::string::npos) << read.what();
}
