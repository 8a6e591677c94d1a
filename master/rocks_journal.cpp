#include "master/rocks_journal.hpp"

#include "actors/trust/keyring.hpp"
#include "core/text/values.hpp"
#include "master/log_tail.hpp"
#include "master/upgrade.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <rocksdb/db.h>
#include <rocksdb/table.h>
#include <rocksdb/cache.h>
#include <rocksdb/utilities/checkpoint.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <thread>

namespace almanac {

namespace {

const std::string format_key = "format", term_key = "term", store_id_key = "store_id";

// A reader gives a master that drops files these two seconds.
constexpr int tries_to_read = 21;
constexpr std::chrono::milliseconds between_tries{100};

constexpr std::int64_t highest_term = std::int64_t{1} << 62;

// Since 1970.
std::int64_t milliseconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

rocksdb::Options engine_options() {
  rocksdb::Options options;
  options.write_buffer_size = 16 << 20;
  options.max_total_wal_size = 64 << 20;
  options.max_open_files = 256;
  options.max_background_jobs = 2;
  options.compression = rocksdb::kLZ4Compression;
  // What lies damaged before the end of the log was acknowledged: it is not left out in silence.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.track_and_verify_wals_in_manifest = true;
  options.keep_log_file_num = 2;
  options.max_log_file_size = 1 << 20;
  options.create_missing_column_families = true;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(16 << 20);
  table.cache_index_and_filter_blocks = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> families(const rocksdb::Options& options) {
  std::vector<rocksdb::ColumnFamilyDescriptor> result{{rocksdb::kDefaultColumnFamilyName, options}};
  for (const char* name : store::family_names) result.emplace_back(name, options);
  return result;
}

// Those of an earlier version lack some of ours, those of a newer one have more: the engine opens
// all or nothing.
std::vector<rocksdb::ColumnFamilyDescriptor> present_families(const rocksdb::Options& options,
                                                              const std::string& path) {
  std::vector<std::string> present;
  if (!rocksdb::DB::ListColumnFamilies(options, path, &present).ok()) return families(options);
  std::vector<rocksdb::ColumnFamilyDescriptor> result;
  for (const auto& name : present) result.emplace_back(name, options);
  return result;
}

// The engine always keeps this file.
bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path + "/CURRENT", error);
}

// What the manifest named when it was read: the master that has the store open drops files that it
// needs no longer. The engine calls that damage, too.
bool lacks_a_file(const rocksdb::Status& status) {
  const auto text = status.ToString();
  return status.IsPathNotFound() || text.find("No such file") != std::string::npos ||
         text.find("Missing WAL") != std::string::npos;
}

Error unreadable(const char* what, const std::string& path, const rocksdb::Status& status) {
  return {std::string("can't ") + what + " the store " + path + ": " + status.ToString() +
          (status.IsCorruption()
               ? "; nothing was changed. What was acknowledged may be damaged: bring "
                 "the folder back from a copy, or see almanac-admin recover --help"
               : "")};
}

} // namespace

struct RocksJournal::Store {
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  bool writable = true;

  ~Store() {
    for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
  }
  /// nullptr for one that the store does not have yet.
  rocksdb::ColumnFamilyHandle* family(store::Family family) const {
    return by_family_.at(static_cast<std::size_t>(family));
  }
  /// Once the handles are there. An error names a family that this version does not know.
  Outcome sort_handles() {
    for (auto* handle : handles) {
      const auto& name = handle->GetName();
      const auto known = std::find(store::family_names.begin(), store::family_names.end(), name);
      if (known != store::family_names.end())
        by_family_.at(static_cast<std::size_t>(known - store::family_names.begin())) = handle;
      else if (name != rocksdb::kDefaultColumnFamilyName)
        return Error{"has records of a newer version (" + name +
                     "): use that version, or a copy from before it"};
    }
    return Done{};
  }
  rocksdb::Status open_to_read(const rocksdb::Options& options, const std::string& path) {
    rocksdb::DB* opened = nullptr;
    const auto status = rocksdb::DB::OpenForReadOnly(options, path, present_families(options, path),
                                                     &handles, &opened);
    db.reset(opened);
    writable = false;
    return status;
  }
  rocksdb::Status make_missing_families(const rocksdb::Options& options) {
    for (std::size_t place = 0; place < by_family_.size(); ++place) {
      if (by_family_.at(place)) continue;
      rocksdb::ColumnFamilyHandle* made = nullptr;
      const auto status = db->CreateColumnFamily(options, store::family_names.at(place), &made);
      if (!status.ok()) return status;
      handles.push_back(made), by_family_.at(place) = made;
    }
    return rocksdb::Status::OK();
  }

