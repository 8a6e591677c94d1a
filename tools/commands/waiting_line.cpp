#include "tools/commands/waiting_line.hpp"

#include <cerrno>
#include <string>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

// A terminal that takes nothing more does not hold up the answer for long: the rest is left out.
void put(int file, const std::string& text) {
  while (::write(file, text.data(), text.size()) < 0 && errno == EINTR) {
  }
}

} // namespace

WaitingLine::WaitingLine(int file, bool is_seen, std::chrono::milliseconds period,
                         std::string awaited)
    : file_(file), period_(period), awaited_(std::move(awaited)) {
  if (is_seen) thread_ = std::thread([this] { show(); });
}

void WaitingLine::end() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void WaitingLine::show() {
  int seconds = 0;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, period_, [this] { return has_ended_; }))
    put(file_, "\rwaiting for " + awaited_ + ": " + std::to_string(++seconds) + " s");
  if (seconds > 0) put(file_, "\r\033[K");
}

} // namespace almanac
