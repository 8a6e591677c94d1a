#include "tools/commands/commands.hpp"

#include "core/monitor/invariants.hpp"
#include "core/text/pattern.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "core/utilization/diagram.hpp"
#include "tools/output/table.hpp"

#include <iostream>
#include <map>
#include <set>

namespace almanac {

namespace {
constexpr const char* usage =
    R"(usage: almanac-console actors [kind] | show id|kind/name [--json] | why job | hosts
                       | calendar [host|queue|instance|reservation] [hours] | invariants
   actors [kind]             living actors of the master: id, kind, name, age (also: list)
   show id|kind/name         the state of one of them
   why job                   what keeps a job waiting, and with what it would start now
   hosts                     hosts with their state, load, and the slots that are taken
   calendar [name] [hours]   what is booked of each queue instance from now on, as a picture:
                             running jobs, holds of waiting ones, and reservations
   invariants                what must always hold, and whether it does
   --json                    with show: as JSON
   --help                    print this help
)";

int list(Context& context, const std::string& kind, std::vector<door::ActorView>* into) {
  return ask<door::Actors>(context, door::ListActors{}, [&](door::Actors& frame) {
    if (into) {
      *into = frame.actors;
      return;
    }
    context.out << line(right("id", 8) + "  " + left("kind", 16) + left("name", 32) +
                        right("age", 8));
    for (const auto& actor : frame.actors)
      if (kind.empty() || matches_pattern(kind, actor.kind))
        context.out << line(right(std::to_string(actor.id), 8) + "  " + left(actor.kind, 16) +
                            left(actor.name, 32) + right(std::to_string(actor.age) + "s", 8));
  });
}

int show(Context& context, const std::string& wanted, bool json) {
  std::vector<door::ActorView> actors;
  if (const int asked = list(context, "", &actors); asked != 0) return asked;
  for (const auto& actor : actors) {
    if (wanted != std::to_string(actor.id) && wanted != actor.kind + "/" + actor.name &&
        wanted != actor.kind)
      continue;
    return ask<door::Output>(context, door::InspectActor{actor.id, json},
                             [&](door::Output& output) { context.out << output.content.content; });
  }
  return complain(context, "no actor \"" + wanted + "\" lives here; see almanac-console list");
}

int invariants(Context& context) {
  for (int number = 1; number <= static_cast<int>(Invariant::no_error_is_logged); ++number)
    context.out << line(right(std::to_string(number), 3) + "  " +
                        sentence(static_cast<Invariant>(number)) +
                        (number < static_cast<int>(Invariant::an_attempt_starts_once)
                             ? ""
                             : " (simulations alone see it)"));
  context.out << "\n";
  return show(context, "views", false);
}

struct ClusterFrames {
  std::vector<door::InstanceView> instances;
  std::vector<door::HostView> hosts;
};

int fetch(Context& context, ClusterFrames& cluster) {
  return ask<door::Cluster>(context, door::GetCluster{}, [&](door::Cluster& frame) {
    for (auto& instance : frame.instances) cluster.instances.push_back(std::move(instance));
    for (auto& host : frame.hosts) cluster.hosts.push_back(std::move(host));
  });
}

int hosts(Context& context) {
  static const char* const phases[] = {"unknown", "suspect", "up"};
  ClusterFrames cluster;
  if (const int asked = fetch(context, cluster); asked != 0) return asked;
  context.out << line(left("host", 24) + left("state", 10) + right("load", 8) + right("used", 8) +
                      right("slots", 8) + "  queues");
  for (const auto& host : cluster.hosts) {
    std::int64_t used = 0, slots = 0;
    std::string queues;
    for (const auto& instance : cluster.instances) {
      if (instance.host != host.state.name) continue;
      used += instance.used, slots += instance.total;
      queues +=
          " " + instance.queue + (instance.letters.empty() ? "" : "(" + instance.letters + ")");
    }
    context.out << line(
        left(host.state.name, 24) + left(phases[static_cast<int>(host.state.phase)], 10) +
        right(host.load < 0 ? "-" : fixed(static_cast<double>(host.load) / 100, 2), 8) +
        right(std::to_string(used), 8) + right(std::to_string(slots), 8) + " " + queues);
  }
  return 0;
}

// What is booked of the slots of each instance, by whom it may be.
struct Bookings {
  std::map<std::string, Diagram> by_instance;
  std::map<std::string, std::set<std::string>> reservations; ///< instances by number and name

