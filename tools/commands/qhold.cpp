#include "tools/commands/commands.hpp"

#include "core/text/ranges.hpp"
#include "core/text/words.hpp"

#include <iostream>

namespace almanac {

namespace {

int change_hold(Context& context, bool release) {
  static const std::vector<OptionRule> rules{{"-h", 1}, {"-help", 0}, {"-t", 1}, {"-u", 1}};
  const auto usage =
      "usage: " + context.program +
      " [options] job_list|all\n"
      "   job_list                  ids, ids with tasks (12.3, 12.1-5), names or expressions\n"
      "                             of patterns (a*|b, !c); all: all jobs that you may change\n"
      "   -h u|o|s,...              which holds: of the user, operator or system; u if "
      "it is missing\n"
      "   -t range_list             these tasks of the jobs: 1,3,5-9:2\n"
      "   -u user_list              jobs of these users\n"
      "   -help                     print this help\n";
  auto given = parse_options(context.arguments, rules, Operands::anywhere);
  if (!given) return complain(context, given.what());
  if (given->has("-help")) {
    context.out << usage;
    return 0;
  }
  ChangeHold command;
  command.release = release;
  for (const auto& operand : given->operands)
    for (auto& target : words(operand, ", ")) command.targets.push_back(std::move(target));
  if (const auto* users = given->last("-u")) command.users = split(*users, ',');
  if (const auto* text = given->last("-t")) {
    auto ranges = parse_task_ranges(*text);
    if (!ranges) return complain(context, "option -t: " + ranges.what());
    command.tasks = std::move(*ranges);
  }
  const auto* letters = given->last("-h");
  for (const char letter : letters ? *letters : std::string("u")) {
    if (letter == 'u') command.held_by_user = true;
    else if (letter == 'o') command.held_by_operator = true;
    else if (letter == 's') command.held_by_system = true;
    else if (letter != ',')
      return complain(context, "option -h " + *letters + ": expected one or more of u, o, s");
  }
  if (command.targets.empty() && command.users.empty()) {
    context.err << usage << "ERROR! no option argument\n";
    return 1;
  }
  return run_command(context, command);
}

} // namespace

int qhold(Context& context) { return change_hold(context, false); }
int qrls(Context& context) { return change_hold(context, true); }

} // namespace almanac