  // As of a snapshot; nullptr: now.
  static rocksdb::ReadOptions as_of(const rocksdb::Snapshot* snapshot) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    return options;
  }
  std::optional<std::string> get(store::Family of, const std::string& key,
                                 const rocksdb::Snapshot* snapshot) const {
    std::string value;
    auto* handle = family(of);
    if (!handle) return std::nullopt;
    const auto status = db->Get(as_of(snapshot), handle, key, &value);
    return status.ok() ? std::optional(std::move(value)) : std::nullopt;
  }
  void scan_from(store::Family of, const std::string& from, const Archive::Visit& visit,
                 const rocksdb::Snapshot* snapshot) const {
    auto* handle = family(of);
    if (!handle) return;
    const std::unique_ptr<rocksdb::Iterator> it(db->NewIterator(as_of(snapshot), handle));
    for (it->Seek(from); it->Valid(); it->Next())
      if (!visit({it->key().data(), it->key().size()}, {it->value().data(), it->value().size()}))
        break;
    check(it->status().ok(), "the store can be read");
  }
  std::optional<std::string> last(store::Family of, const rocksdb::Snapshot* snapshot) const {
    auto* handle = family(of);
    if (!handle) return std::nullopt;
    const std::unique_ptr<rocksdb::Iterator> it(db->NewIterator(as_of(snapshot), handle));
    it->SeekToLast();
    check(it->status().ok(), "the store can be read");
    return it->Valid() ? std::optional(it->value().ToString()) : std::nullopt;
  }

private:
  std::array<rocksdb::ColumnFamilyHandle*, store::number_of_families> by_family_{};
};

RocksJournal::RocksJournal(std::unique_ptr<Store> store) : store_(std::move(store)) {}
RocksJournal::~RocksJournal() = default;

Outcome RocksJournal::create(const std::string& path, const std::vector<store::Write>& first) {
  auto options = engine_options();
  options.create_if_missing = true;
  options.error_if_exists = true;
  auto store = std::make_unique<Store>();
  rocksdb::DB* db = nullptr;
  const auto status = rocksdb::DB::Open(options, path, families(options), &store->handles, &db);
  store->db.reset(db);
  if (!status.ok()) return Error{"can't make the store " + path + ": " + status.ToString()};
  if (auto sorted = store->sort_handles(); !sorted) return sorted;
  RocksJournal journal(std::move(store));
  auto writes = first;
  writes.push_back({store::Family::meta, format_key, std::to_string(store::format)});
  writes.push_back({store::Family::meta, term_key, "0"});
  writes.push_back({store::Family::meta, store_id_key, to_hex(random_bytes(16))});
  if (journal.commit(writes, Term{}) != Commit::durable)
    return Error{"can't write the store " + path};
  return Done{};
}

