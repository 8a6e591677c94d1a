// The functions of the policy language (spec/plus.md section 7, P7.43 to P7.54).
//
// What the table of the specification leaves open:
// 1. min, max, sum and avg take a list of numbers or one of relTimes. Of integers alone min, max and
//    sum are integers, avg is always real. Of an empty list sum is 0, avg 0.0, min and max undefined.
// 2. Places and sizes of texts count characters; toLower and toUpper change letters of ASCII only.
// 3. member() takes elements of other types as unequal, and skips undefined ones.
// 4. absTime's zone is in seconds, whole minutes; it is not given with a text that has an offset.
#pragma once

#include "core/policy/classad/matcher.hpp"
#include "core/policy/classad/value.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace almanac {

/// What a call needs beside its arguments.
struct AdCall {
  std::int64_t now = 0;             ///< seconds since the epoch
  std::size_t most_text = 0;        ///< bytes of a text that it may make
  const Matcher* matcher = nullptr; ///< of regexp(), where its expression is known
  std::int64_t work = 0;            ///< steps that the call took beside its own
  std::int64_t most_work = 0;       ///< it is an error to take more
};

/// How a function is called.
enum class AdCallKind : std::uint8_t {
  strict,      ///< errors and undefined values are the result
  any_value,   ///< it is called with them, too
  conditional, ///< ifThenElse, which is ?:
  of_moment    ///< strict; the result depends on the time
};

struct AdFunction {
  std::string_view name;            ///< as it is shown; its case does not matter
  std::uint8_t least = 0, most = 0; ///< arguments; 255: any number
  AdCallKind kind = AdCallKind::strict;
  AdValue (*apply)(std::span<const AdValue>, AdCall&) = nullptr;
};

std::span<const AdFunction> ad_functions();

} // namespace almanac
