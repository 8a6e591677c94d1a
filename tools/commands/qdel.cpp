#include "tools/commands/commands.hpp"

#include "core/text/ranges.hpp"
#include "core/text/words.hpp"

#include <iostream>

namespace almanac {

namespace {
constexpr const char* usage = R"(usage: qdel [options] job_list
   job_list                  ids, ids with tasks (12.3, 12.1-5), names or expressions
                             of patterns (a*|b, !c)
   -f                        forget running jobs at once
   -t range_list             these tasks of the jobs: 1,3,5-9:2
   -u user_list              jobs of these users
   -help                     print this help
)";

// Some programs write "12" with its quotes (spec/client-contract.md C12); no name has any.
std::string unquoted(const std::string& target) {
  const bool is_quoted = target.size() > 2 && target.front() == '"' && target.back() == '"';
  return is_quoted ? target.substr(1, target.size() - 2) : target;
}

} // namespace

int qdel(Context& context) {
  static const std::vector<OptionRule> rules{{"-f", 0}, {"-help", 0}, {"-t", 1}, {"-u", 1}};
  auto given = parse_options(context.arguments, rules, Operands::anywhere);
  if (!given) return complain(context, given.what());
  if (given->has("-help")) {
    context.out << usage;
    return 0;
  }
  DeleteJobs command;
  for (const auto& operand : given->operands)
    for (const auto& target : words(operand, ", ")) command.targets.push_back(unquoted(target));
  if (const auto* users = given->last("-u")) command.users = split(*users, ',');
  command.force = given->has("-f");
  if (const auto* text = given->last("-t")) {
    auto ranges = parse_task_ranges(*text);
    if (!ranges) return complain(context, "option -t: " + ranges.what());
    command.tasks = std::move(*ranges);
  }
  if (command.targets.empty() && command.users.empty()) {
    context.err << usage << "ERROR! no option argument\n";
    return 1;
  }
  return run_command(context, command);
}

} // namespace almanac
