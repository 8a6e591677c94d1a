#include "tools/commands/commands.hpp"

#include <iostream>
#include <sstream>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qsub [options] [command [args]]
   -a date_time              request a start time
   -ar ar_id                 run inside an advance reservation
   -A account                account string in the accounting record
   -b y|n                    the command is a program, not a script
   -clear                    drop the options before this one
   -C prefix                 prefix of option lines in the script
   -cwd                      the job works in the present directory
   -dl date_time             deadline: towards it the job becomes more urgent
   -e path                   file for standard error
   -h                        a user hold
   -hard                     the following -l and -q are hard: it runs nowhere else
   -hold_jid job_list        wait until these jobs are finished
   -j y|n                    standard error into standard output
   -js share                 job share of the functional policy
   -l resource_list          requests, as name=value,...
   -m b|e|a|s|n              mail at begin, end, abort or suspension, or none
   -M user[@host],...        who gets it, the owner if it is missing
   -masterq queue_list       queues the first slot of a parallel job may be in
   -N name                   the job's name
   -notify                   a signal that can be caught before SIGKILL and SIGSTOP
   -now y|n                  start at once, in an interactive queue, or not at all
   -o path                   file for standard output
   -ot tickets               override tickets, given by operators
   -p priority               -1023 to 1024
   -P project                the project it belongs to
   -pe pe slot_range         a parallel job
   -q queue_list             queues it may run in
   -R y|n                    hold the earliest place for it (max_reservation)
   -r y|n                    rerunnable
   -shell y|n                with -b y: n executes the words as they are, without a shell
   -soft                     the following -l and -q are soft: preferred, the fewest unmet
   -S path                   the shell that reads the script
   -sync y|n                 wait for the end and exit with the job's status
   -t range                  an array job
   -tc tasks                 of the array, so many at the same time
   -terse                    print nothing but the id
   -v variables              export these variables, as name or name=value
   -V                        export the whole environment
   -w e|w|n|v|p              verify that the job can run: refuse, warn, nothing, only say (v: on an
                             empty cluster, p: as it is)
   -wd dir                   the job works in this directory
   -help                     print this help
)";

int await_end(Context& context, std::int64_t number) {
  int code = 0;
  const int asked =
      ask<door::Accounting>(context, door::AwaitJob{number}, [&](door::Accounting& end) {
        for (const auto& task : end.records) {
          code = static_cast<int>(task.record.exit_status);
          const auto id =
              std::to_string(number) + (task.task > 0 ? "." + std::to_string(task.task) : "");
          if (task.record.failed == failed::none) {
            context.out << "Job " << id << " exited with exit code " << task.record.exit_status
                        << ".\n";
          } else {
            const auto& why = task.record.reason;
            context.err << "Unable to run job " << id << (why.empty() ? "" : ": ") << why << ".\n";
            code = 1;
          }
        }
        if (end.records.empty()) {
          context.err << "Unable to run job " << number << ": it was deleted before it ran.\n";
          code = 1;
        }
      });
  return asked != 0 ? asked : code;
}

} // namespace

int qsub(Context& context) {
  const SubmitSite place{context.directory, context.environment,
                         [&](const DateTime& date) { return to_instant(date, context.now()); }};
  auto parsed = parse_submission(
      context.arguments, place, [&](const std::string& path) -> Result<std::string> {
        if (path != "-")
          return read_text_file(path.starts_with('/') ? path : context.directory + "/" + path);
        std::ostringstream content;
        content << context.in.rdbuf();
        return content.str();
      });
  if (!parsed) return complain(context, parsed.what());
  if (parsed->help) {
    context.out << usage;
    return 0;
  }
  const auto& request = parsed->request;
  if (request.validation == Validation::verify || request.validation == Validation::poke) {
    int code = 0;
    const int asked = ask<Answer>(context, door::AskSubmit{{request, ""}},
                                  [&](Answer& answer) { code = print_answer(context, answer); });
    return asked != 0 ? asked : code;
  }
  std::int64_t number = 0;
  int code = 0;
  const int asked =
      ask<Answer>(context, door::RunCommand{Submit{request, ""}}, [&](Answer& answer) {
        number = answer.number;
        if (parsed->terse && number > 0) {
          const auto& tasks = request.tasks;
          context.out << number;
          if (tasks.is_array())
            context.out << "." << tasks.first << "-" << tasks.last << ":" << tasks.step;
          context.out << "\n";
          std::erase_if(answer.lines, [](const Line& line) { return !line.trouble; });
        }
        code = print_answer(context, answer);
      });
  if (asked != 0 || code != 0 || !parsed->sync) return asked != 0 ? asked : code;
  context.door.catch_interrupt();
  context.out.flush();
  const int end = await_end(context, number);
  if (!context.door.take_interrupt()) return end;
  // Who stops waiting takes the job back (spec/cli.md section 3).
  run_command(context, DeleteJobs{{std::to_string(number)}, {}, {}, false});
  return 1;
}

} // namespace almanac
