#include "tools/commands/altered_jobs.hpp"

#include "core/request/altered_request.hpp"
#include "core/request/submit_options.hpp"
#include "core/text/words.hpp"
#include "tools/commands/default_options.hpp"
#include "tools/commands/named_reservation.hpp"
#include "tools/commands/official_hosts.hpp"

#include <algorithm>
#include <array>

namespace almanac {

namespace {

// Which jobs and tasks are meant, and what has a form of its own here.
constexpr std::array<std::string_view, 4> own_options{"-u", "-uall", "-t", "-h"};

// Letters of u, s, o and n; capitals remove.
Outcome read_holds(const GivenOption& option, AlterJobs& command) {
  for (const char letter : option.values.front()) {
    const auto place = std::string_view("uos").find(letter);
    const auto removal = std::string_view("UOS").find(letter);
    if (place != std::string_view::npos) command.held += letter;
    else if (removal != std::string_view::npos) command.released += "uos"[removal];
    else if (letter == 'n') command.released += letter;
    else if (letter != ',') return option.wrong("letters of u, s, o, n, U, S and O are expected");
  }
  for (const char letter : command.held)
    if (command.released.find_first_of(std::string{letter, 'n'}) != std::string::npos)
      return option.wrong("a hold is placed and removed at once");
  return Done{};
}

Outcome read_own(const GivenOption& option, AlterJobs& command, std::string& tasks) {
  if (option.name == "-u") command.users = split(option.values.front(), ',');
  else if (option.name == "-uall") command.users = {"*"};
  else if (option.name == "-h") return read_holds(option, command);
  else if (auto range = parse_task_range(option.values.front())) tasks = option.values.front();
  else return option.wrong(range.what());
  return Done{};
}

// -t holds for each job that is named without tasks.
Outcome add_tasks(std::vector<std::string>& targets, const std::string& tasks) {
  if (tasks.empty()) return Done{};
  for (auto& target : targets)
    if (!all_digits(target))
      return Error{"option -t " + tasks + ": only jobs that are named by their ids have tasks"};
    else target += "." + tasks;
  return Done{};
}

} // namespace

Result<AlteredJobs> altered_jobs(const Context& context, const GivenOptions& given) {
  AlterJobs command;
  const auto end = given.operands.begin() + static_cast<std::ptrdiff_t>(given.before_dashes());
  for (auto it = given.operands.begin(); it != end; ++it)
    for (auto& target : words(*it, ", ")) command.targets.push_back(std::move(target));
  auto of_jobs = given;
  of_jobs.options.clear();
  std::string tasks;
  for (const auto& option : given.options)
    if (option.name == "-verify") continue; // of the command itself
    else if (std::find(own_options.begin(), own_options.end(), option.name) == own_options.end())
      of_jobs.options.push_back(option);
    else if (auto read = read_own(option, command, tasks); !read) return read.error();
  if (auto added = add_tasks(command.targets, tasks); !added) return added.error();
  const SubmitSite place{context.directory, context.environment,
                         [&](const DateTime& date) { return to_instant(date, context.now()); },
                         context.host, find_reservation_by_name(context)};
  auto parsed =
      parse_job_alteration(of_jobs, place, options_of_files(context, submit_option_rules()));
  if (!parsed) return parsed.error();
  for (const auto& name : parsed->given) {
    const auto kind = find_submit_option(name)->alter->kind;
    if (kind == Alteration::Kind::never)
      return Error{"option " + name + " of a job cannot be changed"};
    if (kind == Alteration::Kind::changes) command.options.push_back(name);
  }
  command.request = std::move(parsed->request);
  use_official_hosts(context, command.request);
  command.context = std::move(parsed->context);
  return AlteredJobs{std::move(command), std::move(parsed->key_file)};
}

int show_altered(Context& context, const AlterJobs& command, const PrintJob& print) {
  door::GetJobs query{command.targets, command.users, true};
  // As in a change: names without -u mean the caller's own jobs.
  const bool has_name = !std::all_of(query.jobs.begin(), query.jobs.end(),
                                     [](const auto& target) { return all_digits(target); });
  if (query.users.empty() && has_name) query.users = {"$user"};
  std::vector<std::string> unknown;
  bool is_any = false;
  const int asked = ask<door::Jobs>(context, query, [&](door::Jobs& frame) {
    for (auto& view : frame.jobs) {
      view.job.request = altered_request(*view.job.request, command);
      print(view), is_any = true;
    }
    unknown.insert(unknown.end(), frame.unknown.begin(), frame.unknown.end());
  });
  if (asked != 0) return asked;
  Answer answer;
  for (const auto& target : unknown) answer.refuse({AnswerCode::no_such_job, {{"job", target}}});
  if (!is_any && unknown.empty())
    answer.refuse({AnswerCode::no_jobs_of_users, {{"users", join(command.users, ",")}}});
  return print_answer(context, std::move(answer));
}

} // namespace almanac
