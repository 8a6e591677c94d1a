#include "core/matching/instance_obstacles.hpp"

#include "core/configuration/process_limit.hpp"
#include "core/matching/demand.hpp"
#include "core/matching/host_load.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// The values that the levels of a cluster offer for one complex, from the queue to the cell.
std::vector<std::string> offers(const Snapshot& state, const QueueInstance& instance,
                                const std::string& name) {
  std::vector<std::string> values;
  const auto& settings = instance.settings;
  if (is_process_limit(name)) {
    const auto it = settings.process_limits.find(name);
    values.push_back(it == settings.process_limits.end() ? "INFINITY" : std::to_string(it->second));
  } else if (name == "qname") values.push_back(instance.name.queue);
  else if (name == "hostname") values.push_back(instance.name.host);
  else if (name == "h_rt")
    values.push_back(settings.hard_run_time.is_endless()
                         ? "INFINITY"
                         : std::to_string(settings.hard_run_time.seconds));
  else if (name == "s_rt")
    values.push_back(settings.soft_run_time.is_endless()
                         ? "INFINITY"
                         : std::to_string(settings.soft_run_time.seconds));
  else if (name == "rerun") values.push_back(settings.rerun ? "1" : "0");
  else if (name == "tmpdir") values.push_back(settings.tmpdir);
  else if (name == "seq_no") values.push_back(std::to_string(settings.seq_no));
  else if (name == "calendar")
    values.push_back(settings.calendar.empty() ? "NONE" : settings.calendar);
  const auto& facts = state.host_of(instance).facts;
  if (!facts.arch.empty()) {
    if (name == "arch") values.push_back(facts.arch);
    else if (name == "num_proc") values.push_back(std::to_string(facts.processors));
    else if (name == "mem_total") values.push_back(std::to_string(facts.memory));
  }
  for (const auto* level :
       {&settings.complex_values, &state.configuration().host_values(instance.name.host),
        &state.configuration().host_values("global")})
    if (const auto it = level->find(name); it != level->end()) values.push_back(it->second);
  return values;
}

bool defines_forced(const Snapshot& state, const QueueInstance& instance, const Demand& demand,
                    std::string& which) {
  for (const auto* level :
       {&instance.settings.complex_values, &state.configuration().host_values(instance.name.host),
        &state.configuration().host_values("global")}) {
    for (const auto& [name, value] : *level) {
      const auto* complex = state.configuration().complexes().find(name);
      if (!complex || !complex->forced) continue;
      const bool asked =
          std::any_of(demand.fixed.begin(), demand.fixed.end(),
                      [&](auto& f) { return f.complex->name == complex->name; }) ||
          std::any_of(demand.consumables.begin(), demand.consumables.end(),
                      [&](auto& c) { return c.resource == complex->name && c.asked; });
      if (!asked) {
        which = name;
        return true;
      }
    }
  }
  return false;
}

bool lets_in(const Configuration& configuration, const Demand& demand,
             const std::vector<std::string>& lists, const std::vector<std::string>& excluded) {
  const auto holds = [](const std::vector<std::string>& names, const std::string& name) {
    return std::count(names.begin(), names.end(), name) > 0;
  };
  return std::all_of(demand.users.begin(), demand.users.end(), [&](const auto& user) {
    if (!user.first.starts_with('@'))
      return configuration.allowed(user.first, user.second, lists, excluded);
    const auto list = user.first.substr(1);
    return !holds(excluded, list) && (lists.empty() || holds(lists, list));
  });
}

// The first list of projects on the way from the cell to the queue that keeps the demand out.
std::optional<std::string> project_obstacle(const Configuration& configuration,
                                            const QueueInstance& instance, const Demand& demand) {
  const auto holds = [&](const std::vector<std::string>& names) {
    return std::count(names.begin(), names.end(), demand.project) > 0;
  };
  const auto keeps_out = [&](const auto& lists) {
    return holds(lists.xprojects) || (!lists.projects.empty() && !holds(lists.projects));
  };
  const auto title =
      demand.project.empty() ? std::string("no project") : "project \"" + demand.project + "\"";
  if (keeps_out(configuration.global())) return title + " has no permission for cluster";
  for (const char* host : {instance.name.host.c_str(), "global"}) {
    const auto it = configuration.hosts().find(host);
    if (it != configuration.hosts().end() && keeps_out(it->second))
      return title + " has no permission for host \"" + host + "\"";
  }
  if (keeps_out(instance.settings))
    return title + " has no permission for cluster queue \"" + instance.name.text() + "\"";
  return std::nullopt;
}

// The first offer that does not satisfy the request; "" where nothing is offered, nothing if all
// do.
std::optional<std::string> refused_offer(const Snapshot& state, const QueueInstance& instance,
                                         const FixedDemand& fixed) {
  const auto offered = offers(state, instance, fixed.complex->name);
  if (offered.empty() && is_load_value(fixed.complex->name)) return std::nullopt;
  if (offered.empty()) return std::string();
  for (const auto& offer : offered)
    if (!fixed.complex->satisfies(offer, fixed.value)) return offer;
  return std::nullopt;
}

