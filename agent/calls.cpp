#include "agent/calls.hpp"

#include <algorithm>
#include <cerrno>
#include <spdlog/spdlog.h>
#include <unistd.h>

namespace almanac {

namespace {

constexpr std::int64_t largest_piece = 128 << 10;
constexpr std::int64_t most_untaken = 256 << 10;  // of a call's output, on the way to who reads it
constexpr std::int64_t input_ahead = 1 << 20;     // that may be sent before it is read
constexpr std::size_t most_input_left = 16 << 20; // where somebody sends more than that

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
  if (call.input >= 0) events_.input_room(start.call, input_ahead);
  calls_[{attempt, start.call}] = std::move(call);
  return Done{};
}

void Calls::take_output(const Attempt& attempt, std::int64_t number, std::int64_t bytes) {
  auto* call = find(attempt, number);
  if (!call) return;
  call->untaken -= std::clamp<std::int64_t>(bytes, 0, call->untaken);
  send_output(*call);
}

void Calls::write_input(const Attempt& attempt, std::int64_t number, const std::string& content,
                        bool end) {
  auto* call = find(attempt, number);
  if (!call) return;
  call->input_left += content;
  call->input_ends = call->input_ends || end;
  if (call->input_left.size() > most_input_left) {
    spdlog::warn("a process does not read its input: it gets no more job={}", attempt.job.value);
    call->input_left.clear(), call->input_ends = true;
  }
  pass_input_on(*call);
}

void Calls::send_command(const Attempt& attempt, const char* command) const {
  for (const auto& [key, call] : calls_)
    if (key.first == attempt) almanac::send_command(helper_, call.shepherd, command);
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
  ended_.erase(attempt);
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
    if (call.untaken >= most_untaken) continue;
    files.add(call.output, POLLIN, [this, &call] { send_piece(call, call.output, false); });
    files.add(call.error, POLLIN, [this, &call] { send_piece(call, call.error, true); });
  }
}

void Calls::drop_ended() {
  std::erase_if(calls_, [](const auto& entry) { return entry.second.ended; });
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
  ::close(std::exchange(call.input, -1));
}

void Calls::send_output(Call& call) {
  send_piece(call, call.output, false);
  send_piece(call, call.error, true);
}

// No more than who asked for it has room for. The end is told after all of it.
void Calls::send_piece(Call& call, int& file, bool error) {
  std::string piece;
  while (file >= 0 && call.untaken < most_untaken) {
    piece.resize(static_cast<std::size_t>(std::min(most_untaken - call.untaken, largest_piece)));
    const auto size = ::read(file, piece.data(), piece.size());
    if (size > 0) {
      call.untaken += size;
      events_.output(call.number, piece.substr(0, static_cast<std::size_t>(size)), error);
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
