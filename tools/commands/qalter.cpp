#include "core/planning/commands/alteration.hpp"
#include "core/text/words.hpp"
#include "tools/commands/commands.hpp"

#include <algorithm>
#include <iostream>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qalter [options] job_list
   job_list                  ids, names or patterns
   -a date_time              request a start time
   -A account                account string in the accounting record
   -dl date_time             deadline
   -e path                   file for standard error
   -hard                     the following -l and -q are hard
   -j y|n                    standard error into standard output
   -js share                 job share of the functional policy
   -l resource_list          requests, as name=value,...
   -m b|e|a|s|n              mail at begin, end, abort or suspension, or none
   -M user[@host],...        who gets it, the owner if it is missing
   -masterq queue_list       queues the first slot of a parallel job may be in
   -N name                   the job's name
   -notify                   a signal that can be caught before SIGKILL and SIGSTOP
   -o path                   file for standard output
   -ot tickets               override tickets, given by operators
   -p priority               -1023 to 1024
   -P project                the project it belongs to
   -pe pe slot_range         a parallel job
   -q queue_list             queues it may run in
   -r y|n                    rerunnable
   -R y|n                    job reservation
   -soft                     the following -l and -q are soft
   -S path                   the shell that reads the script
   -tc tasks                 tasks of an array that may run at the same time
   -u user_list              jobs of these users
   -help                     print this help
)";

std::vector<OptionRule> alter_rules() {
  std::vector<OptionRule> rules{{"-u", 1}, {"-uall", 0, false}};
  for (auto rule : submit_option_rules()) {
    rule.built = rule.built && (can_be_altered(rule.name) || rule.name == "-help" ||
                                rule.name == "-soft" || rule.name == "-hard");
    rules.push_back(std::move(rule));
  }
  return rules;
}

} // namespace

int qalter(Context& context) {
  const auto given = parse_options(context.arguments, alter_rules(), Operands::anywhere);
  if (!given) return complain(context, given.what());
  if (given->has("-help")) {
    context.out << usage;
    return 0;
  }
  AlterJobs command;
  for (const auto& operand : given->operands)
    for (auto& target : words(operand, ", ")) command.targets.push_back(std::move(target));
  if (const auto* users = given->last("-u")) command.users = split(*users, ',');
  std::vector<std::string> words_for_job;
  bool soft = false;
  for (const auto& option : given->options) {
    if (option.name == "-u") continue;
    const bool decides = option.name == "-soft" || option.name == "-hard";
    if (decides) soft = option.name == "-soft";
    const bool has_both = option.name == "-l" || option.name == "-q";
    const auto name = soft && has_both ? "-soft " + option.name : option.name;
    if (!decides && !std::count(command.options.begin(), command.options.end(), name))
      command.options.push_back(name);
    words_for_job.push_back(option.name);
    words_for_job.insert(words_for_job.end(), option.values.begin(), option.values.end());
  }
  if (command.options.empty()) return complain(context, "no option says what is to be changed");
  words_for_job.insert(words_for_job.end(), {"-b", "y", "true"});
  const SubmitSite place{context.directory, context.environment,
                         [&](const DateTime& date) { return to_instant(date, context.now()); }};
  auto parsed = parse_submission(
      words_for_job, place, [](const std::string&) { return Result<std::string>(std::string()); });
  if (!parsed) return complain(context, parsed.what());
  command.request = parsed->request;
  return run_command(context, command);
}

} // namespace almanac
