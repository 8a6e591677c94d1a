#include "core/configuration/objects/readers.hpp"

#include "core/configuration/objects/complex.hpp"
#include "core/configuration/objects/step_line.hpp"
#include "core/text/values.hpp"

namespace almanac::readers {

Result<std::int64_t> number_of(const std::string& text) {
  auto parsed = parse_number(text);
  if (!parsed || *parsed > most)
    return Error{"\"" + text + "\" is not a number from 0 to " + std::to_string(most)};
  return parsed;
}

Result<std::int64_t> weight_of(const std::string& text) {
  auto parsed = parse_millionths(text);
  if (!parsed || *parsed < 0) return Error{"\"" + text + "\" is not a weight"};
  return parsed;
}

Result<std::string> step_of(const std::string& text) {
  const auto parsed = parse_step_command(text);
  if (!parsed) return parsed.error();
  return parsed->words.empty() ? std::string() : text;
}

Result<Duration> at_least_a_second(const std::string& text) {
  auto parsed = parse_duration(text);
  if (parsed && parsed->seconds < 1) return Error{"it must be at least one second"};
  return parsed;
}

Outcome anything(const GivenAttribute&, const ComplexTable&) { return Done{}; }

Outcome not_built(const GivenAttribute& given, const ComplexTable&) {
  return given.only_fallback();
}

Outcome amounts(const GivenAttribute& given, const ComplexTable& complexes) {
  const auto values = parse_value_list(given.text);
  if (!values) return values.error();
  for (const auto& [name, value] : *values)
    if (const auto* complex = complexes.find(name); complex && complex->is_consumable())
      if (const auto amount = complex->amount(value); amount && *amount < 0)
        return Error{"\"" + name + "=" + value + "\": it cannot be negative"};
  return Done{};
}

Result<bool> Param::on() const { return has_value ? parse_switch(value) : Result<bool>(true); }

} // namespace almanac::readers