  void add(const std::vector<Grant>& grants, Window window) {
    for (const auto& grant : grants) by_instance[grant.instance].add(window, grant.slots);
  }
};

int fetch(Context& context, Bookings& bookings) {
  const int asked = ask<door::Jobs>(context, door::GetJobs{}, [&](door::Jobs& frame) {
    for (const auto& view : frame.jobs) {
      if (view.job.reservation_key) continue; // inside what is reserved
      for (const auto& task : view.job.tasks) bookings.add(task.grants, task.booked);
      for (const auto& hold : view.job.holds) bookings.add(hold.grants, hold.window);
    }
  });
  if (asked != 0) return asked;
  return ask<door::Reservations>(context, door::GetReservations{}, [&](door::Reservations& frame) {
    for (const auto& reservation : frame.reservations) {
      bookings.add(reservation.shape.grants, reservation.shape.window);
      for (const auto& grant : reservation.shape.grants)
        for (const auto& name : {std::to_string(reservation.number), reservation.request.name})
          bookings.reservations[name].insert(grant.instance);
    }
  });
}

// A column for each sixtieth of the time: from ' ' for nothing to '@' for all.
std::string picture(const Diagram* diagram, std::int64_t total, Instant from, Duration length) {
  constexpr std::int64_t columns = 60;
  static const std::string shades = " .:+#@";
  std::string text;
  for (std::int64_t i = 0; i < columns; ++i) {
    const Window window{from + Duration{length.seconds * i / columns},
                        from + Duration{length.seconds * (i + 1) / columns}};
    const auto used = diagram ? diagram->max(window) : 0;
    const auto shade = used <= 0       ? 0
                       : used >= total ? 5
                                       : 1 + used * 4 / std::max<std::int64_t>(total, 1);
    text += shades[static_cast<std::size_t>(shade)];
  }
  return text;
}

int calendar(Context& context, const std::string& wanted, std::int64_t hours) {
  ClusterFrames cluster;
  Bookings bookings;
  if (const int asked = fetch(context, cluster); asked != 0) return asked;
  if (const int asked = fetch(context, bookings); asked != 0) return asked;
  const auto reserved = bookings.reservations.find(wanted);
  const Duration length{hours * 3600};
  const auto mark = "now, to +" + std::to_string(hours) + " h";
  context.out << line(left("queue instance", 30) + right("slots", 6) + "  |" + left(mark, 60) +
                      "|");
  bool any = false;
  for (const auto& instance : cluster.instances) {
    const bool meant =
        wanted.empty() || wanted == instance.name || wanted == instance.queue ||
        wanted == instance.host ||
        (reserved != bookings.reservations.end() && reserved->second.contains(instance.name));
    if (!meant) continue;
    any = true;
    const auto it = bookings.by_instance.find(instance.name);
    context.out << left(instance.name, 30) << right(std::to_string(instance.total), 6) << "  |"
                << picture(it == bookings.by_instance.end() ? nullptr : &it->second, instance.total,
                           context.now(), length)
                << "|\n";
  }
  if (!any) return complain(context, "\"" + wanted + "\" is no host, queue or reservation");
  context.out
      << "' ' nothing   . : + # up to a quarter, half, three quarters, nearly all   @ all\n";
  return 0;
}

} // namespace

int almanac_console(Context& context) {
  auto arguments = context.arguments;
  const bool json = std::erase(arguments, "--json") > 0;
  if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-help") {
    (arguments.empty() ? context.err : context.out) << usage;
    return arguments.empty() ? 1 : 0;
  }
  const auto& verb = arguments.front();
  if ((verb == "list" || verb == "actors") && arguments.size() <= 2)
    return list(context, arguments.size() == 2 ? arguments[1] : "", nullptr);
  if (verb == "show" && arguments.size() == 2) return show(context, arguments[1], json);
  if (verb == "hosts" && arguments.size() == 1) return hosts(context);
  if (verb == "invariants" && arguments.size() == 1) return invariants(context);
  if (verb == "calendar" && arguments.size() <= 3) {
    auto hours = parse_number(arguments.size() == 3 ? arguments[2] : "24");
    if (!hours || *hours < 1 || *hours > 100'000)
      return complain(context, "calendar: \"" + arguments[2] + "\" is no number of hours");
    return calendar(context, arguments.size() > 1 ? arguments[1] : "", *hours);
  }
  if (verb == "why" && arguments.size() == 2) {
    auto number = parse_number(arguments[1]);
    if (!number) return complain(context, "why: " + number.what());
    int code = 0;
    const int asked = ask<Answer>(context, door::AskWhy{*number, true},
                                  [&](Answer& answer) { code = print_answer(context, answer); });
    return asked != 0 ? asked : code;
  }
  context.err << usage;
  return complain(context, "\"" + join(arguments, " ") + "\" is not understood");
}

} // namespace almanac
