// Frames at a door: a length of four bytes, the highest first, and the message.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace almanac::door {

using FrameHead = std::array<char, 4>;

inline FrameHead frame_head(std::size_t length) {
  return {static_cast<char>(length >> 24), static_cast<char>(length >> 16),
          static_cast<char>(length >> 8), static_cast<char>(length)};
}

/// The length that a head tells; `head` has four bytes.
inline std::size_t frame_length(std::string_view head) {
  std::size_t length = 0;
  for (const char byte : head) length = length << 8 | static_cast<unsigned char>(byte);
  return length;
}

/// Head and message.
inline std::string framed(std::string_view message) {
  const auto head = frame_head(message.size());
  return std::string(head.data(), head.size()).append(message);
}

} // namespace almanac::door
