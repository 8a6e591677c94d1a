#include "tools/commands/commands.hpp"

#include "core/job/output_places.hpp"
#include "tools/commands/client_jsv.hpp"
#include "tools/commands/default_options.hpp"
#include "tools/commands/named_reservation.hpp"
#include "tools/commands/official_hosts.hpp"
#include "tools/commands/reservation_key.hpp"
#include "tools/commands/shown_request.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

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

// How each task ended in the end: one that ran again has a record of each run.
std::vector<AccountingRecord> last_ends(std::vector<AccountingRecord> all) {
  std::set<std::int64_t> known;
  std::vector<AccountingRecord> last;
  for (auto record = all.rbegin(); record != all.rend(); ++record)
    if (known.insert(record->task).second) last.push_back(std::move(*record));
  std::reverse(last.begin(), last.end());
  return last;
}

void keep_ends(std::vector<AccountingRecord>& ends, const door::Accounting& frame) {
  ends.insert(ends.end(), frame.records.begin(), frame.records.end());
}

// Nothing where a task of it runs, or has run; else the exit status of the command.
std::optional<int> await_start(Context& context, JobNumber number) {
  bool runs = false;
  std::optional<int> code;
  std::vector<AccountingRecord> ends;
  const auto asked = context.door.call(door::AwaitJob{number, true}, [&](door::ReplyBody& frame) {
    if (const auto* end = std::get_if<door::Accounting>(&frame)) keep_ends(ends, *end);
    else if (auto* answer = std::get_if<Answer>(&frame)) {
      runs = answer->exit_code == 0;
      if (!runs) code = print_answer(context, std::move(*answer));
    }
  });
  if (!asked) {
    print_answer(context, Answer::refusal("error: " + asked.what()));
    return 1;
  }
  for (const auto& task : last_ends(std::move(ends)))
    if (task.started.seconds > 0) runs = true;
    else code = tell_end(context, number, task);
  if (runs) {
    context.out << "Job " << to_string(number) << " is running.\n";
    context.out.flush();
    return std::nullopt;
  }
  if (code) return *code == 0 ? 1 : *code;
  context.err << "Unable to run job " << to_string(number) << ": it was deleted before it ran.\n";
  return 1;
}

int await_end(Context& context, JobNumber number) {
  std::optional<int> code; // of an array the highest
  std::vector<AccountingRecord> ends;
  const int asked = ask<door::Accounting>(context, door::AwaitJob{number},
                                          [&](door::Accounting& end) { keep_ends(ends, end); });
  if (asked != 0) return asked;
  for (const auto& task : last_ends(std::move(ends)))
    code = std::max(code.value_or(0), tell_end(context, number, task));
  if (code) return *code;
  context.err << "Unable to run job " << to_string(number) << ": it was deleted before it ran.\n";
  return 1;
}

int await(Context& context, JobNumber number, WaitFor wait) {
  if (wait.start)
    if (const auto code = await_start(context, number)) return *code;
  return wait.end ? await_end(context, number) : 0;
}

Result<SubmitOptions> read_words(Context& context) {
  const SubmitSite place{context.directory, context.environment,
                         [&](const DateTime& date) { return to_instant(date, context.now()); },
                         context.host, find_reservation_by_name(context)};
  const auto& rules = submit_option_rules();
  const auto given = parse_options(context.arguments, rules, Operands::end_options);
  if (!given) return given.error();
  if (given->has("-help")) return parse_submission(context.arguments, place, {});
  auto defaults = read_default_files(context, "sge_request", DefaultFiles::directory_too, rules);
  if (!defaults) return defaults.error();
  const auto read_script = [&](const std::string& path) -> Result<std::string> {
    if (path != "-")
      return read_text_file(path.starts_with('/') ? path : context.directory + "/" + path);
    std::ostringstream content;
    content << context.in.rdbuf();
    if (content.str().empty()) return Error{"standard input is empty: there is no script in it"};
    return content.str();
  };
  return parse_submission(context.arguments, place,
                          {read_script, options_of_files(context, rules), std::move(*defaults)});
}

void tell_output(Context& context, const JobRequest& request, JobNumber number) {
  Job job;
  job.number = number, job.owner.user = context.user, job.request = request;
  const auto [output, error] = output_places(job);
  tell_person(context, "output goes to " + output + (error.empty() ? "" : ", errors to " + error));
}

int verify(Context& context, const JobRequest& request) {
  int code = 0;
  const int asked = ask<Answer>(context, door::AskSubmit{{request, ""}},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace

int qsub(Context& context) {
  auto parsed = read_words(context);
  if (!parsed) return complain_of_words(context, parsed.what());
  if (parsed->help) {
    context.out << usage << print_usage(submit_usage());
    return 0;
  }
  const auto& request = parsed->request;
  use_official_hosts(context, parsed->request);
  if (parsed->verify) return show_request(context, request);
  if (auto asked = ask_client_jsvs(context, *parsed); !asked)
    return tell_rejection(context, asked.what());
  if (request.validation == Validation::verify || request.validation == Validation::poke)
    return verify(context, request);
  JobNumber number;
  int code = 0;
  auto command = with_claim(context, Submit{request, ""}, parsed->key_file);
  if (!command) return complain(context, command.what());
  const int asked = ask<Answer>(context, std::move(*command), [&](Answer& answer) {
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
    if (number && !parsed->terse) tell_output(context, request, number);
  });
  const auto wait = parsed->wait;
  if (asked != 0 || code != 0 || (!wait.start && !wait.end)) return asked != 0 ? asked : code;
  context.door.catch_interrupt();
  context.out.flush();
  const int end = await(context, number, wait);
  if (!context.door.take_interrupt()) return end;
  // Who stops waiting takes the job back (spec/cli.md section 3).
  run_command(context, DeleteJobs{{to_string(number)}, {}, {}, false});
  return 1;
}

} // namespace almanac
