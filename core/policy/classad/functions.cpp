#include "core/policy/classad/functions.hpp"

#include "core/policy/classad/classad.hpp"
#include "core/policy/classad/evaluator.hpp"
#include "core/policy/classad/number_functions.hpp"
#include "core/policy/classad/operators.hpp"
#include "core/policy/classad/texts.hpp"
#include "core/policy/classad/times.hpp"

#include <algorithm>

namespace almanac {

namespace {

using Arguments = std::span<const AdValue>;

constexpr AdError no_list{"a list is expected"};
constexpr AdError no_scalar{"a list or record cannot be looked for"};
constexpr AdError no_size{"size() takes a list, a record or a text"};
constexpr AdError no_time{"the text or number is no time"};

// Whether looking through so much was still allowed.
bool work(AdCall& call, std::int64_t steps) {
  call.work += steps;
  return call.work <= call.most_work;
}

bool is_scalar(const AdValue& value) {
  return !value.as<AdList>() && !value.as<AdRecord>() && !value.as<AdScope*>();
}

bool equals(const AdValue& a, const AdValue& b) { return apply(AdOperator::equal, a, b).is_true(); }

template <bool (*is_same)(const AdValue&, const AdValue&)>
AdValue member(Arguments given, AdCall& call) {
  const auto* list = given[1].as<AdList>();
  if (!list) return {no_list};
  if (!is_scalar(given[0])) return {no_scalar};
  if (!work(call, steps_for_items(list->count))) return {};
  for (const auto& item : *list) call.work += comparison_steps(item, given[0]);
  if (call.work > call.most_work) return {};
  const auto is_it = [&](const AdValue& item) { return is_same(item, given[0]); };
  return {std::any_of(list->begin(), list->end(), is_it)};
}

AdValue size(Arguments given, AdCall& call) {
  const auto& of = given[0];
  std::size_t count = 0;
  if (const auto* list = of.as<AdList>()) count = list->count;
  else if (const auto* record = of.as<AdRecord>()) {
    if (!work(call, steps_for_items((*record)->values.size()))) return {};
    count = size_of(**record);
  } else if (const auto* scope = of.as<AdScope*>()) count = (*scope)->record->count;
  else if (const auto* text = of.as<AdText>()) count = characters(**text);
  else return {no_size};
  return {static_cast<std::int64_t>(count)};
}

AdValue time(Arguments, AdCall& call) { return {call.now}; }

AdValue abs_time(Arguments given, AdCall& call) {
  std::optional<std::int32_t> zone;
  if (given.size() == 2) {
    const auto* ahead = given[1].as<std::int64_t>();
    if (!ahead || !is_zone(*ahead)) return {no_time};
    zone = static_cast<std::int32_t>(*ahead);
  }
  if (given.empty()) return ad_time({call.now});
  if (const auto* text = given[0].as<AdText>()) {
    const auto time = read_abs_time(**text, zone);
    return time ? AdValue(*time) : AdValue(no_time);
  }
  const auto seconds = as_real(given[0]);
  return seconds ? AdValue(AbsTime{*seconds, zone.value_or(0)}) : AdValue(no_time);
}

AdValue rel_time(Arguments given, AdCall&) {
  if (given[0].as<RelTime>()) return given[0];
  if (const auto* text = given[0].as<AdText>()) {
    const auto time = read_rel_time(**text);
    return time ? AdValue(*time) : AdValue(no_time);
  }
  const auto seconds = as_real(given[0]);
  return seconds ? AdValue(RelTime{*seconds}) : AdValue(no_time);
}

template <class T> AdValue is_a(Arguments given, AdCall&) { return {given[0].as<T>() != nullptr}; }
AdValue is_record(Arguments given, AdCall&) {
  return {given[0].as<AdRecord>() != nullptr || given[0].as<AdScope*>() != nullptr};
}

template <AdValue (*of)(const AdValue&)> AdValue one(Arguments given, AdCall&) {
  return of(given[0]);
}

template <AdValue (*of)(const AdList&)> AdValue of_list(Arguments given, AdCall& call) {
  const auto* list = given[0].as<AdList>();
  if (!list) return {no_list};
  return work(call, steps_for_items(list->count)) ? of(*list) : AdValue();
}

AdValue linear_of(Arguments given, AdCall&) { return linear(given); }
AdValue quadratic_of(Arguments given, AdCall&) { return quadratic(given); }

template <AdValue (*of)(Arguments, AdCall&)> AdValue of_texts(Arguments given, AdCall& call) {
  std::size_t bytes = 0;
  for (const auto& value : given)
    if (const auto* text = value.as<AdText>()) bytes += (*text)->size();
  return work(call, steps_for_bytes(bytes)) ? of(given, call) : AdValue();
}

// clang-format off
constexpr AdFunction functions[] = {
    {"member",          2, 2,   AdCallKind::strict,      member<equals>},
    {"identicalMember", 2, 2,   AdCallKind::strict,      member<identical>},
    {"size",            1, 1,   AdCallKind::strict,      of_texts<size>},
    {"time",            0, 0,   AdCallKind::of_moment,   time},
    {"absTime",         0, 2,   AdCallKind::of_moment,   of_texts<abs_time>},
    {"relTime",         1, 1,   AdCallKind::strict,      of_texts<rel_time>},
    {"int",             1, 1,   AdCallKind::strict,      of_texts<one<to_int>>},
    {"real",            1, 1,   AdCallKind::strict,      of_texts<one<to_real>>},
    {"string",          1, 1,   AdCallKind::strict,      one<to_text>},
    {"bool",            1, 1,   AdCallKind::strict,      of_texts<one<to_bool>>},
    {"floor",           1, 1,   AdCallKind::strict,      one<floor_of>},
    {"ceiling",         1, 1,   AdCallKind::strict,      one<ceiling_of>},
    {"round",           1, 1,   AdCallKind::strict,      one<round_of>},
    {"abs",             1, 1,   AdCallKind::strict,      one<abs_of>},
    {"min",             1, 1,   AdCallKind::strict,      of_list<min_of>},
    {"max",             1, 1,   AdCallKind::strict,      of_list<max_of>},
    {"sum",             1, 1,   AdCallKind::strict,      of_list<sum_of>},
    {"avg",             1, 1,   AdCallKind::strict,      of_list<average_of>},
    {"ifThenElse",      3, 3,   AdCallKind::conditional, nullptr},
    {"isUndefined",     1, 1,   AdCallKind::any_value,   is_a<AdUndefined>},
    {"isError",         1, 1,   AdCallKind::any_value,   is_a<AdError>},
    {"isBoolean",       1, 1,   AdCallKind::any_value,   is_a<bool>},
    {"isInteger",       1, 1,   AdCallKind::any_value,   is_a<std::int64_t>},
    {"isReal",          1, 1,   AdCallKind::any_value,   is_a<double>},
    {"isString",        1, 1,   AdCallKind::any_value,   is_a<AdText>},
    {"isAbsTime",       1, 1,   AdCallKind::any_value,   is_a<AbsTime>},
    {"isRelTime",       1, 1,   AdCallKind::any_value,   is_a<RelTime>},
    {"isList",          1, 1,   AdCallKind::any_value,   is_a<AdList>},
    {"isClassAd",       1, 1,   AdCallKind::any_value,   is_record},
    {"strcat",          0, 255, AdCallKind::strict,      of_texts<concatenation>},
    {"substr",          2, 3,   AdCallKind::strict,      of_texts<part_of_text>},
    {"toLower",         1, 1,   AdCallKind::strict,      of_texts<to_lower>},
    {"toUpper",         1, 1,   AdCallKind::strict,      of_texts<to_upper>},
    {"regexp",          2, 3,   AdCallKind::strict,      of_texts<text_matches>},
    {"linear",          5, 5,   AdCallKind::strict,      linear_of},
    {"quadratic",       5, 7,   AdCallKind::strict,      quadratic_of},
};
// clang-format on

} // namespace

std::span<const AdFunction> ad_functions() { return functions; }

} // namespace almanac
