// Frames out of bytes that come in pieces of any size.
//
// 1. Nobody gets memory for what they only announce: it grows with what has come.
// 2. A length that no frame has is the end: nothing after it can be read.
#pragma once

#include "core/base/result.hpp"
#include "schema/frames.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace almanac {

class FrameAssembly {
public:
  static constexpr std::size_t largest_frame = 1 << 20;

  /// Takes bytes; returns the frames, without their heads, that are whole by them.
  Result<std::vector<std::string>> take(std::string_view bytes) {
    std::vector<std::string> frames;
    while (!bytes.empty() && !is_broken_) {
      if (missing_ == 0) read_head(bytes);
      else if (auto frame = read_frame(bytes)) frames.push_back(std::move(*frame));
    }
    if (is_broken_) return Error{"it announces a frame that is empty or over 1 MB"};
    return frames;
  }

private:
  void read_head(std::string_view& bytes) {
    head_ += next(bytes, std::tuple_size_v<door::FrameHead> - head_.size());
    if (head_.size() < std::tuple_size_v<door::FrameHead>) return;
    missing_ = door::frame_length(std::exchange(head_, {}));
    is_broken_ = missing_ == 0 || missing_ > largest_frame;
  }

  std::optional<std::string> read_frame(std::string_view& bytes) {
    const auto piece = next(bytes, missing_);
    frame_ += piece;
    missing_ -= piece.size();
    if (missing_ > 0) return std::nullopt;
    return std::exchange(frame_, {});
  }

  static std::string_view next(std::string_view& bytes, std::size_t wanted) {
    const auto piece = bytes.substr(0, wanted);
    bytes.remove_prefix(piece.size());
    return piece;
  }

  std::string head_, frame_;
  std::size_t missing_ = 0; ///< of the frame that is being read; 0: its length comes next
  bool is_broken_ = false;
};

} // namespace almanac
