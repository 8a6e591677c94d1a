#include "agent/calls.hpp"

#include "agent/helper/pseudo_terminal.hpp"
#include "agent/shepherd/processes.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::int64_t largest_piece = 128 << 10;
constexpr std::int64_t input_ahead = 1 << 20;     // that may be sent before it is read
constexpr std::size_t most_input_left = 16 << 20; // where somebody sends more than that
// Of a process that is over: longer than anybody reads a page. Its slots are not free before.
constexpr std::int64_t most_stalled_ms = 600'000;
constexpr int pipe_size =
    256 << 10; // fewer switches between a process and us; the system has 64 KB
constexpr const char* end_of_typing = "\x04"; // what a terminal makes an end of its input

// Memory is free again.
TaskUsage usage_at_end(const ExitRecord& record) {
  TaskUsage usage;
  usage.cpu_microseconds = clamped(Wide(record.user_microseconds) + record.system_microseconds);
  usage.memory_kib_seconds = record.memory_kib_seconds, usage.io_bytes = record.io_bytes;
  usage.io_wait_microseconds = record.io_wait_microseconds;
  usage.maxvmem_bytes = record.maxvmem_bytes;
  return usage;
}

} // namespace

Calls::~Calls() {
  for (auto& [key, call] : calls_) close_files(call);
}

void Calls::close_files(Call& call) {
  call.shepherd.close();
  close_streams(call);
}

void Calls::close_streams(Call& call) {
  for (auto* file : {&call.input, &call.output, &call.error})
    if (*file >= 0) ::close(std::exchange(*file, -1));
}

Calls::Call* Calls::find(const Attempt& attempt, std::int64_t number) {
  const auto it = calls_.find({attempt, number});
  return it == calls_.end() ? nullptr : &it->second;
}

Outcome Calls::start(const Attempt& attempt, const InheritedStart& start) {
  auto request = request_for(HelperVerb::launch, attempt, start.number);
  request.signature = start.proof;
  request.words = start.command, request.environment = start.environment;
  request.directory = start.directory, request.input = start.input;
  auto answer = helper_.ask(request);
  if (!answer.reply.refusal.empty()) return Error{answer.reply.refusal};
  Call call;
  call.number = start.call;
  call.shepherd.attempt = attempt, call.shepherd.call = start.number;
  call.shepherd.connection = answer.take("connection");
  call.shepherd.progress = answer.take("progress");
  call.output = answer.take("output"), call.error = answer.take("error");
  call.input = answer.take("input");
  begin_streams(call);
  calls_[{attempt, start.call}] = std::move(call);
  return Done{};
}

void Calls::begin_streams(const Call& call) const {
  for (const int file : {call.output, call.error})
    if (file >= 0 && !call.is_terminal) ::fcntl(file, F_SETPIPE_SZ, pipe_size);
  if (call.input >= 0) events_.input_room(call.number, input_ahead);
}

void Calls::attach(const Attempt& attempt, const InheritedStart& start,
                   HelperClient::Answer& launched) {
  Call call;
  call.number = start.call, call.is_attached = true;
  call.shepherd.attempt = attempt;
  const int terminal = launched.take("terminal");
  call.is_terminal = terminal >= 0;
  call.output = call.is_terminal ? terminal : launched.take("output");
  call.error = launched.take("error");
  call.input = call.is_terminal ? ::fcntl(terminal, F_DUPFD_CLOEXEC, 0) : launched.take("input");
  begin_streams(call);
  attached_[attempt] = start.call;
  calls_[{attempt, start.call}] = std::move(call);
}

Calls::Call* Calls::find_attached(const Attempt& attempt) {
  const auto it = attached_.find(attempt);
  return it == attached_.end() ? nullptr : find(attempt, it->second);
}

void Calls::note_begun(const Attempt& attempt) {
  if (auto* call = find_attached(attempt)) call->shepherd.running = true, pass_input_on(*call);
}

// Its usage is in the report of the task.
void Calls::note_end(const Attempt& attempt, const ExitRecord& record) {
  auto* call = find_attached(attempt);
  if (!call) return;
  if (call->input >= 0) ::close(std::exchange(call->input, -1));
  ExitRecord end;
  end.failed = record.failed, end.exit_status = record.exit_status;
  end.reason = record.reason, end.signal = record.signal;
  call->record = end, call->moved_ms = boot_clock_ms();
  send_output(*call);
}

void Calls::resize(const Attempt& attempt, std::int64_t number, const TerminalSize& size) {
  const auto* call = find(attempt, number);
  if (call && call->is_terminal && call->output >= 0) resize_terminal(call->output, usable(size));
}

// Its shepherd is told first: a process that finds no terminal any more is not to blame for it.
void Calls::hang_up(const Attempt& attempt, std::int64_t number, const WatchedShepherd* of_task) {
  auto* call = find(attempt, number);
  if (!call) return;
  if (const auto* shepherd = call->is_attached ? of_task : &call->shepherd)
    almanac::send_command(helper_, *shepherd, "h");
  call->is_hung_up = true, call->input_left.clear();
  if (call->is_terminal) close_streams(*call);
  if (call->input >= 0) ::close(std::exchange(call->input, -1));
  send_output(*call); // it may be over already
}

void Calls::take_output(const Attempt& attempt, std::int64_t number, std::int64_t bytes) {
  auto* call = find(attempt, number);
  if (!call) return;
  call->window.taken(bytes);
  call->moved_ms = boot_clock_ms();
  send_output(*call);
}

void Calls::write_input(const Attempt& attempt, std::int64_t number, const std::string& content,
                        bool end) {
  auto* call = find(attempt, number);
  if (!call) return;
  call->input_left += content;
  call->input_ends = call->input_ends || end;
  if (call->input_left.size() > most_input_left) {
    spdlog::warn("a process does not read its input: it gets no more key={}", attempt.job.value);
    call->input_left.clear(), call->input_ends = true;
  }
  pass_input_on(*call);
}

