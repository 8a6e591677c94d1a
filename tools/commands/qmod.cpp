#include "tools/commands/commands.hpp"

#include "core/text/words.hpp"

#include <iostream>
#include <map>

namespace almanac {

namespace {
constexpr const char* usage = R"(usage: qmod option queue_or_job_list
   -d                        disable queues: nothing new starts in them
   -e                        enable queues
   -sq                       suspend queues with their jobs
   -usq                      unsuspend queues with their jobs
   -cq                       clear the error state of queues
   -cj                       clear the error state of jobs
   -help                     print this help
)";
} // namespace

int qmod(Context& context) {
  static const std::vector<OptionRule> rules{
      {"-d", 0},          {"-e", 0},         {"-sq", 0},        {"-usq", 0},
      {"-cq", 0},         {"-cj", 0},        {"-help", 0},      {"-sj", 0, false},
      {"-usj", 0, false}, {"-rj", 0, false}, {"-rq", 0, false}, {"-s", 0, false},
      {"-us", 0, false},  {"-r", 0, false},  {"-c", 0, false},  {"-f", 0, false}};
  static const std::map<std::string, QueueAction> actions{{"-d", QueueAction::disable},
                                                          {"-e", QueueAction::enable},
                                                          {"-sq", QueueAction::suspend},
                                                          {"-usq", QueueAction::unsuspend},
                                                          {"-cq", QueueAction::clear_error}};
  auto given = parse_options(context.arguments, rules, Operands::anywhere);
  if (!given) {
    context.err << usage;
    return complain(context, given.what());
  }
  if (given->has("-help")) {
    context.out << usage;
    return 0;
  }
  std::vector<std::string> targets;
  for (const auto& operand : given->operands)
    for (auto& target : words(operand, ", ")) targets.push_back(std::move(target));
  if (given->options.size() != 1 || targets.empty()) {
    context.err << usage << "ERROR! expected one option and a list\n";
    return 1;
  }
  const auto& option = given->options.front().name;
  if (option == "-cj") return run_command(context, ClearJobErrors{targets});
  return run_command(context, ModifyQueues{actions.at(option), targets});
}

} // namespace almanac
