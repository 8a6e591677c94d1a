#include "core/text/base64url.hpp"

#include <cstdint>

namespace almanac {

namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

int value_of(char digit) {
  if (digit >= 'A' && digit <= 'Z') return digit - 'A';
  if (digit >= 'a' && digit <= 'z') return digit - 'a' + 26;
  if (digit >= '0' && digit <= '9') return digit - '0' + 52;
  if (digit == '-') return 62;
  return digit == '_' ? 63 : -1;
}

} // namespace

std::string print_base64url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t held = 0;
  int bits = 0;
  for (const unsigned char byte : bytes) {
    held = (held << 8 | byte) & 0xffff, bits += 8;
    while (bits >= 6) bits -= 6, text += digits[held >> bits & 63];
  }
  if (bits > 0) text += digits[held << (6 - bits) & 63];
  return text;
}

Result<std::string> parse_base64url(std::string_view text) {
  if (text.size() % 4 == 1) return Error{"a digit of base64url is missing"};
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t held = 0;
  int bits = 0;
  for (const char digit : text) {
    const int value = value_of(digit);
    if (value < 0) return Error{"not a digit of base64url"};
    held = (held << 6 | static_cast<std::uint32_t>(value)) & 0xffff, bits += 6;
    if (bits >= 8) bits -= 8, bytes += static_cast<char>(held >> bits & 255);
  }
  if ((held & ((1u << bits) - 1)) != 0)
    return Error{"the last digit of base64url has bits too many"};
  return bytes;
}

} // namespace almanac
