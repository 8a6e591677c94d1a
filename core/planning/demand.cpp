#include "core/planning/demand.hpp"

#include "core/request/resources.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// The values that the levels of a cluster offer for one complex, from the queue to the cell.
std::vector<std::string> offers(const State& state, const QueueInstance& instance,
                                const std::string& name) {
  std::vector<std::string> values;
  const auto& settings = instance.settings;
  if (name == "qname") values.push_back(instance.queue);
  else if (name == "hostname") values.push_back(instance.host);
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
  const auto& facts = state.host(instance.host).facts;
  if (!facts.arch.empty()) {
    if (name == "arch") values.push_back(facts.arch);
    else if (name == "num_proc") values.push_back(std::to_string(facts.processors));
    else if (name == "mem_total") values.push_back(std::to_string(facts.memory));
  }
  for (const auto* level :
       {&settings.complex_values, &state.configuration.host_values(instance.host),
        &state.configuration.host_values("global")})
    if (const auto it = level->find(name); it != level->end()) values.push_back(it->second);
  return values;
}

bool defines_forced(const State& state, const QueueInstance& instance, const Demand& demand,
                    std::string& which) {
  for (const auto* level :
       {&instance.settings.complex_values, &state.configuration.host_values(instance.host),
        &state.configuration.host_values("global")}) {
    for (const auto& [name, value] : *level) {
      const auto* complex = state.configuration.complexes().find(name);
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

bool is_overloaded(const Configuration& configuration, const QueueInstance& instance,
                   const HostState& host, std::string& why) {
  if (host.load < 0) return false;
  for (const auto& [name, threshold] : instance.settings.load_thresholds) {
    const auto* complex = configuration.complexes().find(name);
    if (!complex || (name != "np_load_avg" && name != "load_avg")) continue;
    auto load = host.load * 10'000; // hundredths to millionths
    if (name == "np_load_avg" && host.facts.processors > 0) load /= host.facts.processors;
    const auto limit = complex->amount(threshold);
    if (!limit || load < *limit) continue;
    why = name + "=" + complex->print_amount(load) + " >= " + threshold;
    return true;
  }
  return false;
}

} // namespace

Result<Demand> resolve_demand(const Configuration& configuration,
                              const std::vector<Attribute>& resources,
                              const std::vector<std::string>& queues, const std::string& pe,
                              const std::vector<SlotRange>& slots, const std::string& kind) {
  Demand demand;
  demand.queues = queues, demand.pe = pe, demand.slots = slots;
  demand.description = resources.empty() ? "-l NONE" : "-l " + print_resource_requests(resources);
  demand.consumables.push_back({"slots", 1, false, true});
  for (const auto& [name, value] : resources) {
    const auto* complex = configuration.complexes().find(name);
    if (!complex) return Error{"unknown resource \"" + name + "\""};
    if (complex->name == "slots")
      return Error{"\"" + kind +
                   "\" denied: use parallel environments instead of requesting slots explicitly"};
    if (!complex->requestable) return Error{"resource \"" + name + "\" is not requestable"};
    if (auto valid = complex->valid_value(value, true); !valid) return valid.error();
    if (complex->name == "hostname" && !is_pattern(value) &&
        value.find_first_of("|&!()") == std::string::npos) {
      const auto& hosts = configuration.hosts();
      const bool known = std::any_of(hosts.begin(), hosts.end(), [&](auto& entry) {
        return equal_ignoring_case(entry.first, value);
      });
      if (!known) return Error{"can't resolve hostname \"" + value + "\""};
    }
    if (complex->is_consumable()) {
      const auto amount = *complex->amount(value);
      demand.consumables.push_back(
          {complex->name, amount, complex->consumable == Consumable::per_job, true});
    } else demand.fixed.push_back({complex, value});
  }
  for (const auto& [name, complex] : configuration.complexes().all()) {
    if (!complex.is_consumable() || name == "slots") continue;
    const auto by_default = complex.amount(complex.default_request);
    const bool asked = std::any_of(demand.consumables.begin(), demand.consumables.end(),
                                   [&, &n = name](auto& c) { return c.resource == n; });
    if (!asked && by_default && *by_default > 0)
      demand.consumables.push_back(
          {name, *by_default, complex.consumable == Consumable::per_job, false});
  }
  for (const auto& queue : queues) {
    const auto& instances = configuration.instances();
    const bool any = std::any_of(instances.begin(), instances.end(), [&](const QueueInstance& i) {
      return queue_request_matches(queue, i.queue, i.host, [&](const std::string& group) {
        return configuration.host_in_group(i.host, group);
      });
    });
    const bool cluster_queue =
        std::any_of(configuration.queues().begin(), configuration.queues().end(),
                    [&](auto& entry) { return matches_expression(queue, entry.first); });
    if (!any && !cluster_queue)
      return Error{"Job was rejected because job requests unknown queue \"" + queue + "\""};
  }
  if (!pe.empty()) {
    const auto& known = configuration.parallel_environments();
    if (std::none_of(known.begin(), known.end(),
                     [&](auto& entry) { return matches_expression(pe, entry.first); }))
      return Error{"job rejected: the requested parallel environment \"" + pe +
                   "\" does not exist"};
  }
  return demand;
}

std::optional<std::string> static_obstacle(const State& state, const QueueInstance& instance,
                                           const Demand& demand) {
  const auto& configuration = state.configuration;
  const auto quoted = "\"" + instance.name + "\"";
  if (!demand.queues.empty()) {
    const bool wanted =
        std::any_of(demand.queues.begin(), demand.queues.end(), [&](const std::string& queue) {
          return queue_request_matches(queue, instance.queue, instance.host,
                                       [&](const std::string& group) {
                                         return configuration.host_in_group(instance.host, group);
                                       });
        });
    if (!wanted)
      return "cannot run in queue " + quoted +
             " because it is not contained in its hard queue list (-q)";
  }
  if (!instance.settings.batch)
    return "cannot run in queue " + quoted + " because it is not a batch queue";
  if (!lets_in(configuration, demand, instance.settings.user_lists, instance.settings.xuser_lists))
    return "has no permission for cluster queue " + quoted;
  for (const char* host : {instance.host.c_str(), "global"}) {
    const auto it = configuration.hosts().find(host);
    if (it != configuration.hosts().end() &&
        !lets_in(configuration, demand, it->second.user_lists, it->second.xuser_lists))
      return std::string("has no permission for host \"") + host + "\"";
  }
  if (!lets_in(configuration, demand, configuration.global().user_lists,
               configuration.global().xuser_lists))
    return std::string("has no permission for cluster");
  for (const auto& [complex, value] : demand.fixed) {
    const auto offered = offers(state, instance, complex->name);
    const auto refused = std::find_if(offered.begin(), offered.end(), [&](auto& offer) {
      return !complex->satisfies(offer, value);
    });
    if (offered.empty() || refused != offered.end())
      return "(" + demand.description + ") cannot run in queue " + quoted + " because it offers " +
             (offered.empty() ? "no " + complex->name : "only " + complex->name + "=" + *refused);
  }
  if (std::string forced; defines_forced(state, instance, demand, forced))
    return "does not request 'forced' resource \"" + forced + "\" of queue " + quoted;
  return std::nullopt;
}

std::optional<std::string> present_obstacle(const State& state, const QueueInstance& instance,
                                            Instant now, bool load_counts) {
  const auto dropped = "queue instance \"" + instance.name + "\" dropped because it is ";
  const auto& host = state.host(instance.host);
  const auto& condition = state.instance(instance.name);
  if (host.phase != HostPhase::up) return dropped + "temporarily not available";
  if (condition.disabled) return dropped + "disabled";
  if (condition.suspended) return dropped + "suspended";
  if (condition.error) return dropped + "in error state: " + condition.reason;
  if (instance.settings.ambiguous) return dropped + "ambiguous in its configuration";
  if (condition.avoided_until > now) return dropped + "set back after a failed launch";
  if (std::string why; load_counts && is_overloaded(state.configuration, instance, host, why))
    return dropped + "overloaded: " + why;
  return std::nullopt;
}

std::optional<std::string> reserved_instance_trouble(const State& state, const std::string& name) {
  const auto* instance = state.configuration.instance(name);
  const auto& condition = state.instance(name);
  if (state.host(host_of(name)).phase == HostPhase::unknown) return "is unknown";
  if (condition.error) return "is error";
  if (condition.disabled) return "is disabled";
  if (condition.suspended) return "is suspended";
  if (instance && instance->settings.ambiguous) return "is configuration ambiguous";
  return std::nullopt;
}

std::string instance_letters(const Configuration& configuration, const QueueInstance& instance,
                             const HostState& host, const InstanceState& state) {
  std::string letters;
  std::string why;
  if (host.phase == HostPhase::up && is_overloaded(configuration, instance, host, why))
    letters += 'a';
  if (state.disabled) letters += 'd';
  if (host.phase == HostPhase::unknown) letters += 'u';
  if (state.error) letters += 'E';
  if (state.suspended) letters += 's';
  if (instance.settings.ambiguous) letters += 'c';
  if (instance.orphaned) letters += 'o';
  return letters;
}

} // namespace almanac
