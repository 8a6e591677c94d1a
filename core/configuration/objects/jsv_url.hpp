// What verifies jobs before they are taken, as -jsv and jsv_url name it (sge_types(5), jsv_url).
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// "[type:][user@]/path". Nothing verifies where there are no words.
struct JsvUrl {
  std::string user; ///< as whom it runs; "": whoever starts it
  /// A program, without arguments for the type script, with them for the type command.
  std::vector<std::string> words;
};

/// "none" gives an empty one; the error says what is expected.
Result<JsvUrl> parse_jsv_url(std::string_view text);

} // namespace almanac
