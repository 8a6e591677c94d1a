#include "actors/answer_frames.hpp"

#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"

#include <iterator>
#include <utility>

namespace almanac {

namespace {

template <class Item> void move_half(std::vector<Item>& from, std::vector<Item>& to) {
  const auto middle = from.begin() + static_cast<std::ptrdiff_t>((from.size() + 1) / 2);
  to.assign(std::make_move_iterator(middle), std::make_move_iterator(from.end()));
  from.erase(middle, from.end());
}

// Takes the second half of a frame's list out of it; nothing where there is no list to halve.
struct SecondHalf {
  using Half = std::optional<door::ReplyBody>;
  template <class Frame, class Item> static Half of(Frame& frame, std::vector<Item> Frame::*list) {
    if ((frame.*list).size() < 2) return std::nullopt;
    Frame rest;
    move_half(frame.*list, rest.*list);
    return rest;
  }
  Half operator()(door::Jobs& frame) const {
    auto rest = of(frame, &door::Jobs::jobs);
    if (rest) std::swap(frame.unknown, std::get<door::Jobs>(*rest).unknown);
    return rest;
  }
  Half operator()(door::Lines& frame) const { return of(frame, &door::Lines::jobs); }
  Half operator()(door::Reservations& frame) const {
    auto rest = of(frame, &door::Reservations::reservations);
    if (rest) std::swap(frame.unknown, std::get<door::Reservations>(*rest).unknown);
    return rest;
  }
  Half operator()(door::Cluster& frame) const {
    auto rest = of(frame, &door::Cluster::instances);
    return rest ? std::move(rest) : of(frame, &door::Cluster::hosts);
  }
  Half operator()(door::Objects& frame) const { return of(frame, &door::Objects::objects); }
  Half operator()(door::Accounting& frame) const { return of(frame, &door::Accounting::records); }
  Half operator()(door::InputSummaries& frame) const {
    auto rest = of(frame, &door::InputSummaries::inputs);
    if (rest) // each half says how far it goes itself
      std::get<door::InputSummaries>(*rest).read_to =
          std::exchange(frame.read_to, frame.inputs.back().sequence);
    return rest;
  }
  Half operator()(door::UsageReport& frame) const {
    auto rest = of(frame, &door::UsageReport::reservations);
    if (rest) { // the last frame has what they are a part of
      auto& last = std::get<door::UsageReport>(*rest);
      last.during = std::exchange(frame.during, {});
      last.cell = std::exchange(frame.cell, {});
    }
    return rest;
  }
  Half operator()(door::Quotas& frame) const { return of(frame, &door::Quotas::rows); }
  template <class Other> Half operator()(Other&) const { return std::nullopt; }
};

class ReadyFrames : public AnswerFrames {
public:
  explicit ReadyFrames(std::vector<door::ReplyBody> frames)
      : frames_(std::make_move_iterator(frames.begin()), std::make_move_iterator(frames.end())) {}
  std::optional<door::ReplyBody> next() override {
    if (frames_.empty()) return std::nullopt;
    auto frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

private:
  std::deque<door::ReplyBody> frames_;
};

} // namespace

std::shared_ptr<AnswerFrames> ready_frames(std::vector<door::ReplyBody> frames) {
  return std::make_shared<ReadyFrames>(std::move(frames));
}

door::ReplyBody readable(door::ReplyBody body, std::int64_t version) {
  constexpr std::int64_t first_with_statements = 2;
  if (auto* answer = std::get_if<Answer>(&body); answer && version < first_with_statements)
    return gridengine::with_lines(std::move(*answer));
  return body;
}

EncodedFrames::EncodedFrames(std::shared_ptr<AnswerFrames> frames, std::int64_t version)
    : frames_(std::move(frames)), version_(version) {
  look_ahead();
}

void EncodedFrames::look_ahead() {
  if (!coming_.empty() || !frames_) return;
  if (auto frame = frames_->next()) coming_.push_back(readable(std::move(*frame), version_));
  else frames_ = nullptr;
}

std::optional<std::string> EncodedFrames::next() {
  if (coming_.empty()) return std::nullopt;
  door::Reply reply{false, std::move(coming_.front())};
  coming_.pop_front();
  look_ahead();
  for (;;) {
    reply.done = coming_.empty();
    auto content = encode(reply);
    if (content.size() <= door::largest_frame) return content;
    auto rest = std::visit(SecondHalf(), reply.body);
    if (!rest) return content;
    coming_.push_front(std::move(*rest));
  }
}

} // namespace almanac
