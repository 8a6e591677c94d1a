#include "core/text/words.hpp"
#include "tools/commands/commands.hpp"

#include <iostream>

namespace almanac {

namespace {

std::string usage() {
  auto lines = alter_usage();
  lines.push_back({"-u", "user_list", "jobs of these users"});
  return "usage: qalter [options] job_list\n"
         "   job_list                  ids, names or patterns\n" +
         print_usage(std::move(lines));
}

} // namespace

int qalter(Context& context) {
  const auto given = parse_options(context.arguments, alter_option_rules(), Operands::anywhere);
  if (!given) return complain(context, given.what());
  if (given->has("-help")) {
    context.out << usage();
    return 0;
  }
  AlterJobs command;
  for (const auto& operand : given->operands)
    for (auto& target : words(operand, ", ")) command.targets.push_back(std::move(target));
  if (const auto* users = given->last("-u")) command.users = split(*users, ',');
  std::vector<std::string> words_for_job;
  for (const auto& option : given->options) {
    if (option.name == "-u") continue;
    words_for_job.push_back(option.name);
    words_for_job.insert(words_for_job.end(), option.values.begin(), option.values.end());
  }
  words_for_job.insert(words_for_job.end(), {"-b", "y", "true"});
  const SubmitSite place{context.directory, context.environment,
                         [&](const DateTime& date) { return to_instant(date, context.now()); }};
  auto parsed = parse_submission(
      words_for_job, place, [](const std::string&) { return Result<std::string>(std::string()); });
  if (!parsed) return complain(context, parsed.what());
  for (const auto& name : parsed->given)
    if (find_submit_option(name)->alter->kind == Alteration::Kind::changes)
      command.options.push_back(name);
  if (command.options.empty()) return complain(context, "no option to change was given");
  command.request = parsed->request;
  return run_command(context, command);
}

} // namespace almanac
