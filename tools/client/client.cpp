#include "tools/client/client.hpp"

#include "core/text/values.hpp"
#include "schema/door/valid_reply.hpp"
#include "schema/codec.hpp"
#include "tools/client/line.hpp"

#include <algorithm>

namespace almanac {

namespace {

Result<std::chrono::milliseconds> parse_patience(const std::string& text) {
  constexpr std::int64_t longest = 1'000'000'000;
  const auto value = parse_number(text);
  if (!value || *value < 1 || *value > longest)
    return Error{"ALMANAC_DEADLINE: \"" + text + "\" is not a number of seconds of at least 1"};
  return std::chrono::milliseconds(std::chrono::seconds(*value));
}

} // namespace

Result<ClientOptions> client_options(const std::vector<Attribute>& environment) {
  const auto variable = [&](const char* name) {
    for (const auto& entry : environment)
      if (entry.name == name) return std::optional(entry.value);
    return std::optional<std::string>();
  };
  ClientOptions options;
  options.directory = find_cell(environment).directory;
  options.request_id = variable("ALMANAC_REQUEST_ID").value_or("");
  if (const auto text = variable("ALMANAC_DEADLINE")) {
    const auto patience = parse_patience(*text);
    if (!patience) return patience.error();
    options.patience = *patience;
  }
  return options;
}

std::string make_request_id() {
  std::string digits;
  for (const unsigned char byte : random_nonce())
    digits += "0123456789abcdef"[byte >> 4], digits += "0123456789abcdef"[byte & 15];
  return digits;
}

Client::Client(ClientOptions options) : line_(std::make_unique<Line>(std::move(options))) {}
Client::~Client() = default;
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;

Client::Patience Client::patience() const { return line_->options().patience; }

namespace {

// A program of the site may be asked first (spec/beyond.md B8.51): by default it has 30 s, and 10 s
// more until its outcome counts. Who lets it have longer sets ALMANAC_DEADLINE.
std::chrono::milliseconds time_of_site(const door::RequestBody& body) {
  const auto* run = std::get_if<door::RunCommand>(&body);
  const auto is = [&]<class Command>() { return std::holds_alternative<Command>(run->body); };
  const bool may_be_asked =
      run && (is.operator()<Reserve>() || is.operator()<AlterReservation>() ||
              is.operator()<PrepareReservation>() || is.operator()<ReserveEarliest>());
  return std::chrono::seconds{may_be_asked ? 45 : 0};
}

} // namespace

CallResult<Done> Client::call(door::RequestBody body, const OnFrame& on_frame) {
  auto wait = patience();
  if (wait) *wait += time_of_site(body);
  return line_->call(std::move(body), on_frame, wait);
}
CallResult<Done> Client::call(door::RequestBody body, const OnFrame& on_frame, Patience answer) {
  return line_->call(std::move(body), on_frame, answer);
}

CallResult<Answer> Client::run(CommandBody command) {
  Answer answer;
  const auto called = call(door::RunCommand{std::move(command)}, [&](door::ReplyBody& frame) {
    if (auto* given = std::get_if<Answer>(&frame)) answer = std::move(*given);
  });
  if (!called) return called.error();
  return answer;
}

CallResult<Done> Client::run_process(door::Inherit request, const OnFrame& on_frame, int input) {
  return line_->run_process(std::move(request), on_frame, {input, -1, {}});
}
CallResult<Done> Client::run_process(door::Attach request, const OnFrame& on_frame,
                                     const ProcessStreams& streams) {
  return line_->run_process(std::move(request), on_frame, streams);
}

CallResult<StreamEnd> Client::follow(door::Subscribe wanted, const OnChanges& on_changes) {
  return line_->follow(std::move(wanted), on_changes);
}

// The last door's reason is told; it is hopeless where all of them are.
Client::Line::Try Client::Line::connect(const Until& until) {
  Try last{Step::hopeless, "no door"};
  for (current_ = 0; current_ < doors_.size(); ++current_) {
    auto opened = DoorConnection::open(doors_[current_], options_.tls_module, until);
    if (opened.connection) {
      connection_ = std::move(opened.connection);
      return {Step::done, {}};
    }
    last.why = opened.why;
    if (!opened.is_hopeless) last.step = Step::again;
  }
  return last;
}

Result<door::Reply> Client::Line::receive(DoorConnection& connection, const Until& until) {
  const auto content = connection.receive(until);
  if (!content) return content.error();
  auto reply = decode<door::Reply>(*content);
  if (!reply) return Error{"the answer can't be read: " + reply.what()};
  if (auto checked = door::valid_reply(reply->body); !checked)
    return Error{"the answer cannot be used: " + checked.what()};
  return reply;
}

Client::Line::Try Client::Line::try_once(const std::string& request, const Take& take,
                                         const Until& reach, Patience answer) {
  const auto failed = [&](Step step, const std::string& why) {
    connection_ = nullptr;
    return Try{step, why};
  };
  if (!connection_)
    if (auto tried = connect(reach); tried.step != Step::done) return tried;
  // At a TCP door each try carries a credential of its own.
  const auto content = connection_->seal(request);
  if (!content) return {Step::hopeless, content.what()};
  asked_ = true;
  if (auto sent = connection_->send(*content, reach); !sent)
    return failed(Step::again, sent.what());
  for (;;) {
    const auto until = within(answer, options_.cancel);
    auto reply = receive(*connection_, until);
    if (!reply) return failed(until.is_over() ? Step::silent : Step::again, reply.what());
    if (const auto* busy = std::get_if<door::Busy>(&reply->body))
      return {Step::again, "the master is busy or cannot be reached", busy->retry_after_ms};
    const bool is_enough = !take(reply->body);
    if (is_enough && !reply->done) connection_ = nullptr; // the rest would come over it
    if (is_enough || reply->done) return {Step::done, {}};
  }
}

// The changes that one client makes are told apart by their number: the same client once more
// repeats each of them.
std::string Client::Line::id_for(const door::RequestBody& body) {
  if (options_.request_id.empty() || !std::holds_alternative<door::RunCommand>(body))
    return make_request_id();
  return ++changes_ == 1 ? options_.request_id
                         : options_.request_id + "." + std::to_string(changes_);
}

Outcome Client::Line::find_doors() {
  if (connection_) return Done{};
  auto doors = doors_of(options_.directory);
  if (!doors) return doors.error();
  if (doors->empty())
    return Error{"there is no door in " + options_.directory +
                 ": is ALMANAC_DIR set to the directory of the cell or of an agent?"};
  doors_ = std::move(*doors);
  return Done{};
}

namespace {

std::string advice_for(const door::RequestBody& body) {
  const auto* run = std::get_if<door::RunCommand>(&body);
  if (!run || !std::holds_alternative<Submit>(run->body)) return {};
  return ": is the script too large? Let it read what it carries from a file";
}

} // namespace

CallResult<Done> Client::Line::call(door::RequestBody body, const OnFrame& on_frame,
                                    Patience answer) {
  door::Request request;
  request.id = id_for(body);
  request.body = std::move(body);
  const auto failed = [&](CallFailure failure, std::string why) {
    return CallError{failure, std::move(why), request.id, {}};
  };
  const auto frame = encode(request);
  if (frame.size() > door::largest_request)
    return failed(CallFailure::invalid, "the request has " + std::to_string(frame.size()) +
                                            " bytes, at most " +
                                            std::to_string(door::largest_request) + " are taken" +
                                            advice_for(request.body));
  if (auto found = find_doors(); !found) return failed(CallFailure::unreached, found.what());
  const auto reach = within(options_.patience, options_.cancel);
  // Frames of an answer that broke off are not handed over twice.
  std::size_t handed = 0;
  asked_ = false;
  for (;;) {
    std::size_t seen = 0;
    const auto tried = try_once(
        frame,
        [&](door::ReplyBody& part) {
          if (++seen <= handed) return true;
          ++handed;
          on_frame(part);
          return true;
        },
        reach, answer);
    if (tried.step == Step::done) return Done{};
    if (reach.is_cancelled()) return failed(CallFailure::cancelled, "cancelled");
    const bool is_late = tried.step == Step::silent || reach.is_over();
    if (!asked_ && (is_late || tried.step == Step::hopeless))
      return failed(CallFailure::unreached, tried.why);
    if (is_late) return failed(CallFailure::unknown, tried.why);
    pause_for(std::chrono::milliseconds(std::clamp<std::int64_t>(tried.retry_after_ms, 10, 5000)),
              reach);
  }
}

} // namespace almanac
