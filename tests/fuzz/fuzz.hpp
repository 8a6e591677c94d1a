// What every fuzz target has: one function, called with any bytes.
//
// A target is one file. It breaks by check() where a promise does not hold; crashes, undefined
// behaviour, leaks, hangs and too much memory are found by libFuzzer and the sanitizers.
#pragma once

#include "core/base/check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace almanac {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Takes an input apart from its front; where it has ended, all that follows is 0 or empty.
class Pieces {
public:
  explicit Pieces(std::string_view rest) : rest_(rest) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  unsigned byte() { return static_cast<unsigned char>(bytes(1).empty() ? 0 : last_.front()); }
  std::size_t number() { // two bytes, the lower one first
    const auto low = byte();
    return low + (std::size_t{byte()} << 8);
  }
  std::string_view bytes(std::size_t size) {
    last_ = rest_.substr(0, size);
    rest_.remove_prefix(last_.size());
    return last_;
  }

private:
  std::string_view rest_, last_;
};

/// A Cap'n Proto message out of any bytes: they become the words of its one segment, so that it
/// takes no luck to find a head that fits.
inline std::string as_message(std::string_view bytes) {
  const auto words = bytes.size() / 8;
  std::string message(8, '\0');
  for (int i = 0; i < 4; ++i) message[4 + i] = static_cast<char>(words >> (8 * i));
  return message.append(bytes.substr(0, words * 8));
}

/// What as_message() makes this message of; all of it where it has other segments.
inline std::string_view words_of(std::string_view message) {
  return message.substr(message.size() < 8 ? message.size() : 8);
}

} // namespace almanac
