#include "tools/commands/commands.hpp"

#include "core/text/words.hpp"
#include "tools/commands/altered_jobs.hpp"
#include "tools/commands/reservation_key.hpp"
#include "tools/output/job_detail.hpp"

#include <iostream>

namespace almanac {

namespace {

std::string usage() {
  auto lines = alter_usage();
  lines.push_back({"-u", "user_list", "jobs of these users"});
  lines.push_back({"-uall", "", "jobs of all users"});
  lines.push_back({"-t", "range", "of these tasks of each job; only holds are of single tasks"});
  lines.push_back({"-h", "holds",
                   "letters of u, s and o place a hold of user, system or operator; "
                   "U, S and O remove it, n removes all"});
  lines.push_back(
      {"-verify", "", "show the jobs as they would be, as qstat -j does; change nothing"});
  return "usage: qalter [options] job_list [-- args]\n"
         "   job_list                  ids, names or patterns; id.range: tasks\n"
         "   args                      the job's new arguments\n" +
         print_usage(std::move(lines));
}

bool asks_only(const AlterJobs& command) {
  const auto validation = command.request.validation;
  return validation == Validation::verify || validation == Validation::poke;
}

int show(Context& context, const AlterJobs& command) {
  if (command.targets.empty() && command.users.empty())
    return complain(context, "option -verify: no job is named");
  return show_altered(context, command,
                      [&](const auto& view) { print_job(context.out, view, {}); });
}

int verify(Context& context, AlterJobs command) {
  if (command.targets.empty() && command.users.empty())
    return complain(context, "option -w: no job is named");
  int code = 0;
  const int asked = ask<Answer>(context, door::AskSubmit{{}, std::move(command)},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace

int qalter(Context& context) {
  const auto given = parse_options(context.arguments, alter_option_rules(), Operands::anywhere);
  if (!given) return complain_of_words(context, given.what());
  if (given->has("-help")) {
    context.out << usage();
    return 0;
  }
  auto altered = altered_jobs(context, *given);
  if (!altered) return complain_of_words(context, altered.what());
  auto* command = &altered->jobs;
  if (given->has("-verify")) return show(context, *command);
  if (command->options.empty() && command->held.empty() && command->released.empty())
    return complain(context, "no option to change was given");
  if (asks_only(*command)) return verify(context, std::move(*command));
  return run_command_with_key(context, std::move(*command), altered->key_file);
}

} // namespace almanac
