// What the functions on texts do (spec/plus.md section 7, P7.45 and P7.52).
#pragma once

#include "core/policy/classad/functions.hpp"

#include <span>
#include <string_view>

namespace almanac {

/// Of UTF-8.
std::size_t characters(std::string_view text);

/// strcat(...): numbers, truth values and times are written as string() does.
AdValue concatenation(std::span<const AdValue> given, AdCall& call);
/// substr(s, at[, size]): a negative place counts from the end, a negative size leaves so much out there.
AdValue part_of_text(std::span<const AdValue> given, AdCall& call);
AdValue to_lower(std::span<const AdValue> given, AdCall& call);
AdValue to_upper(std::span<const AdValue> given, AdCall& call);
/// regexp(expression, text[, "i"]): whether some part of the text matches; with "i" without case.
AdValue text_matches(std::span<const AdValue> given, AdCall& call);

} // namespace almanac
