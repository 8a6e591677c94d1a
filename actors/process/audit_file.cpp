#include "actors/process/audit_file.hpp"

#include "actors/audit.hpp"
#include "actors/warnings.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <string_view>
#include <thread>
#include <sys/stat.h>
#include <unistd.h>

namespace almanac {

namespace {

// How late it may be that somebody was refused more often than is written.
constexpr auto rests_period = std::chrono::seconds(5);

class AuditFile : public spdlog::sinks::base_sink<std::mutex> {
public:
  explicit AuditFile(std::string path) : path_(std::move(path)) { open_if_gone(); }
  ~AuditFile() override {
    write_lines();
    if (file_ >= 0) ::close(file_);
  }

protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    formatter_->format(message, lines_);
    if (lines_.size() >= most_kept) write_lines();
  }
  void flush_() override { write_lines(); }

private:
  static constexpr std::size_t most_kept = 256 << 10; // bytes

  void write_lines() {
    if (lines_.size() == 0) return;
    open_if_gone();
    if (file_ >= 0) {
      errno = 0;
      if (is_torn_) is_torn_ = ::write(file_, "\n", 1) != 1;
      const auto written = ::write(file_, lines_.data(), lines_.size());
      const bool works = written == static_cast<ssize_t>(lines_.size());
      tell(works);
      if (!works && written > 0) cut_torn_line(static_cast<std::size_t>(written));
    }
    lines_.clear();
  }

  // The next line begins at the beginning of a line, also where the file can only grow.
  void cut_torn_line(std::size_t written) {
    const auto torn =
        static_cast<off_t>(written - 1 - std::string_view(lines_.data(), written).rfind('\n'));
    struct stat facts {};
    is_torn_ = ::fstat(file_, &facts) != 0 || facts.st_size < torn ||
               ::ftruncate(file_, facts.st_size - torn) != 0;
  }

  void open_if_gone() {
    struct stat open {
    }, named{};
    if (file_ >= 0 && ::fstat(file_, &open) == 0 && ::stat(path_.c_str(), &named) == 0 &&
        open.st_ino == named.st_ino && open.st_dev == named.st_dev)
      return;
    if (file_ >= 0) ::close(file_);
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file_ < 0) tell(false);
  }

  // Once for each time of trouble: a full disk is not filled by saying so.
  void tell(bool works) {
    const bool is_news = works_ != works;
    works_ = works;
    note_audit_works(works);
    if (!is_news) return;
    if (works) spdlog::warn("the audit log {} is written again; some lines are lost", path_);
    else
      spdlog::error(
          "the audit log {} cannot be written: {}. Nothing is configured until it can be; "
          "jobs and reservations go on.",
          path_, errno == 0 ? "no space" : std::strerror(errno));
  }

  std::string path_;
  spdlog::memory_buf_t lines_; ///< not written yet
  int file_ = -1;
  bool works_ = true;
  bool is_torn_ = false; ///< the file ends with part of a line
};

} // namespace

void start_audit(const std::string& path) {
  auto log = std::make_shared<spdlog::logger>("audit", std::make_shared<AuditFile>(path));
  log->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %v");
  spdlog::register_logger(log);
  // As long as the process: a daemon ends without waiting for its threads.
  std::thread([] {
    for (;;) {
      std::this_thread::sleep_for(rests_period);
      audit_rests();
      write_audit();
      tell_left_out_warnings();
    }
  }).detach();
}

} // namespace almanac
