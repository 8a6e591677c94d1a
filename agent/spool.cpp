#include "agent/spool.hpp"

#include "actors/process/daemon.hpp"
#include "actors/trust/keyring.hpp"
#include "agent/processes.hpp"
#include "core/base/fingerprint.hpp"
#include "core/execution/environment.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "schema/codec.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t seal_size = 17;

// A folder that goes gets another name first: half of one, with its order and without what became
// of it, would be a task that never began.
constexpr const char* removed = "removed-";

// Tells a whole content from one that a power cut left.
std::string seal(const std::string& content) {
  char text[seal_size + 1];
  std::snprintf(text, sizeof text, "%016llx\n",
                static_cast<unsigned long long>(fingerprint(Bytes{content})));
  return text;
}

Outcome keep_to_oneself(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode) ||
      facts.st_uid != ::geteuid() || ::chmod(path.c_str(), 0700) != 0)
    return Error{"the spool " + path + " is not a folder of the agent's own"};
  return Done{};
}

} // namespace

Result<Spool> Spool::open(const std::string& path, const std::string& id) {
  if (auto kept = keep_to_oneself(path); !kept) return kept.error();
  Spool spool;
  spool.path_ = path, spool.id_ = id;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error))
    if (entry.path().filename().string().starts_with(removed)) fs::remove_all(entry.path(), error);
  return spool;
}

std::string Spool::name(const Attempt& attempt) {
  return std::to_string(attempt.job) + "." + std::to_string(attempt.task) + "." +
         std::to_string(attempt.attempt);
}

std::string Spool::folder(const Attempt& attempt) const { return path_ + "/" + name(attempt); }

std::vector<Attempt> Spool::attempts() const {
  std::vector<Attempt> result;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const auto parts = split(entry.path().filename().string(), '.');
    if (parts.size() != 3) continue;
    const auto job = parse_number(parts[0]), task = parse_number(parts[1]),
               attempt = parse_number(parts[2]);
    if (job && task && attempt) result.push_back({*job, *task, *attempt});
  }
  return result;
}

Outcome Spool::keep(const session::Launch& order) const {
  ::mkdir(folder(order.attempt).c_str(), 0700);
  const auto content = encode(order);
  return write_file_in_place(folder(order.attempt) + "/order", seal(content) + content, 0600);
}

std::optional<session::Launch> Spool::order(const Attempt& attempt) const {
  auto content = read_file(folder(attempt) + "/order");
  if (!content || content->size() < seal_size) return std::nullopt;
  const auto seal_there = content->substr(0, seal_size);
  content->erase(0, seal_size);
  if (seal_there != seal(*content)) return std::nullopt;
  auto order = decode<session::Launch>(*content);
  if (!order || order->attempt != attempt || order->job.tasks.size() != 1 || order->parts.empty())
    return std::nullopt;
  return *order;
}

TaskProgress Spool::progress(const Attempt& attempt) const {
  auto content = read_file(progress_file(folder(attempt)));
  return content ? parse_task_progress(*content) : TaskProgress();
}

Outcome Spool::note_end(const Attempt& attempt, bool began, const ExitRecord& record) const {
  return write_file(progress_file(folder(attempt)),
                    (began ? starting_line + started_line : "") + print_end(record), 0600);
}

bool Spool::is_of_an_earlier_boot() const {
  const auto kept = read_file(path_ + "/boot");
  return !kept || trim(*kept) != boot_id();
}

Outcome Spool::take_boot() const { return write_file(path_ + "/boot", boot_id() + "\n", 0600); }

Outcome Spool::stamp_lease(std::int64_t asked_ms) const {
  const auto lease = path_ + "/lease", beside = lease + ".new";
  if (auto written = write_file_unsynced(beside, std::to_string(asked_ms) + "\n", 0600); !written)
    return written;
  if (::rename(beside.c_str(), lease.c_str()) != 0) return Error{"can't write " + lease};
  return Done{};
}

void Spool::remove(const Attempt& attempt) const {
  const auto away = path_ + "/" + removed + name(attempt);
  if (::rename(folder(attempt).c_str(), away.c_str()) != 0) return;
  std::error_code error;
  fs::remove_all(away, error);
}

} // namespace almanac
