#include "master/ballast.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <fcntl.h>
#include <optional>
#include <sys/statvfs.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::uint64_t mark = 32u << 20;                  // with less free the file goes
constexpr std::uint64_t plenty = Ballast::size + 2 * mark; // with more it is taken again
constexpr std::int64_t look_period = 100;                  // ms

std::int64_t monotonic_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::optional<std::uint64_t> free_space(const std::string& path) {
  struct statvfs facts {};
  if (::statvfs(path.substr(0, path.rfind('/') + 1).c_str(), &facts) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(facts.f_bavail) * facts.f_frsize;
}

} // namespace

Ballast::Ballast(std::string path) : path_(std::move(path)) {
  held_ = ::access(path_.c_str(), F_OK) == 0 || take();
  if (!held_) warn();
}

void Ballast::warn() const {
  spdlog::error("the disk with {} is nearly full: new work is refused until {} MB of it are free, "
                "ends are still written",
                path_.substr(0, path_.rfind('/')), plenty >> 20);
}

bool Ballast::is_held() {
  const std::lock_guard lock(mutex_);
  if (const auto now = monotonic_ms(); now - looked_at_ >= look_period) {
    looked_at_ = now;
    look();
  }
  return held_;
}

void Ballast::look() {
  const auto free = free_space(path_);
  if (!free) return;
  if (held_ && *free < mark) {
    ::unlink(path_.c_str());
    held_ = false;
    warn();
  } else if (!held_ && *free > plenty && take()) {
    held_ = true;
    spdlog::info("there is space again beside {}: new work is taken", path_);
  }
}

bool Ballast::take() {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const bool taken = ::posix_fallocate(file, 0, size) == 0;
  ::close(file);
  if (!taken) ::unlink(path_.c_str());
  return taken;
}

} // namespace almanac
