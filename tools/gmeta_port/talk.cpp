#include "tools/gmeta_port/talk.hpp"

#include "core/answer/ggf.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t not_authenticated = -20, shutting_down = -62;
// Of a far end that takes nothing: no more is asked for it meanwhile.
constexpr std::size_t most_unsent = 256 << 10;

std::string said(std::int64_t code) {
  return ggf::answer_line(code, {{"MSG", ggf::status(code).message}}) + "\n";
}

} // namespace

Talk::Talk(const TlsContext& context, const KnownCallers& callers, std::int64_t now_ms)
    : channel_(context, TlsChannel::End::server),
      callers_(callers),
      line_at_ms_(now_ms),
      begun_at_ms_(now_ms) {}

void Talk::hear(std::string_view bytes, std::int64_t now_ms) {
  if (state_ != State::open) return;
  const bool was_open = channel_.is_open();
  const auto text = channel_.hear(bytes);
  if (!text) {
    // A handshake that fails is a proof that fails: of a certificate, mostly.
    has_failed_ = !was_open && !bytes.empty();
    state_ = State::over;
    return;
  }
  if (!was_open && channel_.is_open())
    if (const auto found = callers_.by_subject.find(channel_.subject());
        found != callers_.by_subject.end())
      certified_ = found->second, is_known_ = true;
  assembly_.add(*text);
  take_lines(now_ms);
}

void Talk::take_lines(std::int64_t now_ms) {
  while (state_ == State::open && !turns_.is_full()) {
    auto line = assembly_.next();
    if (!line) return;
    take(std::move(*line), now_ms);
  }
}

// One that is too long has lost its seal; what it asks for is refused by whoever reads lines.
std::optional<SiteSubject> Talk::sender_of(Line& line) {
  if (certified_) return certified_;
  auto opened = opened_line(line.text, callers_.secrets, channel_.binding(), lines_);
  if (!opened) return std::nullopt;
  line.text = std::move(opened->line);
  return callers_.by_key_id.at(opened->key_id);
}

void Talk::take(Line line, std::int64_t now_ms) {
  ++lines_;
  const auto sender = sender_of(line);
  if (!sender) return fail(now_ms);
  is_known_ = true, line_at_ms_ = now_ms;
  turns_.add(std::move(line.text));
  senders_.emplace(static_cast<std::uint64_t>(lines_), *sender);
}

void Talk::fail(std::int64_t now_ms) {
  state_ = State::failed, has_failed_ = true;
  failed_at_ms_ = now_ms;
}

std::optional<Talk::Question> Talk::next() {
  if (state_ == State::over) return std::nullopt;
  auto question = turns_.next();
  if (!question) return std::nullopt;
  const auto sender = senders_.extract(question->number);
  return Question{question->number, std::move(question->line), std::move(sender.mapped())};
}

void Talk::answered(std::uint64_t number, const std::vector<std::string>& lines,
                    std::int64_t now_ms) {
  turns_.answered(number, join(lines, "\n") + "\n");
  line_at_ms_ = now_ms; // the time that it took is not the caller's
}

void Talk::say(const std::string& text) {
  if (!text.empty() && !channel_.say(text)) state_ = State::over;
}

std::string Talk::output(std::size_t unsent, std::int64_t now_ms) {
  if (state_ != State::over && channel_.is_open() && unsent < most_unsent) {
    take_lines(now_ms);
    if (shuts_down_) refuse_waiting();
    say(turns_.take_ready());
  }
  const bool is_answered = turns_.is_empty();
  if (state_ == State::failed && is_answered && now_ms >= failed_at_ms_ + failure_ms)
    say(said(not_authenticated)), state_ = State::over;
  const bool is_late = (is_answered && now_ms >= line_at_ms_ + idle_ms) ||
                       (!is_known_ && now_ms >= begun_at_ms_ + knocking_ms);
  if (state_ == State::open && (is_late || (shuts_down_ && is_answered))) state_ = State::over;
  return channel_.output();
}

void Talk::shut_down() { shuts_down_ = true; }

void Talk::refuse_waiting() {
  while (const auto question = next()) turns_.answered(question->number, said(shutting_down));
}

std::int64_t Talk::due_ms() const {
  // What is left to send of one that is over, and how long, is known to whoever sends it.
  const bool has_no_time = state_ == State::over || !turns_.is_empty(); // an answer comes first
  if (has_no_time) return std::numeric_limits<std::int64_t>::max();
  if (state_ == State::failed) return failed_at_ms_ + failure_ms;
  const auto idle = line_at_ms_ + idle_ms;
  return is_known_ ? idle : std::min(idle, begun_at_ms_ + knocking_ms);
}

} // namespace almanac
