#include "actors/process/daemon.hpp"

#include "actors/process/lock_file.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

namespace almanac {

namespace {

struct LogFile {
  std::string directory, name;
};
LogFile log_file;
std::atomic<spdlog::level::level_enum> log_level = spdlog::level::info;

void open_log() {
  auto console = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(log_file.directory + "/log/" +
                                                                  log_file.name + ".log");
  auto logger =
      std::make_shared<spdlog::logger>(log_file.name, spdlog::sinks_init_list{console, file});
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e %n %l %v");
  logger->flush_on(spdlog::level::info);
  logger->set_level(log_level);
  // Who logs at this moment may have the one before in hand.
  static std::shared_ptr<spdlog::logger> before;
  before = spdlog::default_logger();
  spdlog::set_default_logger(logger);
}

} // namespace

Result<std::string> read_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return Error{"can't read " + path + ": " + std::strerror(errno)};
  struct stat facts {};
  std::string content;
  const bool is_plain = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
  char piece[8192];
  ssize_t size = is_plain ? 1 : -1;
  while (size > 0 && (size = ::read(file, piece, sizeof piece)) > 0)
    content.append(piece, static_cast<std::size_t>(size));
  const auto problem = is_plain ? std::strerror(errno) : "it is not a plain file";
  ::close(file);
  if (size < 0) return Error{"can't read " + path + ": " + problem};
  return content;
}

namespace {

Error trouble(const char* what, const std::string& path) {
  return {std::string("can't ") + what + " " + path + ": " + std::strerror(errno)};
}

// The open file with the content in it, or why not.
Result<int> write_open(const std::string& path, std::string_view content, unsigned mode) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (file < 0) return trouble("write", path);
  std::size_t written = 0;
  while (written < content.size()) {
    const auto count = ::write(file, content.data() + written, content.size() - written);
    if (count < 0) {
      const auto error = trouble("write", path);
      ::close(file);
      return error;
    }
    written += static_cast<std::size_t>(count);
  }
  return file;
}

void sync_folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const int folder = ::open(slash == std::string::npos ? "." : path.substr(0, slash + 1).c_str(),
                            O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

} // namespace

Outcome write_file(const std::string& path, std::string_view content, unsigned mode) {
  const auto beside = path + ".new";
  auto file = write_open(beside, content, mode);
  if (!file) return file.error();
  if (::fsync(*file) != 0 || ::close(*file) != 0 || ::rename(beside.c_str(), path.c_str()) != 0)
    return trouble("write", path);
  sync_folder_of(path);
  return Done{};
}

Outcome write_file_in_place(const std::string& path, std::string_view content, unsigned mode) {
  auto file = write_open(path, content, mode);
  if (!file) return file.error();
  const bool synced = ::fsync(*file) == 0;
  if (::close(*file) != 0 || !synced) return trouble("write", path);
  sync_folder_of(path);
  return Done{};
}

Outcome write_file_unsynced(const std::string& path, std::string_view content, unsigned mode) {
  auto file = write_open(path, content, mode);
  if (!file) return file.error();
  if (::close(*file) != 0) return trouble("write", path);
  return Done{};
}

void start_logging(const std::string& directory, const std::string& name) {
  ::mkdir((directory + "/log").c_str(), 0755);
  log_file = {directory, name};
  open_log();
}

void set_log_level(LogLevel level) {
  log_level = level == LogLevel::errors     ? spdlog::level::err
              : level == LogLevel::warnings ? spdlog::level::warn
                                            : spdlog::level::info;
  spdlog::default_logger()->set_level(log_level);
}

void block_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

void tell_ready(const std::string& directory) {
  const auto written =
      write_file(directory + "/run/ready", std::to_string(::getpid()) + "\n", 0644);
  if (!written) spdlog::warn("{}", written.what());
  ::sd_notify(0, "READY=1");
}

void wait_for_signal(const std::function<void()>& daily) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  constexpr timespec day{86'400, 0};
  daily();
  for (;;) {
    const int signal = ::sigtimedwait(&set, nullptr, &day);
    if (signal == SIGHUP) open_log();
    else if (signal > 0) return;
    else if (errno == EAGAIN) daily();
  }
}

void leave(const std::string& directory) {
  ::unlink((directory + "/run/ready").c_str());
  // Other threads may still log: the logger, which writes at once, stays.
  spdlog::info("stopped");
  std::_Exit(0);
}

std::uint16_t port_to_ask_for(std::uint16_t set, const std::string& file) {
  if (set != 0) return set;
  const auto before = read_file(file);
  return before ? static_cast<std::uint16_t>(std::atoi(before->c_str())) : 0;
}

Outcome keep_port(std::uint16_t port, const std::string& file) {
  return write_file(file, std::to_string(port) + "\n", 0644);
}

Outcome lock_directory(const std::string& directory) {
  ::mkdir((directory + "/run").c_str(), 0755);
  struct stat folder {};
  if (::stat((directory + "/run").c_str(), &folder) == 0 && (folder.st_mode & 022) != 0)
    return Error{directory + "/run can be written by others than its owner: chmod go-w"};
  auto locked = lock_file(directory + "/run/lock", directory);
  if (!locked) return locked.error();
  ::unlink((directory + "/run/ready").c_str());
  return Done{};
}

} // namespace almanac
