#include "tools/commands/commands.hpp"

#include "core/text/words.hpp"
#include "tools/commands/reservation_key.hpp"

#include <iostream>

namespace almanac {

namespace {
constexpr const char* usage = R"(usage: qrdel [options] ar_list
   ar_list                   ids, names or patterns; that of a series means all its occurrences
   -f                        do not wait for the jobs in it
   -help                     print this help
   -reskey file              the key of the one reservation that is named stands in this file
   -rest                     these occurrences of series and all later ones
   -u user_list              reservations of these users: names, patterns, @usersets; '*' means all
)";
} // namespace

int qrdel(Context& context) {
  static const std::vector<OptionRule> rules{
      {"-f", 0}, {"-help", 0}, {"-reskey", 1}, {"-rest", 0}, {"-u", 1}};
  auto given = parse_options(context.arguments, rules, Operands::anywhere);
  if (!given) {
    context.err << usage << "error: " << given.what() << "\n";
    return 1;
  }
  if (given->has("-help")) {
    context.out << usage;
    return 0;
  }
  DeleteReservations command;
  for (const auto& operand : given->operands)
    for (auto& target : words(operand, ", ")) command.targets.push_back(std::move(target));
  if (const auto* users = given->last("-u")) {
    command.users = words(*users, ", ");
    if (command.users.empty()) return complain(context, "option -u: no user is named");
  }
  command.force = given->has("-f");
  command.rest = given->has("-rest");
  if (command.targets.empty() && command.users.empty()) {
    context.err << usage << "ERROR! no option argument\n";
    return 1;
  }
  const auto* key_file = given->last("-reskey");
  return run_command_with_key(context, command, key_file ? *key_file : "");
}

} // namespace almanac
