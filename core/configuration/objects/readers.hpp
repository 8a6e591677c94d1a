// What stands in the rows of more than one kind: how the text of an attribute becomes a field, and
// what a change may not write.
#pragma once

#include "core/base/time.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/kind.hpp"
#include "core/text/values.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace almanac::readers {

inline constexpr std::int64_t most = 9'999'999; ///< of numbers

Result<std::int64_t> number_of(const std::string& text);
Result<std::int64_t> weight_of(const std::string& text);
/// A command around a job (step_line.hpp); "": none.
Result<std::string> step_of(const std::string& text);
Result<Duration> at_least_a_second(const std::string& text);

// ---- reading ----------------------------------------------------------------------------------

template <auto member, class T> Outcome take(OwnerOf<member>& into, Result<T> value) {
  if (!value) return value.error();
  into.*member = std::move(*value);
  return Done{};
}

/// It is kept and shown, and nothing looks at it.
template <class Form> Outcome unread(Form&, const GivenAttribute&) { return Done{}; }
/// Nothing but the default is built.
template <class Form> Outcome only_fallback(Form&, const GivenAttribute& given) {
  return given.only_fallback();
}
template <auto member> Outcome names(OwnerOf<member>& into, const GivenAttribute& given) {
  into.*member = parse_name_list(given.text);
  return Done{};
}
template <auto member> Outcome values(OwnerOf<member>& into, const GivenAttribute& given) {
  return take<member>(into, parse_value_list(given.text));
}
template <auto member> Outcome number(OwnerOf<member>& into, const GivenAttribute& given) {
  return take<member>(into, number_of(given.text));
}
template <auto member> Outcome weight(OwnerOf<member>& into, const GivenAttribute& given) {
  return take<member>(into, weight_of(given.text));
}
template <auto member> Outcome duration(OwnerOf<member>& into, const GivenAttribute& given) {
  return take<member>(into, parse_duration(given.text));
}
template <auto member> Outcome seconds(OwnerOf<member>& into, const GivenAttribute& given) {
  const auto parsed = number_of(given.text);
  if (!parsed) return parsed.error();
  into.*member = Duration{*parsed};
  return Done{};
}
template <auto member> Outcome interval(OwnerOf<member>& into, const GivenAttribute& given) {
  return take<member>(into, at_least_a_second(given.text));
}
template <auto member> Outcome toggle(OwnerOf<member>& into, const GivenAttribute& given) {
  return take<member>(into, parse_switch(given.text));
}
template <auto member> Outcome path(OwnerOf<member>& into, const GivenAttribute& given) {
  if (!given.text.starts_with('/')) return Error{"\"" + given.text + "\" is not an absolute path"};
  into.*member = given.text;
  return Done{};
}
template <auto member> Outcome step(OwnerOf<member>& into, const GivenAttribute& given) {
  return take<member>(into, step_of(given.text));
}

// ---- what a change may not write --------------------------------------------------------------

Outcome anything(const GivenAttribute&, const ComplexTable&);
Outcome not_built(const GivenAttribute& given, const ComplexTable&);
/// Of what a host or a queue offers: not less than nothing.
Outcome amounts(const GivenAttribute& given, const ComplexTable& complexes);

// ---- parameters -------------------------------------------------------------------------------

/// "NAME=value" of a list of parameters; one without '=' is a switch that is on.
struct Param {
  explicit Param(const std::string& text)
      : name(text.substr(0, text.find('='))),
        has_value(name.size() < text.size()),
        value(has_value ? text.substr(name.size() + 1) : "") {}
  Result<bool> on() const;

  std::string name;
  bool has_value;
  std::string value;
};

} // namespace almanac::readers
