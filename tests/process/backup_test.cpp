// A cell in a backup, and back; and the check of a store.
#include "actors/process/daemon.hpp"
#include "actors/trust/keyring.hpp"
#include "core/planning/planner.hpp"
#include "master/backup.hpp"
#include "master/cell.hpp"
#include "master/replay.hpp"
#include "master/rocks_journal.hpp"
#include "master/store_check.hpp"
#include "schema/codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

using namespace almanac;

namespace {

class GivenACellToKeep : public ::testing::Test {
public:
  GivenACellToKeep() {
    char name[] = "/tmp/almanac-backup-XXXXXX";
    folder = ::mkdtemp(name);
    cell = folder + "/cell", file = folder + "/backup", place = folder + "/restored";
    EXPECT_TRUE(create_cell(cell, "main", "root").ok());
    EXPECT_TRUE(common_folder(cell, "main").ok());
    EXPECT_TRUE(write_file(cell + "/root/main/common/sge_request", "-w e\n", 0644).ok());
    EXPECT_TRUE(write_file(cell + "/root/main/common/accounting", "old\n", 0644).ok());
    journal = std::move(*RocksJournal::open(cell + "/store"));
  }
  ~GivenACellToKeep() override {
    journal.reset();
    std::filesystem::remove_all(folder);
  }

  /// In a batch of its own, as the store of a master at work has them.
  void put(store::Family family, const std::string& key, const std::string& value) {
    EXPECT_EQ(journal->commit({{family, key, value}}, journal->term()), Commit::durable);
  }
  void put_script(const std::string& text) { put(store::Family::scripts, sha256(text), text); }

  Result<BackupSize> back_up(BackupKeys keys = BackupKeys::without) {
    const int into = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    auto done = write_backup(cell, keys, into);
    ::close(into);
    return done;
  }
  Result<RestoredCell> restore() {
    const int from = ::open(file.c_str(), O_RDONLY);
    auto done = read_backup(place, from);
    ::close(from);
    return done;
  }
  static StoreCheck check_of(const std::string& directory) {
    return check_store(**RocksJournal::open_to_read(directory + "/store"));
  }
  static std::string content(const std::string& path) {
    const auto read = read_file(path);
    return read ? *read : "";
  }
  bool is_refused(const std::string& why) {
    const auto refused = restore();
    EXPECT_FALSE(refused.ok()) << why;
    if (!refused) {
      EXPECT_NE(refused.what().find(why), std::string::npos) << refused.what();
    }
    EXPECT_TRUE(std::filesystem::is_empty(place));
    return !refused.ok();
  }

  std::string folder, cell, file, place;
  std::unique_ptr<RocksJournal> journal;
};

} // namespace

