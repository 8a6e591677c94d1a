#include "tools/commands/commands.hpp"

#include <iostream>
#include <optional>
#include <sstream>

namespace almanac {

namespace {

constexpr const char* usage = "usage: qsub [options] [command [args]]\n";

// What became of a task; the exit status of the command.
int tell_end(Context& context, JobNumber number, const AccountingRecord& task) {
  const auto id = to_string(number) + (task.task > 0 ? "." + std::to_string(task.task) : "");
  if (task.record.failed == failed::none) {
    context.out << "Job " << id << " exited with exit code " << task.record.exit_status << ".\n";
    return static_cast<int>(task.record.exit_status);
  }
  const auto& why = task.record.reason;
  context.err << "Unable to run job " << id << (why.empty() ? "" : ": ") << why << ".\n";
  return 1;
}

int await_end(Context& context, JobNumber number) {
  std::optional<int> code;
  const int asked =
      ask<door::Accounting>(context, door::AwaitJob{number}, [&](door::Accounting& end) {
        for (const auto& task : end.records) code = tell_end(context, number, task);
      });
  if (asked != 0) return asked;
  if (code) return *code;
  context.err << "Unable to run job " << to_string(number) << ": it was deleted before it ran.\n";
  return 1;
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
    context.out << usage << print_usage(submit_usage());
    return 0;
  }
  const auto& request = parsed->request;
  if (request.validation == Validation::verify || request.validation == Validation::poke) {
    int code = 0;
    const int asked = ask<Answer>(context, door::AskSubmit{{request, ""}},
                                  [&](Answer& answer) { code = print_answer(context, answer); });
    return asked != 0 ? asked : code;
  }
  JobNumber number;
  int code = 0;
  const int asked =
      ask<Answer>(context, door::RunCommand{Submit{request, ""}}, [&](Answer& answer) {
        number = {answer.number};
        if (parsed->terse && number) {
          const auto& tasks = request.tasks;
          context.out << to_string(number);
          if (tasks.is_array())
            context.out << "." << tasks.first << "-" << tasks.last << ":" << tasks.step;
          context.out << "\n";
          const auto is_news = [](const auto& said) { return !said.trouble; };
          std::erase_if(answer.statements, is_news);
          std::erase_if(answer.lines, is_news);
        }
        code = print_answer(context, answer);
      });
  if (asked != 0 || code != 0 || !parsed->sync) return asked != 0 ? asked : code;
  context.door.catch_interrupt();
  context.out.flush();
  const int end = await_end(context, number);
  if (!context.door.take_interrupt()) return end;
  // Who stops waiting takes the job back (spec/cli.md section 3).
  run_command(context, DeleteJobs{{to_string(number)}, {}, {}, false});
  return 1;
}

} // namespace almanac
