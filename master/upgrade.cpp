#include "master/upgrade.hpp"

#include "actors/support.hpp"
#include "core/text/values.hpp"
#include "schema/store/upgrade.hpp"

#include <chrono>
#include <filesystem>
#include <spdlog/spdlog.h>
#include <string>
#include <vector>

namespace almanac {

namespace {

constexpr std::uint64_t spare = 64u << 20; // that is left for everything else
constexpr std::size_t bytes_in_a_batch = 1 << 20;
constexpr std::chrono::seconds between_reports{2};

const std::string begun_key = "upgrading"; // of the family meta: there is a copy, which is complete

// What is replaced stays on the disk until the engine cleans up.
Outcome check_space(const RocksJournal& journal) {
  const auto needed = 2 * journal.bytes_of(store::Family::jobs) + spare;
  std::error_code error;
  const auto there = std::filesystem::space(journal.path(), error);
  if (error || there.available >= needed) return Done{};
  const auto in_mb = [](std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; };
  return Error{"the store " + journal.path() + " has format " + std::to_string(journal.format()) +
               "; to bring it to format " + std::to_string(store::format) + " takes " +
               in_mb(needed) + " of free space, there are " + in_mb(there.available) +
               (journal.get(store::Family::meta, begun_key)
                    ? ". The upgrade goes on with the next start"
                    : ". Nothing was changed")};
}

// It gets its name once the store knows that it is complete: what has the name without that is
// somebody else's.
Outcome keep_copy(RocksJournal& journal) {
  namespace fs = std::filesystem;
  const auto path = journal.path() + ".format" + std::to_string(journal.format());
  const auto unfinished = path + ".unfinished";
  std::error_code error;
  if (!journal.get(store::Family::meta, begun_key)) {
    if (fs::exists(path))
      return Error{"the store " + journal.path() + " is to be brought to format " +
                   std::to_string(store::format) + " and " + path +
                   " is there already: move it away. Nothing was changed"};
    fs::remove_all(unfinished, error);
    if (auto copied = journal.copy_to(unfinished); !copied) return copied;
    crash_point("upgrade-copied");
    if (journal.commit({{store::Family::meta, begun_key, std::to_string(store::format)}},
                       journal.term()) != Commit::durable)
      return Error{"can't write the store " + journal.path()};
    crash_point("upgrade-marked");
  }
  if (!fs::exists(unfinished)) return Done{};
  fs::rename(unfinished, path, error);
  if (error) return Error{"can't rename " + unfinished + ": " + error.message()};
  return Done{};
}

// Jobs leave the format in batches; each has whole jobs.
class JobUpgrade {
public:
  explicit JobUpgrade(RocksJournal& journal) : journal_(journal) {}

  Outcome run() {
    spdlog::info("bringing the store from format 1 to format 2; the copy {}.format1 stays until "
                 "you remove it",
                 journal_.path());
    Outcome outcome = Done{};
    journal_.scan_from(store::Family::jobs, "", [&](std::string_view key, std::string_view value) {
      take(key, value);
      if (bytes_ >= bytes_in_a_batch) outcome = flush();
      return outcome.ok();
    });
    if (outcome) outcome = flush();
    if (outcome) spdlog::info("the store has format 2: {} jobs, {} tasks", jobs_, tasks_);
    return outcome;
  }

private:
  void take(std::string_view key, std::string_view value) {
    auto writes = store::job_in_format_2(key, value);
    if (writes.empty()) return;
    ++jobs_, tasks_ += writes.size() - 1;
    for (auto& write : writes) {
      bytes_ += write.value->size();
      batch_.push_back(std::move(write));
    }
  }

  Outcome flush() {
    auto written = journal_.write(batch_);
    batch_.clear(), bytes_ = 0;
    crash_point("upgrade");
    if (const auto now = std::chrono::steady_clock::now(); now >= next_report_) {
      spdlog::info("bringing the store to format 2: {} jobs and {} tasks so far", jobs_, tasks_);
      next_report_ = now + between_reports;
    }
    return written;
  }

  RocksJournal& journal_;
  std::vector<store::Write> batch_;
  std::size_t bytes_ = 0, jobs_ = 0, tasks_ = 0;
  std::chrono::steady_clock::time_point next_report_ =
      std::chrono::steady_clock::now() + between_reports;
};

} // namespace

Outcome prepare_upgrade(RocksJournal& journal) {
  if (journal.format() == store::format) return Done{};
  if (auto there = check_space(journal); !there) return there;
  return keep_copy(journal);
}

Outcome upgrade(RocksJournal& journal) {
  if (journal.format() == store::format) return Done{};
  if (auto done = JobUpgrade(journal).run(); !done) return done;
  return journal.set_format({{store::Family::meta, begun_key, std::nullopt}});
}

} // namespace almanac
