// A line of the metascheduler's interface: a verb and its tokens, or the positional form of the Grid
// Forum (spec/metascheduler.md section 3).
//
// 1. A line that is read has tokens that its verb takes, none of them twice but RES, and all that it
//    needs. What the values mean is seen later (site_request.hpp).
// 2. A line has at most 65,536 bytes of UTF-8 without control characters (M2.2).
// 3. A refused line keeps its verb and its ID as far as they could be read: its answer shows them.
#pragma once

#include "core/base/attribute.hpp"
#include "core/request/site_tokens.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

inline constexpr std::size_t longest_site_line = 65'536; ///< bytes

/// A line is not taken: the status code (section 8), and what is said.
struct SiteRefusal {
  std::int64_t status = 0;
  std::string message;
  bool operator==(const SiteRefusal&) const = default;
};
SiteRefusal bad_value_for(std::string_view token);
SiteRefusal missing_token(std::string_view token);

struct SiteLine {
  std::optional<SiteVerb> verb; ///< nothing only where it is refused
  bool positional = false;
  std::vector<Attribute> tokens; ///< in their order; names in upper case

  /// The value of the first token of this name, or nullptr.
  const std::string* find(std::string_view name) const;
  /// What is repeated in OTHERINFO: "X_A=1;X_B=2" (M3.6); "": nothing is.
  std::string echo() const;
};

struct SiteReading {
  SiteLine line;
  std::optional<SiteRefusal> refusal;
};
/// The line ends with LF, CR LF, or its last character.
SiteReading parse_site_line(std::string_view text);
/// In the token form.
std::string print_site_line(const SiteLine& line);

} // namespace almanac
