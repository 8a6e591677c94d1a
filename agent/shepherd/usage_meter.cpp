#include "agent/shepherd/usage_meter.hpp"

#include "agent/shepherd/processes.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace almanac {

/// Of proc(5); a process that is gone has none.
struct UsageMeter::Facts {
  bool is_there = false;
  std::int64_t born = 0;
  std::int64_t cpu_ticks = 0, with_children_ticks = 0, wait_ticks = 0;
  std::int64_t vmem_bytes = 0, rss_bytes = 0;
};

namespace {

const std::int64_t ticks_in_second = ::sysconf(_SC_CLK_TCK);
const std::int64_t page_size = ::sysconf(_SC_PAGESIZE);

std::string start_of(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[2048];
  const auto size = ::read(file, text, sizeof text);
  ::close(file);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(0, size))};
}

std::string file_of(pid_t pid, const char* name) {
  return start_of("/proc/" + std::to_string(pid) + "/" + name);
}

// The line is there, whichever controllers are.
std::int64_t microseconds_of_group(const std::string& cgroup) {
  constexpr std::string_view name = "usage_usec ";
  const auto text = cgroup.empty() ? std::string() : start_of(cgroup + "/cpu.stat");
  return text.starts_with(name) ? std::atoll(text.c_str() + name.size()) : 0;
}

// Bytes that it and its dead children have read and written, devices or not.
std::int64_t io_bytes_of(pid_t pid) {
  const auto text = file_of(pid, "io");
  std::int64_t sum = 0;
  for (const char* name : {"rchar: ", "wchar: "})
    if (const auto at = text.find(name); at != std::string::npos)
      sum = clamped(Wide(sum) + std::atoll(text.c_str() + at + std::strlen(name)));
  return sum;
}

std::int64_t microseconds(std::int64_t ticks) { return ticks * 1'000'000 / ticks_in_second; }

// Of all children of this process that were waited for, with theirs.
std::int64_t microseconds_of_ended() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  std::int64_t sum = 0;
  for (const auto& time : {usage.ru_utime, usage.ru_stime})
    sum += static_cast<std::int64_t>(time.tv_sec) * 1'000'000 + time.tv_usec;
  return sum;
}

// The fields of its stat behind the name, which may have anything in it: the first is the third.
std::array<std::int64_t, 40> fields_of(const std::string& text) {
  std::array<std::int64_t, 40> fields{};
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 4 > text.size()) return fields;
  const char* at = text.c_str() + name_end + 4; // behind the letter of its state
  for (std::size_t i = 1; i < fields.size() && *at != '\0'; ++i) {
    char* end = nullptr;
    // The limit of resident memory is there without its sign.
    fields[i] = static_cast<std::int64_t>(std::strtoull(at, &end, 10));
    if (end == at) break;
    at = end;
  }
  return fields;
}

template <class Facts> Facts facts_of(pid_t pid) {
  Facts facts;
  const auto text = file_of(pid, "stat");
  if (text.empty()) return facts;
  const auto fields = fields_of(text);
  const auto field = [&](std::size_t number) { return fields[number - 3]; }; // as proc(5) counts
  facts.is_there = true, facts.born = field(22);
  facts.cpu_ticks = field(14) + field(15);
  facts.with_children_ticks = facts.cpu_ticks + field(16) + field(17);
  facts.vmem_bytes = field(23), facts.rss_bytes = field(24) * page_size;
  facts.wait_ticks = field(42);
  return facts;
}

} // namespace

const TaskUsage& UsageMeter::measure(const std::string& cgroup) {
  TaskUsage now;
  std::int64_t io = io_of_ended_;
  auto before = std::move(seen_);
  seen_.clear();
  for (const auto pid : descendants(::getpid())) {
    const auto facts = facts_of<Facts>(pid);
    if (!facts.is_there) continue;
    if (const auto known = before.find(pid); known != before.end())
      seen_.insert(before.extract(known));
    take(pid, facts);
    now.cpu_microseconds += microseconds(facts.with_children_ticks);
    now.vmem_bytes = clamped(Wide(now.vmem_bytes) + facts.vmem_bytes);
    now.rss_bytes = clamped(Wide(now.rss_bytes) + facts.rss_bytes);
    io = clamped(Wide(io) + io_bytes_of(pid));
  }
  // Nobody waits for our own children meanwhile. Whoever was waited for by a parent that was looked
  // at before is missed until the next time.
  now.cpu_microseconds += microseconds_of_ended();
  usage_.cpu_microseconds =
      std::max({usage_.cpu_microseconds, now.cpu_microseconds, microseconds_of_group(cgroup)});
  usage_.io_bytes = std::max(usage_.io_bytes, io);
  usage_.vmem_bytes = now.vmem_bytes, usage_.rss_bytes = now.rss_bytes;
  usage_.maxvmem_bytes = std::max(usage_.maxvmem_bytes, now.vmem_bytes);
  return usage_;
}

// What it has used since it was seen the last time.
void UsageMeter::take(pid_t pid, const Facts& facts) {
  auto& seen = seen_[pid];
  if (seen.born != facts.born) seen = {facts.born, 0, 0, 0};
  const auto vmem = facts.vmem_bytes > 0 ? facts.vmem_bytes : seen.vmem_bytes; // one that has ended
  const auto ran = std::max<std::int64_t>(0, facts.cpu_ticks - seen.cpu_ticks);
  const auto waited = std::max<std::int64_t>(0, facts.wait_ticks - seen.wait_ticks);
  memory_ = clamped(Wide(memory_) + Wide(vmem / 1024) * ran);
  usage_.memory_kib_seconds = memory_ / ticks_in_second;
  usage_.io_wait_microseconds += microseconds(waited);
  seen = {facts.born, facts.cpu_ticks, facts.wait_ticks, vmem};
}

void UsageMeter::take_end(pid_t child) {
  if (const auto facts = facts_of<Facts>(child); facts.is_there) take(child, facts);
  io_of_ended_ = clamped(Wide(io_of_ended_) + io_bytes_of(child));
  usage_.io_bytes = std::max(usage_.io_bytes, io_of_ended_);
  seen_.erase(child);
}

} // namespace almanac