// What is reported, where it does not satisfy the request; "" where nothing is, nothing if it does.
std::optional<std::string> refused_load(const Snapshot& state, const QueueInstance& instance,
                                        const FixedDemand& asked) {
  if (!is_load_value(asked.complex->name)) return std::nullopt;
  const auto reported = reported_amount(state, instance, *asked.complex);
  if (!reported) return std::string();
  const auto wanted = asked.complex->amount(asked.value);
  if (wanted && asked.complex->serves(*reported, *wanted)) return std::nullopt;
  return asked.complex->print_amount(*reported);
}

// What keeps jobs away from the instance at present; "" for nothing.
std::string present_condition(const Snapshot& state, const QueueInstance& instance, Instant now,
                              bool load_counts) {
  const auto& condition = state.condition_of(instance);
  if (state.host_of(instance).phase != HostPhase::up) return "temporarily not available";
  if (condition.disabled) return "disabled";
  if (condition.suspended) return "suspended";
  if (condition.error) return "in error state: " + condition.reason;
  if (instance.settings.ambiguous) return "ambiguous in its configuration";
  if (condition.avoided_until > now) return "set back after a failed launch";
  if (condition.throttles) return "overloaded: its suspend threshold is reached";
  if (condition.opening != Opening::on) return "closed by its calendar";
  if (!load_counts) return {};
  const auto why = overload(state, instance, now);
  return why ? "overloaded: " + *why : std::string();
}

} // namespace

std::int64_t unmet(const Snapshot& state, const QueueInstance& instance, const SoftDemand& soft) {
  std::int64_t count =
      !soft.queues.empty() && !is_among(state.configuration(), soft.queues, instance);
  for (const auto& fixed : soft.fixed)
    count += refused_offer(state, instance, fixed) || refused_load(state, instance, fixed);
  return count;
}

bool lets_users_in(const Configuration& configuration, const QueueInstance& instance,
                   const Demand& demand) {
  const auto may_enter = [&](const auto& place) {
    return lets_in(configuration, demand, place.user_lists, place.xuser_lists);
  };
  for (const char* host : {instance.name.host.c_str(), "global"}) {
    const auto it = configuration.hosts().find(host);
    if (it != configuration.hosts().end() && !may_enter(it->second)) return false;
  }
  return may_enter(instance.settings) && may_enter(configuration.global());
}

std::optional<std::string> static_obstacle(const Snapshot& state, const QueueInstance& instance,
                                           const Demand& demand) {
  const auto& configuration = state.configuration();
  const auto quoted = "\"" + instance.name.text() + "\"";
  if (!demand.queues.empty() && !is_among(configuration, demand.queues, instance))
    return "cannot run in queue " + quoted +
           " because it is not contained in its hard queue list (-q)";
  if (demand.interactive && !instance.settings.interactive)
    return "cannot run in queue " + quoted + " because it is not an interactive queue";
  if (!demand.interactive && !instance.settings.batch)
    return "cannot run in queue " + quoted + " because it is not a batch queue";
  if (!lets_in(configuration, demand, instance.settings.user_lists, instance.settings.xuser_lists))
    return demand.reserves ? "queue " + quoted + " has no permissions for selected users"
                           : "has no permission for cluster queue " + quoted;
  for (const char* host : {instance.name.host.c_str(), "global"}) {
    const auto it = configuration.hosts().find(host);
    if (it != configuration.hosts().end() &&
        !lets_in(configuration, demand, it->second.user_lists, it->second.xuser_lists))
      return std::string("has no permission for host \"") + host + "\"";
  }
  if (!lets_in(configuration, demand, configuration.global().user_lists,
               configuration.global().xuser_lists))
    return std::string("has no permission for cluster");
  if (auto kept_out = project_obstacle(configuration, instance, demand)) return kept_out;
  for (const auto& fixed : demand.fixed)
    if (const auto refused = refused_offer(state, instance, fixed))
      return "(" + demand.description + ") cannot run in queue " + quoted + " because it offers " +
             (refused->empty() ? "no " + fixed.complex->name
                               : "only " + fixed.complex->name + "=" + *refused);
  if (std::string forced; defines_forced(state, instance, demand, forced))
    return "does not request 'forced' resource \"" + forced + "\" of queue " + quoted;
  return std::nullopt;
}

std::optional<std::string> present_obstacle(const Snapshot& state, const QueueInstance& instance,
                                            const Demand& demand, Instant now, bool load_counts) {
  const auto condition = present_condition(state, instance, now, load_counts);
  if (!condition.empty())
    return "queue instance \"" + instance.name.text() + "\" dropped because it is " + condition;
  if (!load_counts) return std::nullopt;
  for (const auto& asked : demand.load)
    if (const auto refused = refused_load(state, instance, asked))
      return "(" + demand.description + ") cannot run at host \"" + instance.name.host +
             "\" because it offers " +
             (refused->empty() ? "no " + asked.complex->name
                               : "only hl:" + asked.complex->name + "=" + *refused);
  return std::nullopt;
}

} // namespace almanac
