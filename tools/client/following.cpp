// What changes, over a line to a door, and after it is lost over the next one.
#include "schema/codec.hpp"
#include "tools/client/line.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace almanac {

namespace {

// What a master answers that is asked again, where it does not wait (an agent's door).
constexpr std::chrono::milliseconds between_questions{1000};

// Where its reader is.
class Place {
public:
  explicit Place(door::Subscribe wanted) : wanted_(std::move(wanted)) {}

  const door::Subscribe& question() const { return wanted_; }
  /// The frame, without what was there already; from now on its cursor counts.
  void take(door::Changes& frame) {
    std::erase_if(frame.changes, [this](const door::Change& change) {
      return change.sequence > 0 && std::pair(change.sequence, change.position) <= last_;
    });
    for (const auto& change : frame.changes)
      last_ = std::max(last_, std::pair(change.sequence, change.position));
    if (!frame.cursor.empty()) wanted_.after = frame.cursor;
  }

private:
  door::Subscribe wanted_;
  std::pair<std::int64_t, std::int64_t> last_{0, -1};
};

} // namespace

CallResult<StreamEnd> Client::Line::follow(door::Subscribe wanted, const OnChanges& on_changes) {
  Place place(std::move(wanted));
  std::optional<StreamEnd> end;
  std::optional<Answer> refusal;
  bool was_heard = false;
  const Take take = [&](door::ReplyBody& body) {
    was_heard = true;
    if (auto* answer = std::get_if<Answer>(&body)) refusal = std::move(*answer);
    auto* frame = std::get_if<door::Changes>(&body);
    if (!frame) return !refusal;
    place.take(*frame);
    if (!on_changes(*frame)) end = StreamEnd::stopped;
    if (frame->gone) end = StreamEnd::gone;
    return !end;
  };
  const auto failed = [](CallFailure failure, std::string why) {
    return CallError{failure, std::move(why), {}, {}};
  };
  for (auto reach = within(options_.patience, options_.cancel);;) {
    const auto found = find_doors();
    const auto frame =
        encode(door::Request{door::protocol_version, make_request_id(), place.question()});
    const auto tried =
        found ? try_once(frame, take, reach, options_.patience) : Try{Step::again, found.what()};
    if (refusal)
      return CallError{CallFailure::refused, "the master refuses it", {}, std::move(*refusal)};
    if (end) return *end;
    if (tried.step == Step::done && place.question().once) return StreamEnd::over;
    // It was there until now: it is looked for as long as a new one.
    if (std::exchange(was_heard, false)) reach = within(options_.patience, options_.cancel);
    if (reach.is_cancelled()) return failed(CallFailure::cancelled, "cancelled");
    if (tried.step == Step::hopeless || reach.is_over())
      return failed(CallFailure::unreached, tried.why);
    const std::chrono::milliseconds pause(std::clamp<std::int64_t>(tried.retry_after_ms, 10, 5000));
    pause_for(tried.step == Step::done ? between_questions : pause, reach);
  }
}

} // namespace almanac