Result<std::unique_ptr<RocksJournal>> RocksJournal::open(const std::string& path) {
  const auto options = engine_options();
  const auto tail = log_tail(path);
  auto store = std::make_unique<Store>();
  rocksdb::DB* db = nullptr;
  auto status =
      rocksdb::DB::Open(options, path, present_families(options, path), &store->handles, &db);
  store->db.reset(db);
  if (!status.ok()) return unreadable("open", path, status);
  if (auto sorted = store->sort_handles(); !sorted)
    return Error{"the store " + path + " " + sorted.what()};
  if (tail.unfinished > 0)
    spdlog::warn("the log {} ends within a record: its last {} bytes were dropped. After a crash "
                 "that is a write which nobody was told of; if the file was cut, acknowledged work "
                 "may be missing",
                 tail.file, tail.unfinished);
  std::unique_ptr<RocksJournal> journal(new RocksJournal(std::move(store)));
  journal->path_ = path;
  if (auto read = journal->read_meta(); !read) return read.error();
  if (auto prepared = prepare_upgrade(*journal); !prepared) return prepared.error();
  status = journal->store_->make_missing_families(options);
  if (!status.ok()) return unreadable("write", path, status);
  const Term next{std::max(journal->term_.value + 1, milliseconds_now())};
  if (journal->commit({{store::Family::meta, term_key, to_string(next)}}, journal->term_) !=
      Commit::durable)
    return Error{"can't write the store " + path};
  journal->term_ = next;
  if (auto upgraded = upgrade(*journal); !upgraded) return upgraded.error();
  journal->ballast_ = std::make_unique<Ballast>(path + ".ballast");
  return journal;
}

Result<std::unique_ptr<RocksJournal>> RocksJournal::open_to_read(const std::string& path) {
  const auto options = engine_options();
  auto store = std::make_unique<Store>();
  auto status = store->open_to_read(options, path);
  for (int left = tries_to_read - 1; left > 0 && lacks_a_file(status) && is_there(path); --left) {
    std::this_thread::sleep_for(between_tries);
    store = std::make_unique<Store>();
    status = store->open_to_read(options, path);
  }
  if (!status.ok()) return unreadable("read", path, status);
  if (auto sorted = store->sort_handles(); !sorted)
    return Error{"the store " + path + " " + sorted.what()};
  std::unique_ptr<RocksJournal> journal(new RocksJournal(std::move(store)));
  journal->path_ = path;
  if (auto read = journal->read_meta(); !read) return read.error();
  if (journal->format_ < store::format)
    return Error{"the store " + path + " has format " + std::to_string(journal->format_) +
                 ": the master of this version brings it to format " +
                 std::to_string(store::format) + " when it is started"};
  return journal;
}

Outcome RocksJournal::recover(const std::string& path) {
  namespace fs = std::filesystem;
  const auto kept = path + ".damaged";
  std::error_code error;
  if (::mkdir(kept.c_str(), 0700) != 0) // with scripts and environments in it
    return Error{"can't make " + kept + ": " +
                 (errno == EEXIST ? "it is there already" : std::strerror(errno))};
  for (const auto& entry : fs::directory_iterator(path, error))
    if (!error && entry.path().extension() == ".log")
      fs::copy_file(entry.path(), kept / entry.path().filename(), error);
  if (error) return Error{"can't keep the logs in " + kept + ": " + error.message()};
  auto options = engine_options();
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  Store store;
  rocksdb::DB* db = nullptr;
  const auto status =
      rocksdb::DB::Open(options, path, present_families(options, path), &store.handles, &db);
  store.db.reset(db);
  return status.ok() ? Outcome(Done{}) : Outcome(unreadable("recover", path, status));
}

Outcome RocksJournal::read_meta() {
  const auto format = parse_number(get(store::Family::meta, format_key).value_or(""));
  if (!format)
    return Error{"the store " + path_ +
                 " has no format number: it was not made by almanac-admin init"};
  if (*format > store::format)
    return Error{"the store " + path_ + " has format " + std::to_string(*format) +
                 ", this version knows " + std::to_string(store::format) +
                 " at most: use the newer version that wrote it"};
  format_ = *format;
  const auto term = parse_number(get(store::Family::meta, term_key).value_or(""));
  if (!term || *term > highest_term) return Error{"the store " + path_ + " has no term"};
  term_ = {*term};
  store_id_ = get(store::Family::meta, store_id_key).value_or("");
  return Done{};
}

