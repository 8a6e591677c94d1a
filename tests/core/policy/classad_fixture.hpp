// Values of expressions as texts, for tests of the policy language (docs/spec/plus.md section 7).
#pragma once

#include "core/policy/classad/classad.hpp"

#include <string>
#include <utility>
#include <vector>

namespace almanac {

inline constexpr std::int64_t classad_now = 1'700'000'000;

/// A host without functions, whose variables have these values.
inline AdHost host_with(std::vector<AdValue> variables = {}) {
  return {std::move(variables), {}, classad_now};
}

/// The value of `attribute` in this text; the text's error where it has one.
inline std::string value_in(const std::string& text, const std::string& attribute,
                            const AdLimits& limits = {}) {
  const auto ad = parse_ad(text);
  return ad ? print_value(evaluate(*ad, attribute, host_with(), limits)) : ad.what();
}
inline std::string value_of(const std::string& expression) {
  return value_in("Result = " + expression, "result");
}
/// What an evaluation says of its error; "" where there is none.
inline std::string mistake_in(const std::string& text, const std::string& attribute,
                              const AdLimits& limits = {}) {
  const auto ad = parse_ad(text);
  if (!ad) return ad.what();
  const auto value = evaluate(*ad, attribute, host_with(), limits);
  return value.is_error() ? value.as<AdError>()->what : "";
}
/// What the parser says; "" where it takes the text.
inline std::string refusal_of(const std::string& text, const AdWords& words = {}) {
  const auto ad = parse_ad(text, words);
  return ad ? "" : ad.what();
}

} // namespace almanac
