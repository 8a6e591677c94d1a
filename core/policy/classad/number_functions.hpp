// What the functions on numbers do (spec/plus.md section 7, P7.50, P7.53 and P7.54).
#pragma once

#include "core/policy/classad/value.hpp"

#include <optional>
#include <span>

namespace almanac {

/// An integer or real as a real.
std::optional<double> as_real(const AdValue& value);

/// Of a truth value (0 or 1), a number (cut towards zero), a text or a time (its seconds).
AdValue to_int(const AdValue& value);
AdValue to_real(const AdValue& value);
/// A text stays as it is; lists and records have none.
AdValue to_text(const AdValue& value);
/// A number is true where it is not 0.
AdValue to_bool(const AdValue& value);

/// Integers.
AdValue floor_of(const AdValue& value);
AdValue ceiling_of(const AdValue& value);
/// Halves go to the even neighbour.
AdValue round_of(const AdValue& value);
/// Of a number or a relTime.
AdValue abs_of(const AdValue& value);

AdValue min_of(const AdList& list);
AdValue max_of(const AdList& list);
AdValue sum_of(const AdList& list);
AdValue average_of(const AdList& list);

/// x, x1, y1, x2, y2: the line through both points.
AdValue linear(std::span<const AdValue> given);
/// The same five: the parabola with its vertex at the first point, through the second one. With x3, y3:
/// the one through three points.
AdValue quadratic(std::span<const AdValue> given);

} // namespace almanac
