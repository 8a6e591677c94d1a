#include "core/request/reserve_options.hpp"

#include "core/text/names.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac {

const std::vector<OptionRule>& reserve_option_rules() {
  static const auto all = [] {
    std::vector<OptionRule> made;
    for (const auto& option : reserve_table())
      made.push_back({std::string(*option.name), count_values(*option.values), true});
    const auto others = reserve_options_not_built();
    made.insert(made.end(), others.begin(), others.end());
    return made;
  }();
  return all;
}

Result<ReserveOptions> parse_reservation(const std::vector<std::string>& arguments,
                                         const ToInstant& to_instant, const OptionsOf& options_of,
                                         const std::vector<std::vector<GivenOption>>& defaults) {
  const auto given = parse_options(arguments, reserve_option_rules(), Operands::anywhere);
  if (!given) return given.error();
  if (!given->operands.empty())
    return Error{"invalid option argument \"" + given->operands.front() + "\""};
  ReserveOptions result;
  result.help = given->has("-help");
  if (result.help) return result; // whatever stands in files
  auto sources = defaults;
  sources.push_back(given->options);
  for (const auto& source : sources) {
    std::vector<std::string> read;
    if (auto done = read_reserve_options(result, source, to_instant, options_of, read); !done)
      return done.error();
  }
  return result;
}

namespace {

// Of both commands; what qrsub alone has is refused by name.
const std::vector<OptionRule>& alteration_rules() {
  static const auto all = [] {
    std::vector<OptionRule> made{{"-f", 0}, {"-rest", 0}};
    for (auto rule : reserve_option_rules()) {
      rule.built = rule.built && rule.name != "-@";
      made.push_back(std::move(rule));
    }
    return made;
  }();
  return all;
}

Result<ReservationNumber> altered_number(const std::vector<std::string>& operands) {
  if (operands.empty()) return Error{"the id of an advance reservation is needed"};
  if (operands.size() > 1)
    return Error{"only one advance reservation is changed at a time: one id"};
  const auto number = parse_reservation_id(operands.front());
  if (!number || !*number || number->value > most_slots)
    return Error{"\"" + excerpt(operands.front()) + "\" is an invalid advance reservation id"};
  return *number;
}

// What is read for it, under the name of what it changes: a host is a request of -l.
Outcome read_alteration(const GivenOption& option, ReserveOptions& read,
                        std::vector<std::string>& read_names, AlterationOptions& into,
                        const ToInstant& to_instant) {
  const std::string name = option.name == "-h" ? "-l" : option.name;
  const auto* alteration = find_reserve_alteration(name);
  if (!alteration && name != "-w" && name != "-help")
    return Error{"option " + name + " of an advance reservation cannot be changed"};
  const bool is_cleared = alteration && *alteration->clears && option.values.front().empty();
  if (!is_cleared)
    if (auto done = read_reserve_options(read, {option}, to_instant, {}, read_names); !done)
      return done;
  auto& names = into.command.options;
  if (alteration && std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(name);
  return Done{};
}

} // namespace

Result<AlterationOptions> parse_alteration(const std::vector<std::string>& arguments,
                                           const ToInstant& to_instant) {
  const auto given = parse_options(arguments, alteration_rules(), Operands::anywhere);
  if (!given) return given.error();
  AlterationOptions result;
  ReserveOptions read;
  std::vector<std::string> read_names;
  for (const auto& option : given->options) {
    if (option.name == "-rest") return Error{"the advance reservation is not part of a series"};
    if (option.name == "-f") result.command.force = true;
    else if (auto done = read_alteration(option, read, read_names, result, to_instant); !done)
      return done.error();
  }
  result.command.request = std::move(read.request);
  result.verify = read.verify, result.price = read.price, result.help = read.help;
  if (result.help || result.command.options.empty()) return result;
  const auto number = altered_number(given->operands);
  if (!number) return number.error();
  result.command.number = *number;
  return result;
}

} // namespace almanac
