#include "agent/watched_shepherd.hpp"

#include <algorithm>
#include <cerrno>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace almanac {

namespace {

constexpr std::size_t longest_line = 4096;

std::string content_of(int file) {
  std::string content;
  char piece[4096];
  for (;;) {
    const auto size = ::pread(file, piece, sizeof piece, static_cast<off_t>(content.size()));
    if (size <= 0) return content;
    content.append(piece, static_cast<std::size_t>(size));
  }
}

HelperReply tell(const HelperClient& helper, const WatchedShepherd& shepherd, const char* command) {
  auto request = request_for(HelperVerb::control, shepherd.attempt, shepherd.call);
  request.command = command;
  auto reply = helper.ask(request).reply;
  if (!reply.refusal.empty())
    spdlog::warn("key={} is not told \"{}\": {}", shepherd.attempt.job.value, command,
                 reply.refusal);
  return reply;
}

} // namespace

HelperRequest request_for(HelperVerb verb, const Attempt& attempt, std::int64_t call) {
  HelperRequest request;
  request.verb = verb, request.attempt = attempt, request.call = call;
  return request;
}

WatchedShepherd::Heard WatchedShepherd::hear() {
  char text[1024];
  const auto size = ::read(connection, text, sizeof text);
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return Heard::nothing;
  if (size <= 0) {
    ::close(std::exchange(connection, -1));
    return Heard::ended;
  }
  begun_line_.append(text, static_cast<std::size_t>(size));
  auto heard = Heard::nothing;
  for (auto end = begun_line_.find('\n'); end != std::string::npos; end = begun_line_.find('\n')) {
    heard = std::max(heard, take(begun_line_.substr(0, end)));
    begun_line_.erase(0, end + 1);
  }
  if (begun_line_.size() > longest_line) begun_line_.clear();
  return heard;
}

WatchedShepherd::Heard WatchedShepherd::take(const std::string& line) {
  if (line == "running") {
    if (std::exchange(running, true)) return Heard::nothing;
    cores = written().cores;
    return Heard::begun;
  }
  if (const auto process = parse_saved_line(line)) {
    saved_pid = *process;
    return Heard::saved;
  }
  const auto told = parse_usage_line(line);
  if (!told) return Heard::nothing;
  usage = *told;
  return Heard::usage;
}

void WatchedShepherd::ask_usage() const {
  if (connection >= 0 && running && ::send(connection, "u", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
    spdlog::debug("key={} is not asked what it uses", attempt.job.value);
}

TaskProgress WatchedShepherd::written() const {
  return progress < 0 ? TaskProgress() : parse_task_progress(content_of(progress));
}

void WatchedShepherd::close() {
  for (auto* file : {&connection, &progress})
    if (*file >= 0) ::close(std::exchange(*file, -1));
}

TaskProgress progress_of(const WatchedShepherd& task, const Spool& spool) {
  auto own = spool.progress(task.attempt);
  return own.noted ? own : task.written();
}

void send_command(const HelperClient& helper, const WatchedShepherd& shepherd,
                  const char* command) {
  if (shepherd.connection >= 0) tell(helper, shepherd, command);
}

ExitRecord end_of(const HelperClient& helper, const WatchedShepherd& shepherd,
                  const TaskProgress& progress) {
  if (progress.record) return *progress.record;
  const auto reply = tell(helper, shepherd, "end"); // for the helper, not for a shepherd
  ExitRecord record;
  record.failed = progress.began() ? failed::no_exit_status : failed::shepherd;
  record.reason = "the shepherd ended without a record";
  if (reply.refusal.empty() && reply.failed == failed::by_signal)
    record.failed = reply.failed, record.reason = "the shepherd was ended by a signal";
  return record;
}

} // namespace almanac
