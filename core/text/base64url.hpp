// Base64url without padding (RFC 4648 section 5), as keys are written.
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>

namespace almanac {

std::string print_base64url(std::string_view bytes);
/// Strict: no other characters, no padding, and unused bits are 0, so bytes have one text only.
Result<std::string> parse_base64url(std::string_view text);

} // namespace almanac
