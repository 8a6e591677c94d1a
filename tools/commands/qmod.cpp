#include "tools/commands/commands.hpp"

#include "core/request/read_columns.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <iostream>
#include <map>

namespace almanac {

namespace {

constexpr const char* usage = R"(usage: qmod [-f] option list [option list ...]
   -c job_queue_list         clear the error state of jobs or queues
   -cj job_list              clear the error state of jobs
   -cq queue_list            clear the error state of queues
   -d queue_list             disable queues, or all that is on a host or a host group: nothing
                             new starts in them
   -e queue_list             enable queues, or all that is on a host or a host group
   -f                        reschedule also what is not rerunnable; change also
                             what is in the state already
   -help                     print this help
   -r job_queue_list         reschedule jobs, or the jobs that run in queues
   -rj job_list              reschedule jobs
   -rq queue_list            reschedule the jobs that run in queues
   -s job_queue_list         suspend jobs, or queues with their jobs
   -sj job_list              suspend jobs
   -sq queue_list            suspend queues with their jobs
   -until [[CC]YY]MMDDhhmm[.SS]
                             with -d: they are enabled again at that time
   -us job_queue_list        unsuspend jobs, or queues with their jobs
   -usj job_list             unsuspend jobs
   -usq queue_list           unsuspend queues with their jobs
   -why text                 with -d: the reason, which qstat -f and qhost show
   job_list                  ids, ids with tasks (12.3, 12.1-5), names or patterns
   queue_list                queues (all.q), queue instances (all.q@n1) or hosts of a
                             group (all.q@@group), patterns
)";

// An option with the list behind it.
struct Wish {
  std::string option;
  std::vector<std::string> targets;
};

using MakeCommand = CommandBody (*)(std::vector<std::string> targets, bool force);

template <QueueAction action> CommandBody queues(std::vector<std::string> targets, bool force) {
  return ModifyQueues{action, std::move(targets), force};
}
template <JobAction action> CommandBody jobs(std::vector<std::string> targets, bool force) {
  return ModifyJobs{action, std::move(targets), force, false};
}
template <JobAction action> CommandBody either(std::vector<std::string> targets, bool force) {
  return ModifyJobs{action, std::move(targets), force, true};
}

const std::map<std::string, MakeCommand>& commands() {
  static const std::map<std::string, MakeCommand> known{
      {"-d", queues<QueueAction::disable>},      {"-e", queues<QueueAction::enable>},
      {"-sq", queues<QueueAction::suspend>},     {"-usq", queues<QueueAction::unsuspend>},
      {"-cq", queues<QueueAction::clear_error>}, {"-rq", queues<QueueAction::reschedule>},
      {"-sj", jobs<JobAction::suspend>},         {"-usj", jobs<JobAction::unsuspend>},
      {"-cj", jobs<JobAction::clear_error>},     {"-rj", jobs<JobAction::reschedule>},
      {"-s", either<JobAction::suspend>},        {"-us", either<JobAction::unsuspend>},
      {"-c", either<JobAction::clear_error>},    {"-r", either<JobAction::reschedule>}};
  return known;
}

// As Grid Engine's qmod spells them, too.
std::string short_form(const std::string& option) {
  static const std::map<std::string, std::string> forms{
      {"--clear", "-c"},           {"--clearjob", "-cj"},      {"--clearqueue", "-cq"},
      {"--disable", "-d"},         {"--enable", "-e"},         {"--force", "-f"},
      {"--help", "-help"},         {"--reschedule", "-r"},     {"--reschedulejob", "-rj"},
      {"--suspend", "-s"},         {"--suspendjob", "-sj"},    {"--suspendqueue", "-sq"},
      {"--unsuspend", "-us"},      {"--unsuspendjob", "-usj"}, {"--unsuspendqueue", "-usq"},
      {"--reschedulequeue", "-rq"}};
  const auto found = forms.find(option);
  return found == forms.end() ? option : found->second;
}

struct Wishes {
  std::vector<Wish> list; ///< in the order in which they were given
  bool force = false, help = false;
  std::string why; ///< of what is disabled
  Instant until;
};

// Of -why and -until.
Outcome read_drain(const GivenOption& option, Instant now, Wishes& wishes) {
  const auto& text = option.values.front();
  if (option.name == "-why") {
    wishes.why = text;
    return text.empty() ? Outcome(Error{"option -why: the text is empty"}) : Outcome(Done{});
  }
  const auto until =
      parse_instant(option, [&](const DateTime& date) { return to_instant(date, now); });
  if (!until) return until.error();
  wishes.until = *until;
  return Done{};
}

// What is wrong is said as the options of other commands are.
Result<Wishes> read_wishes(const std::vector<std::string>& arguments, Instant now) {
  Wishes wishes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto argument = short_form(arguments[i]);
    if (argument == "-why" || argument == "-until") {
      if (++i == arguments.size()) return Error{"option " + argument + " needs a value"};
      if (auto read = read_drain({argument, {arguments[i]}}, now, wishes); !read)
        return read.error();
    } else if (argument == "-f") wishes.force = true;
    else if (argument == "-help") wishes.help = true;
    else if (commands().contains(argument)) wishes.list.push_back({argument, {}});
    else if (argument.starts_with('-') || wishes.list.empty())
      return Error{"invalid option argument \"" + argument + "\""};
    else
      for (auto& target : words(argument, ", "))
        wishes.list.back().targets.push_back(std::move(target));
  }
  const bool disables = std::any_of(wishes.list.begin(), wishes.list.end(),
                                    [](const Wish& wish) { return wish.option == "-d"; });
  if (!disables && (!wishes.why.empty() || wishes.until.seconds))
    return Error{"-why and -until belong to -d"};
  return wishes;
}

} // namespace

int qmod(Context& context) {
  const auto wishes = read_wishes(context.arguments, context.now());
  if (!wishes) {
    context.err << usage;
    return complain(context, wishes.what());
  }
  if (wishes->help) {
    context.out << usage;
    return 0;
  }
  const bool is_empty = std::any_of(wishes->list.begin(), wishes->list.end(),
                                    [](const Wish& wish) { return wish.targets.empty(); });
  if (wishes->list.empty() || is_empty) {
    context.err << usage << "ERROR! expected an option and a list\n";
    return 1;
  }
  int code = 0;
  for (const auto& [option, targets] : wishes->list) {
    auto command = commands().at(option)(targets, wishes->force);
    if (option == "-d") {
      auto& disabled = std::get<ModifyQueues>(command);
      disabled.why = wishes->why, disabled.until = wishes->until;
    }
    code = std::max(code, run_command(context, std::move(command)));
  }
  return code;
}

} // namespace almanac