Commit RocksJournal::commit(const std::vector<store::Write>& batch, Term term) {
  if (!store_->writable) return Commit::failed;
  // The engine locks its folder, so a second master of this machine never gets here; another engine
  // may be shared.
  if (term < term_) return Commit::fenced;
  return put(batch, true) ? Commit::durable : Commit::failed;
}

bool RocksJournal::put(const std::vector<store::Write>& batch, bool durably) {
  constexpr std::size_t beside = 32; // a record's head, at most
  std::size_t bytes = 0;
  for (const auto& write : batch)
    bytes += write.key.size() + (write.value ? write.value->size() : 0) + beside;
  rocksdb::WriteBatch writes(bytes); // one that grew would be copied again and again
  for (const auto& write : batch) {
    auto* family = store_->family(write.family);
    const auto status = write.value ? writes.Put(family, write.key, *write.value)
                                    : writes.Delete(family, write.key);
    if (!status.ok()) return false;
  }
  rocksdb::WriteOptions options;
  options.sync = durably;
  const auto status = store_->db->Write(options, &writes);
  if (!status.ok()) spdlog::critical("the store can't be written: {}", status.ToString());
  return status.ok();
}

Outcome RocksJournal::write(const std::vector<store::Write>& batch) {
  return put(batch, false) ? Outcome(Done{}) : Outcome(Error{"can't write the store " + path_});
}

Outcome RocksJournal::set_format(std::vector<store::Write> with) {
  with.push_back({store::Family::meta, format_key, std::to_string(store::format)});
  if (!put(with, true)) return Error{"can't write the store " + path_};
  format_ = store::format;
  return Done{};
}

Outcome RocksJournal::copy_to(const std::string& path) const {
  rocksdb::Checkpoint* made = nullptr;
  auto status = rocksdb::Checkpoint::Create(store_->db.get(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  const auto before = ::umask(077); // with scripts and environments in it
  if (status.ok()) status = checkpoint->CreateCheckpoint(path);
  ::umask(before);
  if (status.ok()) return Done{};
  return Error{"can't copy the store " + path_ + " to " + path + ": " + status.ToString()};
}

Outcome RocksJournal::verify() const {
  const auto status = store_->db->VerifyChecksum();
  return status.ok() ? Outcome(Done{}) : Outcome(Error{status.ToString()});
}

std::uint64_t RocksJournal::bytes_of(store::Family family) const {
  std::uint64_t files = 0, memory = 0;
  store_->db->GetIntProperty(store_->family(family), "rocksdb.total-sst-files-size", &files);
  store_->db->GetIntProperty(store_->family(family), "rocksdb.cur-size-all-mem-tables", &memory);
  return files + memory;
}

std::optional<std::string> RocksJournal::get(store::Family family, const std::string& key) const {
  return store_->get(family, key, nullptr);
}
void RocksJournal::scan_from(store::Family family, const std::string& from,
                             const Visit& visit) const {
  store_->scan_from(family, from, visit, nullptr);
}
std::optional<std::string> RocksJournal::last(store::Family family) const {
  return store_->last(family, nullptr);
}

class RocksJournal::Snapshot : public Archive {
public:
  explicit Snapshot(const Store& store) : store_(store), taken_(store.db->GetSnapshot()) {}
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  ~Snapshot() override { store_.db->ReleaseSnapshot(taken_); }

  std::optional<std::string> get(store::Family family, const std::string& key) const override {
    return store_.get(family, key, taken_);
  }
  void scan_from(store::Family family, const std::string& from, const Visit& visit) const override {
    store_.scan_from(family, from, visit, taken_);
  }
  std::optional<std::string> last(store::Family family) const override {
    return store_.last(family, taken_);
  }
  std::shared_ptr<const Archive> snapshot() const override {
    return std::make_shared<Snapshot>(store_);
  }

private:
  const Store& store_;
  const rocksdb::Snapshot* taken_;
};

std::shared_ptr<const Archive> RocksJournal::snapshot() const {
  return std::make_shared<Snapshot>(*store_);
}

bool RocksJournal::has_space() const { return !ballast_ || ballast_->is_held(); }

} // namespace almanac
