#include "core/request/reserve_options.hpp"

namespace almanac {

namespace {

const std::vector<OptionRule>& rules() {
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

} // namespace

Result<ReserveOptions> parse_reservation(const std::vector<std::string>& arguments,
                                         const ToInstant& to_instant) {
  const auto given = parse_options(arguments, rules(), Operands::anywhere);
  if (!given) return given.error();
  if (!given->operands.empty())
    return Error{"invalid option argument \"" + given->operands.front() + "\""};
  ReserveOptions result;
  for (const auto& option : given->options)
    if (auto read = (*find_reserve_option(option.name)->read)({result, option, to_instant}); !read)
      return read.error();
  return result;
}

} // namespace almanac
