#include "agent/spool.hpp"

#include "actors/process/daemon.hpp"
#include "actors/trust/keyring.hpp"
#include "agent/shepherd/processes.hpp"
#include "agent/shepherd/progress_file.hpp"
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

constexpr const char* end_of = ".end";

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

std::optional<Attempt> attempt_of(const std::string& name) {
  const auto parts = split(name, '.');
  if (parts.size() != 3) return std::nullopt;
  const auto job = parse_number(parts[0]), task = parse_number(parts[1]),
             attempt = parse_number(parts[2]);
  if (!job || !task || !attempt) return std::nullopt;
  return Attempt{*job, *task, *attempt};
}

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error))
    names.push_back(entry.path().filename().string());
  return names;
}

// An earlier version made a folder for each attempt, with two files in it.
void flatten(const std::string& path, const std::string& folder) {
  constexpr std::string_view away = "flat-"; // one that goes gets another name first
  const bool goes = folder.starts_with(away);
  const auto name = goes ? folder.substr(away.size()) : folder;
  const auto from = path + "/" + std::string(away) + name, file = path + "/" + name;
  std::error_code error;
  if (!goes) fs::rename(path + "/" + folder, from, error);
  if (attempt_of(name)) {
    fs::rename(from + "/progress", file + end_of, error);
    fs::rename(from + "/order", file, error);
  }
  fs::remove_all(from, error);
}

// What a start that was cut short has left, and what an earlier version has.
void tidy(const std::string& path) {
  std::error_code error;
  for (const auto& name : names_in(path))
    if (fs::is_directory(fs::symlink_status(path + "/" + name, error))) flatten(path, name);
  for (const auto& name : names_in(path)) {
    const auto order = name.substr(0, name.size() - std::min(name.size(), std::strlen(end_of)));
    if (name.ends_with(end_of) && !fs::exists(path + "/" + order, error))
      ::unlink((path + "/" + name).c_str());
  }
}

} // namespace

Result<Spool> Spool::open(const std::string& path, const std::string& id) {
  if (auto kept = keep_to_oneself(path); !kept) return kept.error();
  Spool spool;
  spool.path_ = path, spool.id_ = id;
  tidy(path);
  return spool;
}

std::string Spool::name(const Attempt& attempt) {
  return to_string(attempt.job) + "." + std::to_string(attempt.task) + "." +
         std::to_string(attempt.attempt);
}

std::string Spool::file(const Attempt& attempt) const { return path_ + "/" + name(attempt); }

std::vector<Attempt> Spool::attempts() const {
  std::vector<Attempt> result;
  for (const auto& name : names_in(path_))
    if (const auto attempt = attempt_of(name)) result.push_back(*attempt);
  return result;
}

Outcome Spool::keep(const session::Launch& order) const {
  const auto content = encode(order);
  return write_file_in_place(file(order.attempt), seal(content) + content, 0600);
}

std::optional<session::Launch> Spool::order(const Attempt& attempt) const {
  auto content = read_file(file(attempt));
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
  auto content = read_file(file(attempt) + end_of);
  return content ? parse_task_progress(*content) : TaskProgress();
}

Outcome Spool::note_end(const Attempt& attempt, bool began, const ExitRecord& record) const {
  return write_file(file(attempt) + end_of,
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

// The order goes first: one without what became of it would be a task that never began.
void Spool::remove(const Attempt& attempt) const {
  ::unlink(file(attempt).c_str());
  ::unlink((file(attempt) + end_of).c_str());
}

} // namespace almanac
