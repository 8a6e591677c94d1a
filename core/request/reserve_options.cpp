#include "core/request/reserve_options.hpp"

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

} // namespace almanac
