// How a line shows who sends it, where a site has no certificates for callers
// (docs/spec/metascheduler.md, M2.7).
//
// The line gets two tokens more, which a site without this rule ignores (M3.6):
//
//   ;X_KEYID=<name of the secret>;X_HMAC=<64 hexadecimal digits>
//
// The digits are HMAC-SHA-256, with the secret, of: 32 bytes that only this TLS connection has (RFC
// 5705, label EXPORTER-almanac-gmeta, no context), the number of the line in the connection in
// decimal digits, from 1, a line feed, and the line without the two tokens and without its end. So
// no line can be sent again, in another connection, or in another order.
#pragma once

#include "actors/trust/wiped.hpp"
#include "core/base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct LineSecret {
  std::string id;
  Wiped bytes;
};

/// The content of the file without a line break at its end: 32 to 1024 bytes, which only its owner
/// may read.
Result<Wiped> read_line_secret(const std::string& file);

/// The line with its two tokens.
std::string sealed_line(std::string_view line, const LineSecret& secret, std::string_view binding,
                        std::int64_t number);

/// A line that was sealed with one of these secrets.
struct OpenedLine {
  std::string key_id;
  std::string line; ///< without its two tokens
};
/// Nothing where no seal is there, nobody has this secret, or it is of another line, number or
/// connection. It takes the same time, whatever is wrong with the digits.
std::optional<OpenedLine> opened_line(std::string_view line, const std::vector<LineSecret>& secrets,
                                      std::string_view binding, std::int64_t number);
/// How much longer than the line itself a sealed one may be.
inline constexpr std::size_t longest_seal = 160;

} // namespace almanac
