#include "tools/commands/process_door.hpp"

#include "tools/commands/interrupt.hpp"
#include "tools/commands/waiting_line.hpp"
#include "tools/output/escape.hpp"

#include <climits>
#include <unistd.h>

namespace almanac {

namespace {

// Clients look for the word "qmaster" to tell a master that is away from an unknown job
// (spec/client-contract.md C7).
constexpr const char* unreached = "unable to send message to qmaster: ";

std::string own_program() {
  char program[PATH_MAX];
  const auto size = ::readlink("/proc/self/exe", program, sizeof program);
  return size > 0 ? std::string(program, static_cast<std::size_t>(size)) : "";
}

Door::OnFrame escaped(const Door::OnFrame& on_frame) {
  return [&on_frame](door::ReplyBody& frame) {
    escape(frame);
    on_frame(frame);
  };
}

std::string worded(const CallError& error) {
  switch (error.failure) {
  case CallFailure::cancelled: return "interrupted";
  case CallFailure::unreached: return unreached + error.why;
  case CallFailure::unknown:
    return unreached + error.why +
           ". The outcome is not known: repeat the command with ALMANAC_REQUEST_ID=" +
           error.request_id;
  default: return error.why;
  }
}

// What a person at a terminal waits for; nothing where the answer never ends.
std::string awaited_with(const door::RequestBody& body) {
  if (const auto* wait = std::get_if<door::AwaitJob>(&body)) return "job " + to_string(wait->job);
  const bool is_endless = std::holds_alternative<door::GetMessages>(body) ||
                          std::holds_alternative<door::Subscribe>(body);
  return is_endless ? "" : "the master";
}

} // namespace

Result<std::string> prove_beside_door(ClaimProver prover) {
  return prove_claim(tls_module_beside(own_program()), std::move(prover));
}

ProcessDoor::ProcessDoor(const std::vector<Attribute>& environment,
                         const std::optional<std::string>& directory) {
  auto options = client_options(environment);
  if (!options) {
    trouble_ = options.what();
    return;
  }
  if (directory) options->directory = *directory;
  options->tls_module = tls_module_beside(own_program());
  options->cancel = interrupt_file();
  client_.emplace(std::move(*options));
}

Outcome ProcessDoor::call(door::RequestBody body, const OnFrame& on_frame) {
  if (!client_) return Error{trouble_};
  // A job may take days.
  const bool is_endless = std::holds_alternative<door::AwaitJob>(body);
  const auto awaited = awaited_with(body);
  WaitingLine line(STDERR_FILENO, !awaited.empty() && ::isatty(STDERR_FILENO) != 0,
                   std::chrono::seconds(1), awaited);
  const OnFrame after_line = [&](door::ReplyBody& frame) { line.end(), on_frame(frame); };
  const auto called = is_endless
                          ? client_->call(std::move(body), escaped(after_line), Client::forever)
                          : client_->call(std::move(body), escaped(after_line));
  line.end();
  is_invalid_ = !called && called.error().failure == CallFailure::invalid;
  if (!called) return Error{worded(called.error())};
  return Done{};
}

Outcome ProcessDoor::follow(door::Subscribe wanted, const OnFrame& on_frame) {
  if (!client_) return Error{trouble_};
  const auto hand_over = [&on_frame](door::ReplyBody frame) {
    escape(frame);
    on_frame(frame);
  };
  const auto followed = client_->follow(std::move(wanted), [&](door::Changes& changes) {
    hand_over(std::move(changes));
    return true;
  });
  if (followed) return Done{};
  if (followed.error().failure != CallFailure::refused) return Error{worded(followed.error())};
  hand_over(followed.error().answer);
  return Done{};
}

Outcome ProcessDoor::call_with_input(door::Inherit request, const OnFrame& on_frame, int input) {
  if (!client_) return Error{trouble_};
  const auto called = client_->run_process(std::move(request), escaped(on_frame), input);
  if (called) return Done{};
  const auto& error = called.error();
  if (error.failure == CallFailure::unknown)
    return Error{error.why + ". It is not known whether the process ran"};
  return Error{error.why};
}

Outcome ProcessDoor::attach(JobNumber job, const JobStreams& streams, const OnFrame& on_frame) {
  if (!client_) return Error{trouble_};
  std::optional<door::Attachment> place;
  const auto found = client_->call(
      door::AwaitAttachment{job},
      [&](door::ReplyBody& frame) {
        if (const auto* attachment = std::get_if<door::Attachment>(&frame)) place = *attachment;
        else escaped(on_frame)(frame);
      },
      Client::forever);
  if (!found) return Error{worded(found.error())};
  if (!place) return Done{};
  door::ReplyBody begins = *place;
  escaped(on_frame)(begins);
  door::Attach request{place->host,           place->address,          place->attempt,
                       place->credential,     place->signature,        streams.input >= 0,
                       streams.terminal.rows, streams.terminal.columns};
  const auto run = client_->run_process(std::move(request), escaped(on_frame),
                                        {streams.input, streams.resized, streams.size});
  if (run) return Done{};
  if (run.error().failure == CallFailure::cancelled) return Error{"interrupted"};
  return Error{"the connection to the job on host " + place->host + " is lost: " + run.error().why};
}

void ProcessDoor::catch_interrupt() { almanac::catch_interrupt(); }
void ProcessDoor::catch_end() { almanac::catch_end(); }
int ProcessDoor::take_interrupt() { return almanac::take_interrupt(); }

} // namespace almanac
