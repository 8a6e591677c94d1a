// The policy language of a site: the part of ClassAd that conditions on reservations need
// (spec/plus.md section 7). A text is parsed once and evaluated often.
//
// 1. Whatever the text is, parsing and evaluation end soon: texts, nesting and steps have limits.
// 2. The same text, variables and functions give the same bits on every machine: reals know + - * /
//    and floor only, and these files are compiled without fused operations.
// 3. Evaluation changes nothing and reads only what the host gives: no clock, file or network.
#pragma once

#include "core/base/result.hpp"
#include "core/policy/classad/value.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace almanac {

struct AdTree;

/// A parsed text. Copies share it.
struct Ad {
  std::shared_ptr<const AdTree> tree;
};

/// Names that the text may use and that the host knows, without case. Other names that the text
/// does not define are undefined; other functions are errors of the text.
struct AdWords {
  std::vector<std::string> variables;
  std::vector<std::string> functions;
};

/// Reads attribute definitions, `name = expression` with `;` between them, in brackets or without.
/// At most 256 KB and 20,000 operators, names and literals, nested at most 100 deep. The error says
/// line and column.
Result<Ad> parse_ad(std::string_view text, const AdWords& words = {});

/// Whether the record of the text defines the attribute; the case of its name does not matter.
bool defines(const Ad& ad, std::string_view attribute);

/// Whether the name stands anywhere in the text, as one that is defined, looked up or selected; its
/// case does not matter.
bool mentions(const Ad& ad, std::string_view name);

/// Without brackets, an attribute a line. It reads back as the same.
std::string print_ad(const Ad& ad);

struct AdHost {
  /// In the order of AdWords::variables. They act as the outermost record; what is missing is
  /// undefined.
  std::vector<AdValue> variables;
  /// The functions of AdWords, by name as it stands there; nothing is an error. It is not called
  /// with values that are undefined or errors.
  std::function<std::optional<AdValue>(const std::string& name, const std::vector<AdValue>&)>
      function;
  std::int64_t now = 0; ///< seconds since the epoch
};

/// Of one evaluation. An operator, a name, a literal or a call is a step. So are each 64 bytes of
/// text and each 32 items of lists and records that it looks through.
struct AdLimits {
  std::int64_t steps = 10'000;
  int depth = 100;           ///< expressions evaluated within each other
  std::size_t text = 65'536; ///< bytes of a text that a function makes
};

/// In addition to the step of the operator or call that looks through so much.
constexpr std::int64_t steps_for_bytes(std::size_t bytes) {
  return static_cast<std::int64_t>(bytes / 64);
}
constexpr std::int64_t steps_for_items(std::size_t items) {
  return static_cast<std::int64_t>(items / 32);
}

/// The value of an attribute of the text's record; undefined where it defines none. Where a limit
/// is reached it is an error, whatever the text does with errors. A record is returned with the
/// values of all of its attributes.
AdValue evaluate(const Ad& ad, std::string_view attribute, const AdHost& host,
                 const AdLimits& limits = {});

/// A part of a condition that is not true.
struct AdReason {
  std::string expression; ///< as print_ad() writes it, cut where it is long
  std::string result;     ///< "false", "undefined", "error: a division by zero", "1"
  /// The names in it with their values, each once.
  std::vector<std::pair<std::string, std::string>> values;
};

/// Why an attribute is not true: of && the first part that is false, or else not true; of || all
/// parts. Attributes are followed to their definitions. Nothing where it is true; at most eight.
std::vector<AdReason> why_not(const Ad& ad, std::string_view attribute, const AdHost& host,
                              const AdLimits& limits = {});

} // namespace almanac
