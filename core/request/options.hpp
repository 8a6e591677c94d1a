// Grid Engine's way of writing options: single dashes, a fixed number of values each.
//
// Each command has one table; what stands in no table is an error that names it.
#pragma once

#include "core/base/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct OptionRule {
  std::string name;  ///< with its dash
  int values = 0;    ///< how many follow; -1, -2: the last of so many may be missing
  bool built = true; ///< false: known to Grid Engine, refused here with that text
  std::string why{}; ///< why it is not, or what is there instead; "": nothing more is said
  std::vector<std::string> before{}; ///< words one of which may stand before the values
};

struct GivenOption {
  std::string name;
  std::vector<std::string> values;
  Error wrong(const std::string& why) const; ///< names option and values
};

struct GivenOptions {
  std::vector<GivenOption> options;
  std::vector<std::string> operands;
  std::optional<std::size_t> dashes{}; ///< "--" stands behind so many operands
  /// How many operands stand before "--", or in all.
  std::size_t before_dashes() const { return dashes.value_or(operands.size()); }
  bool has(const std::string& name) const;
  /// The value of the last one with this name, or nullptr.
  const std::string* last(const std::string& name) const;
};

enum class Operands {
  anywhere,
  end_options
}; ///< end_options: what follows the first operand belongs to it

Result<GivenOptions> parse_options(const std::vector<std::string>& arguments,
                                   const std::vector<OptionRule>& rules, Operands operands);

/// An option as a command's usage says it.
struct UsageLine {
  std::string name;
  std::string values; ///< words, one for each value
  std::string help;
};

/// How many values the words stand for; below zero if the last of them may be missing: "[y|n]".
/// Without the word that may come first: "[y|n] list".
int count_values(std::string_view values);
/// What the first word may be that need not be there: y and n of "[y|n] list".
std::vector<std::string> words_before(std::string_view values);

/// The lines below "usage: …" of a command: by name, small letters before capital ones, -help last.
std::string print_usage(std::vector<UsageLine> lines);

} // namespace almanac
