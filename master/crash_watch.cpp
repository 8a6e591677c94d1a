#include "master/crash_watch.hpp"

#include "actors/process/daemon.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr Duration crash_window{300};
constexpr int crash_signals[]{SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

std::vector<std::string> lines_of(const std::string& path) {
  const auto content = read_file(path);
  return content ? words(*content, "\n") : std::vector<std::string>();
}

void write_lines(const std::string& path, const std::vector<std::string>& lines) {
  if (auto written = write_file(path, join(lines, "\n") + "\n", 0600); !written)
    spdlog::warn("{}", written.what());
}

} // namespace

struct CrashWatch::Mark {
  volatile char crashed;
  unsigned char length;
  char id[254];
};

namespace {

// What this thread has in hand: it crashes over its own work, not over another one's.
thread_local unsigned char length_in_hand = 0;
thread_local char in_hand[sizeof CrashWatch::Mark::id];

CrashWatch::Mark* mark_of_process = nullptr;
struct sigaction before[NSIG];

// Takes note and lets happen what would have happened: the fault comes again, or abort goes on.
void on_crash(int signal) {
  std::memcpy(mark_of_process->id, in_hand, sizeof in_hand);
  mark_of_process->length = length_in_hand;
  mark_of_process->crashed = 1;
  ::sigaction(signal, &before[signal], nullptr);
}

void watch_signals(CrashWatch::Mark* mark) {
  mark_of_process = mark;
  struct sigaction action {};
  action.sa_handler = on_crash;
  for (const int signal : crash_signals) ::sigaction(signal, &action, &before[signal]);
}

} // namespace

Result<std::unique_ptr<CrashWatch>> CrashWatch::open(const std::string& directory, Instant now) {
  const auto path = directory + "/run/in_hand";
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ::ftruncate(file, sizeof(Mark)) != 0)
    return Error{"can't open " + path + ": " + std::strerror(errno)};
  void* map = ::mmap(nullptr, sizeof(Mark), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int error = errno;
  ::close(file);
  if (map == MAP_FAILED) return Error{"can't map " + path + ": " + std::strerror(error)};
  std::unique_ptr<CrashWatch> watch(new CrashWatch(directory, static_cast<Mark*>(map)));
  watch->look_back(now);
  watch_signals(watch->mark_);
  return watch;
}

void CrashWatch::look_back(Instant now) {
  auto suspects = lines_of(directory_ + "/run/suspects");
  std::vector<std::string> crashes;
  for (const auto& line : lines_of(directory_ + "/run/crashes"))
    if (const auto time = parse_number(line); time && now - Instant{*time} < crash_window)
      crashes.push_back(line);
  if (mark_->crashed) {
    crashes.push_back(std::to_string(now.seconds));
    write_lines(directory_ + "/run/crashes", crashes);
    if (mark_->length > 0) {
      suspects.emplace_back(mark_->id, std::min<std::size_t>(mark_->length, sizeof mark_->id));
      write_lines(directory_ + "/run/suspects", suspects);
    }
  }
  mark_->crashed = 0, mark_->length = 0;
  recent_crashes_ = static_cast<int>(crashes.size());
  for (const auto& id : suspects) ++suspects_[id];
}

CrashWatch::~CrashWatch() {
  for (const int signal : crash_signals) ::sigaction(signal, &before[signal], nullptr);
  ::munmap(mark_, sizeof(Mark));
}

void CrashWatch::note(std::string_view request) {
  length_in_hand = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const auto length = request.copy(in_hand, sizeof in_hand);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  length_in_hand = static_cast<unsigned char>(length);
}

bool CrashWatch::is_poison(const std::string& request) const {
  const auto it = suspects_.find(request);
  return it != suspects_.end() && it->second >= 2;
}

int CrashWatch::crashes_over(const std::string& prefix) const {
  int crashes = 0;
  for (auto it = suspects_.lower_bound(prefix);
       it != suspects_.end() && it->first.starts_with(prefix); ++it)
    crashes += it->second;
  return crashes;
}

void CrashWatch::leave() {
  ::unlink((directory_ + "/run/crashes").c_str());
  ::unlink((directory_ + "/run/suspects").c_str());
}

} // namespace almanac