void Calls::send_command(const Attempt& attempt, const char* command) {
  for (auto& [key, call] : calls_) {
    if (key.first != attempt) continue;
    almanac::send_command(helper_, call.shepherd, command);
    if (*command == 'k' && call.record) close_streams(call), send_output(call); // nobody reads on
  }
}

void Calls::ask_usage() const {
  for (const auto& [key, call] : calls_) call.shepherd.ask_usage();
}

TaskUsage Calls::usage(const Attempt& attempt) const {
  const auto ended = ended_.find(attempt);
  auto sum = ended == ended_.end() ? TaskUsage() : ended->second;
  for (const auto& [key, call] : calls_)
    if (key.first == attempt && !call.record) sum = sum + call.shepherd.usage;
  return sum;
}

void Calls::forget(const Attempt& attempt) {
  ended_.erase(attempt), attached_.erase(attempt);
  for (auto it = calls_.begin(); it != calls_.end();) {
    if (it->first.first != attempt) {
      ++it;
      continue;
    }
    close_files(it->second);
    it = calls_.erase(it);
  }
}

void Calls::add_to(ReadyFiles& files) {
  for (auto& [key, entry] : calls_) {
    auto& call = entry;
    files.add(call.shepherd.connection, POLLIN, [this, &call] { hear(call), pass_input_on(call); });
    if (!call.input_left.empty())
      files.add(call.input, POLLOUT, [this, &call] { pass_input_on(call); });
    if (!call.window.is_open() && !call.is_hung_up) continue;
    files.add(call.output, POLLIN, [this, &call] { send_piece(call, call.output, false); });
    files.add(call.error, POLLIN, [this, &call] { send_piece(call, call.error, true); });
  }
}

// A process that is over and whose output nobody takes does not hold its slots for ever.
void Calls::drop_stalled(Call& call) {
  if (!call.record || call.ended || boot_clock_ms() - call.moved_ms < most_stalled_ms) return;
  close_streams(call);
  send_output(call);
}

std::vector<Attempt> Calls::drop_ended() {
  std::vector<Attempt> over;
  for (auto it = calls_.begin(); it != calls_.end();) {
    if (it->second.is_attached) drop_stalled(it->second);
    if (!it->second.ended) {
      ++it;
      continue;
    }
    if (it->second.is_attached) over.push_back(it->first.first), attached_.erase(it->first.first);
    it = calls_.erase(it);
  }
  return over;
}

void Calls::each_shepherd(const std::function<void(const WatchedShepherd&)>& visit) const {
  for (const auto& [key, call] : calls_)
    if (!call.record) visit(call.shepherd);
}

void Calls::hear(Call& call) {
  const auto heard = call.shepherd.hear();
  if (heard == WatchedShepherd::Heard::usage) on_usage_(call.shepherd.attempt);
  if (heard != WatchedShepherd::Heard::ended) return;
  if (call.input >= 0) ::close(std::exchange(call.input, -1));
  const auto progress = call.shepherd.written();
  call.shepherd.close();
  call.record = end_of(helper_, call.shepherd, progress);
  auto& ended = ended_[call.shepherd.attempt];
  const auto highest = std::max(ended.maxvmem_bytes, call.record->maxvmem_bytes); // one by one
  ended = ended + usage_at_end(*call.record);
  ended.maxvmem_bytes = highest;
  send_output(call);
}

// The end is closed only once the process holds the other one: what lies in between is not lost.
void Calls::pass_input_on(Call& call) {
  if (call.input < 0) return;
  std::size_t written = 0;
  while (written < call.input_left.size()) {
    const auto size =
        ::write(call.input, call.input_left.data() + written, call.input_left.size() - written);
    if (size <= 0) break;
    written += static_cast<std::size_t>(size);
  }
  call.input_left.erase(0, written);
  if (written > 0) events_.input_room(call.number, static_cast<std::int64_t>(written));
  if (!call.input_left.empty()) return;
  if (!call.input_ends || !call.shepherd.running) return;
  if (call.is_terminal && ::write(call.input, end_of_typing, 1) < 0) return; // it is full
  ::close(std::exchange(call.input, -1));
}

void Calls::send_output(Call& call) {
  if (call.is_hung_up && call.record) close_streams(call);
  send_piece(call, call.output, false);
  send_piece(call, call.error, true);
}

// What is said to nobody: a process that hears SIGHUP and says so does not end by SIGPIPE instead.
void Calls::pass_over(int& file) {
  std::string piece(largest_piece, '\0');
  const auto size = ::read(file, piece.data(), piece.size());
  if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR))
    ::close(std::exchange(file, -1));
}

// No more than who asked for it has room for. The end is told after all of it.
void Calls::send_piece(Call& call, int& file, bool error) {
  std::string piece;
  if (call.is_hung_up && file >= 0) return pass_over(file);
  while (file >= 0 && call.window.is_open()) {
    piece.resize(static_cast<std::size_t>(std::min(call.window.room(), largest_piece)));
    const auto size = ::read(file, piece.data(), piece.size());
    if (size > 0) {
      call.window.sent(size);
      piece.resize(static_cast<std::size_t>(size));
      events_.output(call.number, std::exchange(piece, {}), error);
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    // Once its process has ended, an end that somebody else may hold is not waited for.
    if (size < 0 && errno == EAGAIN && !call.record) break;
    ::close(std::exchange(file, -1));
  }
  if (!call.record || call.output >= 0 || call.error >= 0 || call.ended) return;
  call.ended = true;
  events_.call_ended(call.number, *call.record);
}

} // namespace almanac
