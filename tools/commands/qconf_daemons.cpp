#include "tools/commands/qconf_daemons.hpp"

#include "core/text/names.hpp"
#include "core/text/table.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <ostream>

namespace almanac {

namespace {

constexpr std::size_t table_width = 47;

// ---- -sep -----------------------------------------------------------------------------------------

int show_processors(Context& context) {
  std::map<std::string, door::MachineView> machines;
  const int asked = ask<door::Cluster>(context, door::GetCluster{}, [&](door::Cluster& frame) {
    for (auto& host : frame.hosts) machines[host.state.name] = std::move(host.state.facts);
  });
  if (asked != 0) return asked;
  if (machines.empty()) {
    context.err << "no execution hosts defined\n";
    return 1;
  }
  const auto row = [&](const std::string& host, const std::string& processors,
                       const std::string& arch) {
    context.out << line(left(host, 25) + right(processors, 10) + right(arch, 12));
  };
  const auto rule = std::string(table_width, '=') + "\n";
  row("HOST", "PROCESSORS", "ARCH");
  context.out << rule;
  std::int64_t sum = 0;
  for (const auto& [name, machine] : machines) {
    row(name, std::to_string(machine.processors), machine.arch);
    sum += machine.processors;
  }
  context.out << rule;
  row("SUM", std::to_string(sum), "");
  return 0;
}

// ---- -secl ----------------------------------------------------------------------------------------

std::int64_t feed_of(Context& context, int& code) {
  std::int64_t feed = 0;
  code = ask<door::Actors>(context, door::ListActors{}, [&](door::Actors& frame) {
    for (const auto& actor : frame.actors)
      if (actor.kind == "feed") feed = actor.id;
  });
  return feed;
}

// "subscription 3: alice login1" of the feed's own account of itself.
int show_event_clients(Context& context) {
  int code = 0;
  const auto feed = feed_of(context, code);
  if (code != 0) return code;
  std::string told;
  if (feed != 0)
    code = ask<door::Output>(context, door::InspectActor{feed, false}, [&](door::Output& output) {
      told += printable(output.content.content, "\n");
    });
  if (code != 0) return code;
  std::vector<std::vector<std::string>> clients;
  for (const auto& row : split(told, '\n'))
    if (auto parts = words(row, " :"); parts.size() == 4 && parts.front() == "subscription")
      clients.push_back(std::move(parts));
  if (clients.empty()) {
    context.err << "no event clients registered\n";
    return 1;
  }
  context.out << line(right("ID", 8) + " " + left("NAME", 15) + " " + left("HOST", 25));
  context.out << std::string(50, '-') << "\n";
  for (const auto& client : clients)
    context.out << line(right(client[1], 8) + " " + left(client[2], 15) + " " +
                        left(client[3], 25));
  return 0;
}

// ---- the scheduler --------------------------------------------------------------------------------

int control(Context& context, const std::string& option, const std::vector<std::string>& values) {
  if (!values.empty() && values.front() != "scheduler")
    return complain(context, option + ": \"" + values.front() +
                                 "\" is no thread that starts and stops, only scheduler is");
  const auto action = option == "-tsm"  ? SchedulerAction::run
                      : option == "-at" ? SchedulerAction::start
                                        : SchedulerAction::stop;
  return run_command(context, ControlScheduler{action});
}

// ---- what is not done -----------------------------------------------------------------------------

int refuse(Context& context, const std::string& option) {
  const auto by_service = [](const std::string& what) {
    return what + " by the service manager of its host: systemctl stop almanac-";
  };
  static const std::map<std::string, std::string> reasons{
      {"-ke", by_service("an execution daemon is stopped") + "agent"},
      {"-kej",
       by_service("an execution daemon is stopped") + "agent; qconf -cq *@HOST ends its jobs"},
      {"-km", by_service("the master is stopped") + "master"},
      {"-sss",
       "the scheduler is a part of the master, whose host is in the file act_qmaster of the "
       "cell's common folder"},
      {"-kec", "a subscription ends with the process that reads it"}};
  return complain(context, option + ": " + reasons.at(option));
}

} // namespace

const std::vector<QconfVerb>& daemon_verbs() {
  static const std::vector<QconfVerb> verbs{
      {"-tsm", 0, "run the scheduler and write what is booked into the schedule file"},
      {"-sep", 0, "show the processors of the exec hosts"},
      {"-secl", 0, "show who follows the changes of the cell"},
      {"-sss", 0, "refused: the scheduler is a part of the master"},
      {"-kec", 1, "refused: a subscription ends with its process"},
      {"-ke", 1, "refused: daemons are stopped by the service manager of their host"},
      {"-kej", 1, "refused, as -ke"},
      {"-km", 0, "refused, as -ke"},
      {"-ks", 0, "stop the scheduler: nothing starts until -at scheduler"},
      {"-kt", 1, "scheduler: stop the scheduler, as -ks"},
      {"-at", 1, "scheduler: start it again"}};
  return verbs;
}

std::optional<int> run_daemon_verb(Context& context, const std::string& option,
                                   const std::vector<std::string>& values) {
  const auto& all = daemon_verbs();
  if (std::none_of(all.begin(), all.end(), [&](auto& one) { return option == one.option; }))
    return std::nullopt;
  if (option == "-tsm" || option == "-ks" || option == "-kt" || option == "-at")
    return control(context, option, values);
  if (option == "-sep") return show_processors(context);
  if (option == "-secl") return show_event_clients(context);
  return refuse(context, option);
}

} // namespace almanac
