#include "tools/console/views.hpp"

#include "core/answer/gridengine.hpp"
#include "core/utilization/diagram.hpp"
#include "core/text/table.hpp"
#include "tools/output/drain.hpp"

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace almanac::console {

namespace {

using Json = nlohmann::ordered_json;

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

// What is booked of the slots of each instance, by whom it may be.
struct Bookings {
  std::map<std::string, Diagram> by_instance;
  std::map<std::string, std::set<std::string>> reservations; ///< instances by number and name

  void add(const std::vector<Grant>& grants, Window window) {
    for (const auto& grant : grants) by_instance[grant.instance.text()].add(window, grant.slots);
  }
};

int fetch(Context& context, Bookings& bookings) {
  const int asked = ask<door::Jobs>(context, door::GetJobs{}, [&](door::Jobs& frame) {
    for (const auto& view : frame.jobs) {
      if (view.job.reservation_key) continue; // inside what is reserved
      for (const auto& task : view.job.tasks)
        if (!task.attracted_by) bookings.add(task.grants, task.booked);
      for (const auto& hold : view.job.holds) bookings.add(hold.grants, hold.window);
    }
  });
  if (asked != 0) return asked;
  return ask<door::Reservations>(context, door::GetReservations{}, [&](door::Reservations& frame) {
    for (const auto& reservation : frame.reservations) {
      bookings.add(reservation.shape.grants, reservation.shape.window);
      for (const auto& grant : reservation.shape.grants)
        for (const auto& name : {to_string(reservation.number), reservation.request.name})
          bookings.reservations[name].insert(grant.instance.text());
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

// From when on how many slots are booked: [[0, 2], [3600, 0]], in seconds from now.
Json steps(const Diagram& diagram, Instant from, Duration length) {
  auto list = Json::array();
  list.push_back({0, diagram.at(from)});
  for (const auto point : diagram.points())
    if (point > from && point < from + length &&
        list.back()[1].get<std::int64_t>() != diagram.at(point))
      list.push_back({(point - from).seconds, diagram.at(point)});
  return list;
}

} // namespace

const char* phase_name(HostPhase phase) {
  static const char* const names[] = {"unknown", "suspect", "up"};
  return names[static_cast<int>(phase)];
}

int hosts(Context& context, bool json) {
  ClusterFrames cluster;
  if (const int asked = fetch(context, cluster); asked != 0) return asked;
  auto list = Json::array();
  if (!json)
    context.out << line(left("host", 24) + left("state", 10) + right("load", 8) + right("used", 8) +
                        right("slots", 8) + "  queues");
  for (const auto& host : cluster.hosts) {
    std::int64_t used = 0, slots = 0;
    std::string queues;
    std::set<std::string> drains;
    for (const auto& instance : cluster.instances) {
      if (instance.host != host.state.name) continue;
      used += instance.used, slots += instance.total;
      if (const auto& drain = instance.drain; !drain_in_words(drain).empty())
        drains.insert(drain_in_words(drain));
      queues +=
          " " + instance.queue + (instance.letters.empty() ? "" : "(" + instance.letters + ")");
    }
    const char* phase = phase_name(host.state.phase);
    const bool measured = host.load.is_known();
    const auto average = static_cast<double>(host.load.load_medium) / 100;
    if (json) {
      list.push_back({{"host", host.state.name},
                      {"state", phase},
                      {"load", measured ? Json(average) : Json()},
                      {"used", used},
                      {"slots", slots},
                      {"key", name_of(host.key.state)},
                      {"serial", host.key.serial},
                      {"alarm", host.key.alarm},
                      {"drains", drains}});
      continue;
    }
    context.out << line(
        left(host.state.name, 24) + left(phase, 10) + right(measured ? fixed(average, 2) : "-", 8) +
        right(std::to_string(used), 8) + right(std::to_string(slots), 8) + " " + queues);
    for (const auto& drain : drains) context.out << "    " << drain << "\n";
    if (host.key.state == KeyState::revoked) context.out << "    its key is revoked\n";
    if (!host.key.alarm.empty())
      context.out << "    " << print_iso_time(host.key.alarm_at) << " " << host.key.alarm << "\n";
  }
  if (json) context.out << list.dump(2) << "\n";
  return 0;
}

int calendar(Context& context, const std::string& wanted, std::int64_t hours, bool json) {
  ClusterFrames cluster;
  Bookings bookings;
  if (const int asked = fetch(context, cluster); asked != 0) return asked;
  if (const int asked = fetch(context, bookings); asked != 0) return asked;
  const auto reserved = bookings.reservations.find(wanted);
  const Duration length{hours * 3600};
  const auto heading = line(left("queue instance", 30) + right("slots", 6) + "  |" +
                            left("now, to +" + std::to_string(hours) + " h", 60) + "|");
  auto list = Json::array();
  bool any = false;
  for (const auto& instance : cluster.instances) {
    const bool meant =
        wanted.empty() || wanted == instance.name || wanted == instance.queue ||
        wanted == instance.host ||
        (reserved != bookings.reservations.end() && reserved->second.contains(instance.name));
    if (!meant) continue;
    if (!std::exchange(any, true) && !json) context.out << heading;
    const auto it = bookings.by_instance.find(instance.name);
    if (json) {
      list.push_back({{"instance", instance.name},
                      {"slots", instance.total},
                      {"booked", it == bookings.by_instance.end()
                                     ? Json::array()
                                     : steps(it->second, context.now(), length)}});
      continue;
    }
    context.out << left(instance.name, 30) << right(std::to_string(instance.total), 6) << "  |"
                << picture(it == bookings.by_instance.end() ? nullptr : &it->second, instance.total,
                           context.now(), length)
                << "|\n";
  }
  if (!any) return complain(context, "no host, queue or reservation is called \"" + wanted + "\"");
  if (json) {
    context.out << list.dump(2) << "\n";
    return 0;
  }
  context.out
      << "' ' nothing   . : + # up to a quarter, half, three quarters, nearly all   @ all\n";
  return 0;
}

int why(Context& context, JobNumber job, bool json) {
  int code = 0;
  const int asked = ask<Answer>(context, door::AskWhy{job, true}, [&](Answer& answer) {
    if (!json || answer.exit_code != 0) {
      code = print_answer(context, answer);
      return;
    }
    auto lines = Json::array();
    for (const auto& line : gridengine::lines_of(answer)) lines.push_back(line.text);
    context.out << Json{{"job", job.value}, {"why", lines}}.dump(2) << "\n";
  });
  return asked != 0 ? asked : code;
}

} // namespace almanac::console
