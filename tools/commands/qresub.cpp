#include "tools/commands/commands.hpp"

#include "tools/commands/altered_jobs.hpp"
#include "tools/commands/reservation_key.hpp"
#include "tools/commands/shown_request.hpp"

#include <iostream>

namespace almanac {

namespace {

std::string usage() {
  auto lines = alter_usage();
  lines.push_back({"-u", "user_list", "jobs of these users"});
  lines.push_back({"-uall", "", "jobs of all users"});
  lines.push_back({"-h", "u|n", "u: the copies are held; n: they are not, as without this option"});
  lines.push_back({"-verify", "", "show the copies as qsub -verify does; submit none"});
  return "usage: qresub [options] job_list [-- args]\n"
         "   job_list                  ids, names or patterns\n"
         "   args                      new arguments for the copies\n" +
         print_usage(std::move(lines));
}

const std::vector<OptionRule>& rules() {
  static const auto all = [] {
    auto made = alter_option_rules();
    std::erase_if(made, [](const OptionRule& rule) { return rule.name == "-t"; });
    return made;
  }();
  return all;
}

Outcome check_options(const AlterJobs& changes) {
  const auto validation = changes.request.validation;
  if (validation == Validation::verify || validation == Validation::poke)
    return Error{"-w v and -w p are for qsub and qalter"};
  if (changes.held.find_first_not_of('u') != std::string::npos ||
      changes.released.find_first_not_of('n') != std::string::npos)
    return Error{"option -h: u or n is expected"};
  return Done{};
}

} // namespace

int qresub(Context& context) {
  const auto given = parse_options(context.arguments, rules(), Operands::anywhere);
  if (!given) return complain_of_words(context, given.what());
  if (given->has("-help")) {
    context.out << usage();
    return 0;
  }
  auto altered = altered_jobs(context, *given);
  if (!altered) return complain_of_words(context, altered.what());
  auto* changes = &altered->jobs;
  if (auto sound = check_options(*changes); !sound) return complain(context, sound.what());
  if (changes->targets.empty() && changes->users.empty()) {
    context.err << usage() << "ERROR! no job is named\n";
    return 1;
  }
  if (given->has("-verify"))
    return show_altered(context, *changes, [&](const auto& view) {
      print_request(context.out, view.job.request, context.user);
    });
  return run_command_with_key(context, ResubmitJobs{std::move(*changes)}, altered->key_file);
}

} // namespace almanac
