// What operators of the policy language make of values (spec/plus.md section 7, P7.30 to P7.41).
//
// What the table of the specification leaves open:
// 1. An integer that does not fit into 64 bits is an error, and so is a real that is not finite:
//    1.0/0 is one.
// 2. Bits are those of integers: with anything else & | ^ ~ << >> >>> are errors. Shifts are by 0
//    to 63.
// 3. % is for integers. relTime/relTime is an error.
#pragma once

#include "core/policy/classad/value.hpp"

#include <string_view>

namespace almanac {

enum class AdOperator : std::uint8_t {
  none,
  multiply,
  divide,
  modulo,
  add,
  subtract,
  shift_left,
  shift_right,
  shift_right_zero,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  unequal,
  is,
  isnt,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
  negate,
  keep,
  logical_not,
  complement
};

/// As it is written.
std::string_view sign_of(AdOperator op);
/// 1 for || to 10 for * / %: what binds more tightly has the higher one; 0: it has one operand.
int level_of(AdOperator op);

/// Of a strict operator with two operands (not && || is isnt).
AdValue apply(AdOperator op, const AdValue& a, const AdValue& b);
/// Of - + ! ~.
AdValue apply(AdOperator op, const AdValue& a);

/// `is`: the same type and the same value; of lists and records the same object.
bool identical(const AdValue& a, const AdValue& b);

/// Steps of a comparison, in addition to that of the operator.
std::int64_t comparison_steps(const AdValue& a, const AdValue& b);

/// A truth value, undefined or an error; of anything else an error, as && and || take it.
AdValue as_truth(const AdValue& value);
/// Whether && or || needs no right side, since its left one, as_truth(), is the result (P7.35).
bool is_settled(AdOperator op, const AdValue& left);
/// The result where the right one is needed, both as_truth().
AdValue conclude(AdOperator op, const AdValue& left, const AdValue& right);

/// The real, or an error where it is not finite.
AdValue finite(double value);

} // namespace almanac