TEST_F(GivenACellToKeep, WhenItsMasterRunsThenABackupHasAllThatWasAcknowledged) {
  for (int i = 0; i < 1'000; ++i) put_script("echo " + std::to_string(i));
  ASSERT_TRUE(back_up().ok());
  put_script("echo later");
  const auto restored = restore();
  ASSERT_TRUE(restored.ok()) << restored.what();
  EXPECT_EQ(check_of(place).faults, std::vector<std::string>());
  const auto stored = *RocksJournal::open_to_read(place + "/store");
  EXPECT_TRUE(stored->get(store::Family::scripts, sha256("echo 999")));
  EXPECT_FALSE(stored->get(store::Family::scripts, sha256("echo later")));
  EXPECT_EQ(content(place + "/root/main/common/sge_request"), "-w e\n");
  EXPECT_FALSE(std::filesystem::exists(place + "/root/main/common/accounting"));
  EXPECT_FALSE(std::filesystem::exists(place + "/almanac-backup"));
}

TEST_F(GivenACellToKeep, WhenKeysAreLeftOutThenTheRestoredCellHasOthers) {
  ASSERT_TRUE(back_up().ok());
  EXPECT_EQ(content(file).find(content(cell + "/ca/ca.key")), std::string::npos);
  EXPECT_EQ(content(file).find(content(cell + "/ca/sign.key")), std::string::npos);
  const auto restored = restore();
  ASSERT_TRUE(restored.ok()) << restored.what();
  EXPECT_TRUE(restored->has_new_keys);
  EXPECT_NE(content(place + "/ca/sign.key"), content(cell + "/ca/sign.key"));
  EXPECT_TRUE(read_master_identity(place, *read_master_settings(place + "/settings.toml")).ok());
}

TEST_F(GivenACellToKeep, WhenKeysAreWantedThenTheyAreThereAndForNobodyElse) {
  ASSERT_TRUE(back_up(BackupKeys::with).ok());
  const auto restored = restore();
  ASSERT_TRUE(restored.ok()) << restored.what();
  EXPECT_FALSE(restored->has_new_keys);
  for (const char* name : {"/ca/sign.key", "/ca/ca.key", "/ca/master.key"}) {
    EXPECT_EQ(content(place + name), content(cell + name)) << name;
    struct stat facts {};
    ASSERT_EQ(::stat((place + name).c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0600u) << name;
  }
}

TEST_F(GivenACellToKeep, WhenItIsRestoredThenNumbersGoOnBehindAGap) {
  ASSERT_TRUE(back_up().ok());
  ASSERT_TRUE(restore().ok());
  ASSERT_TRUE(open_gap(place, 500).ok());
  const auto counters =
      store::read_records(scan_of(**RocksJournal::open_to_read(place + "/store")))->counters;
  EXPECT_EQ(counters.last_key, 500);
  EXPECT_EQ(counters.lost_from, 1);
  EXPECT_EQ(counters.lost_to, 500);
  EXPECT_EQ(counters.last_job_number, 500);
  EXPECT_EQ(counters.last_reservation_number, 500);
  EXPECT_EQ(check_of(place).faults, std::vector<std::string>());
}

TEST_F(GivenACellToKeep, WhenTheFileIsNoWholeBackupThenNothingIsLeftOfIt) {
  ASSERT_TRUE(back_up().ok());
  const auto whole = content(file);
  ASSERT_TRUE(write_file(file, whole.substr(0, whole.size() - 2'000), 0600).ok());
  EXPECT_TRUE(is_refused("it ends"));
  ASSERT_TRUE(write_file(file, "hello", 0600).ok());
  EXPECT_TRUE(is_refused("it is not whole"));
  ASSERT_TRUE(write_file(file, std::string(10'000, 'x'), 0600).ok());
  EXPECT_TRUE(is_refused("no tar archive"));
  ASSERT_TRUE(write_file(file, std::string(1'024, '\0'), 0600).ok());
  EXPECT_TRUE(is_refused("nothing in it"));
  auto foreign = whole; // its sum does not fit any more
  foreign.replace(0, 7, "../oops");
  ASSERT_TRUE(write_file(file, foreign, 0600).ok());
  EXPECT_TRUE(is_refused("no tar archive"));
}

TEST_F(GivenACellToKeep, WhenThePlaceIsNotEmptyThenItIsNotTouched) {
  ASSERT_TRUE(back_up().ok());
  std::filesystem::create_directory(place);
  ASSERT_TRUE(write_file(place + "/mine", "mine", 0600).ok());
  EXPECT_FALSE(restore().ok());
  EXPECT_EQ(content(place + "/mine"), "mine");
}

// ---- check --------------------------------------------------------------------------------------

TEST_F(GivenACellToKeep, WhenItsStoreIsSoundThenTheCheckFindsNothing) {
  const auto found = check_of(cell);
  EXPECT_EQ(found.faults, std::vector<std::string>());
  EXPECT_GT(found.records, 0u);
}

TEST_F(GivenACellToKeep, WhenRecordsAreWrongThenEachIsNamed) {
  put(store::Family::scripts, sha256("one"), "another");
  put(store::Family::jobs, store::number_key(7), "no record");
  put(store::Family::accounting_of_job, store::accounting_key({1}, 3), "");
  AccountingRecord record;
  record.sequence = 4;
  put(store::Family::accounting, store::number_key(5), encode(record));
  const auto found = check_of(cell);
  const auto names = [&](const std::string& what) {
    return std::any_of(found.faults.begin(), found.faults.end(),
                       [&](auto& fault) { return fault.find(what) != std::string::npos; });
  };
  EXPECT_TRUE(names("it is not what its hash says"));
  EXPECT_TRUE(names("jobs 7"));
  EXPECT_TRUE(names("the accounting record is missing"));
  EXPECT_TRUE(names("accounting 5: it lies under the key of another"));
  EXPECT_TRUE(names("beyond the last one that was given"));
}

TEST_F(GivenACellToKeep, WhenItIsCheckedThenNothingIsWritten) {
  journal.reset();
  const auto before = [&] {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(cell + "/store"))
      if (const auto one = entry.path().filename().string();
          !one.starts_with("LOG")) // the engine's
        files[one] = content(entry.path().string());
    return files;
  };
  const auto files = before();
  check_of(cell);
  EXPECT_EQ(before(), files);
}
