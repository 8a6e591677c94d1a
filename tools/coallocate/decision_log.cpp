#include "tools/coallocate/decision_log.hpp"

#include "actors/process/ownership.hpp"
#include "core/coallocation/site_answer.hpp"
#include "core/text/token_list.hpp"

#include <filesystem>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>
#include <sys/stat.h>
#include <utility>

namespace almanac {

namespace {

const std::string record_prefix = "record/", plan_prefix = "plan/";

rocksdb::Options engine_options() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 1 << 20;
  options.max_total_wal_size = 4 << 20;
  options.max_open_files = 64;
  options.keep_log_file_num = 2;
  options.max_log_file_size = 1 << 20;
  // As the master's: what lies damaged before the end of the log is not left out in silence.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  return options;
}

rocksdb::WriteOptions durably() {
  rocksdb::WriteOptions options;
  options.sync = true;
  return options;
}

Error problem(const std::string& what, const rocksdb::Status& status) {
  return {what + ": " + status.ToString()};
}

// Others must not read it, and a user must not be given a folder that somebody else has made.
Outcome make_private(const std::string& folder) {
  std::error_code error;
  const bool is_new = std::filesystem::create_directories(folder, error);
  if (is_new && !error)
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  if (error) return Error{"can't make " + folder + ": " + error.message()};
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode))
    return Error{folder + " is not a folder"};
  return check_ownership(folder, {{}, {""}});
}

std::string print_plan(const PlanSource& plan) {
  return print_token_list({{"FOLDER", plan.folder}, {"USER", plan.user}, {"TEXT", plan.text}});
}

Result<PlanSource> parse_plan(const std::string& text) {
  const auto tokens = parse_token_list(text);
  if (!tokens) return tokens.error();
  PlanSource plan;
  for (const auto& [name, member] :
       {std::pair{"FOLDER", &PlanSource::folder}, std::pair{"USER", &PlanSource::user},
        std::pair{"TEXT", &PlanSource::text}}) {
    const auto* const value = find_token(*tokens, name);
    if (!value) return Error{"a plan lacks " + std::string(name)};
    plan.*member = *value;
  }
  return plan;
}

} // namespace

DecisionLog::DecisionLog(std::unique_ptr<rocksdb::DB> store) : store_(std::move(store)) {}
DecisionLog::~DecisionLog() = default;

Result<std::unique_ptr<DecisionLog>> DecisionLog::open(const std::string& folder) {
  if (auto made = make_private(folder); !made) return made.error();
  rocksdb::DB* store = nullptr;
  const auto status = rocksdb::DB::Open(engine_options(), folder, &store);
  if (!status.ok())
    return problem(status.IsIOError() && status.ToString().find("lock") != std::string::npos
                       ? "another almanac-coallocate uses the log " + folder + " (--log DIR)"
                       : "can't open the log " + folder,
                   status);
  std::unique_ptr<DecisionLog> log(new DecisionLog(std::unique_ptr<rocksdb::DB>(store)));
  // What an earlier process has dropped just before it was killed.
  if (auto cleared = log->clear_files(); !cleared) return cleared.error();
  return log;
}

Result<std::vector<DecisionLog::Entry>> DecisionLog::entries() const {
  std::vector<Entry> result;
  const std::unique_ptr<rocksdb::Iterator> it(store_->NewIterator({}));
  for (it->Seek(record_prefix); it->Valid() && it->key().starts_with(record_prefix); it->Next()) {
    const auto id = it->key().ToString().substr(record_prefix.size());
    auto record = parse_coallocation(it->value().ToString());
    if (!record) return Error{"co-allocation " + id + ": " + record.what()};
    std::string text;
    const auto status = store_->Get({}, plan_prefix + id, &text);
    if (!status.ok()) return problem("the plan of co-allocation " + id, status);
    auto plan = parse_plan(text);
    if (!plan) return Error{"co-allocation " + id + ": " + plan.what()};
    result.push_back({*std::move(record), *std::move(plan)});
  }
  if (!it->status().ok()) return problem("the log can't be read", it->status());
  return result;
}

Outcome DecisionLog::put(const CoallocationRecord& record, const PlanSource& plan) {
  rocksdb::WriteBatch batch;
  batch.Put(record_prefix + record.id, print_coallocation(record));
  batch.Put(plan_prefix + record.id, print_plan(plan));
  const auto status = store_->Write(durably(), &batch);
  if (!status.ok()) return problem("the log can't be written", status);
  return Done{};
}

Outcome DecisionLog::drop(const std::string& id) {
  rocksdb::WriteBatch batch;
  batch.Delete(record_prefix + id);
  batch.Delete(plan_prefix + id);
  const auto status = store_->Write(durably(), &batch);
  if (!status.ok()) return problem("the log can't be written", status);
  return clear_files();
}

// The store only marks what is deleted: the keys would stay in its files until it has grown.
Outcome DecisionLog::clear_files() {
  auto status = store_->Flush({});
  rocksdb::CompactRangeOptions all;
  all.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  if (status.ok()) status = store_->CompactRange(all, nullptr, nullptr);
  if (!status.ok()) return problem("the log can't be cleared of what is over", status);
  return Done{};
}

} // namespace almanac
