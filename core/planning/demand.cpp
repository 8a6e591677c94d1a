#include "core/planning/demand.hpp"

#include "core/configuration/process_limit.hpp"
#include "core/planning/host_load.hpp"
#include "core/request/resources.hpp"
#include "core/text/names.hpp"
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
  if (is_process_limit(name)) {
    const auto it = settings.process_limits.find(name);
    values.push_back(it == settings.process_limits.end() ? "INFINITY" : std::to_string(it->second));
  } else if (name == "qname") values.push_back(instance.queue);
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
  else if (name == "calendar")
    values.push_back(settings.calendar.empty() ? "NONE" : settings.calendar);
  const auto& facts = state.host_of(instance).facts;
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

// Whether an instance of the queue that is asked for exists, or a queue without instances.
bool is_known(const Configuration& configuration, const std::string& queue) {
  const auto& instances = configuration.instances();
  const auto& queues = configuration.queues();
  return std::any_of(instances.begin(), instances.end(),
                     [&](auto& instance) { return is_among(configuration, {queue}, instance); }) ||
         std::any_of(queues.begin(), queues.end(),
                     [&](auto& entry) { return matches_expression(queue, entry.first); });
}

Outcome check_queues(const Configuration& configuration, const std::vector<std::string>& queues) {
  for (const auto& queue : queues)
    if (!is_known(configuration, queue))
      return Error{"Job was rejected because job requests unknown queue \"" + excerpt(queue) +
                   "\""};
  return Done{};
}

bool is_known_host(const Configuration& configuration, const std::string& name) {
  const auto& hosts = configuration.hosts();
  return std::any_of(hosts.begin(), hosts.end(),
                     [&](auto& entry) { return equal_ignoring_case(entry.first, name); });
}

Taking taking_of(const Complex& complex) {
  switch (complex.consumable) {
  case Consumable::per_job: return Taking::per_job;
  case Consumable::per_host: return Taking::per_host;
  default: return Taking::per_slot;
  }
}

// The requests of one list, sorted by whether they are consumed.
Outcome sort_requests(const Configuration& configuration, const std::vector<Attribute>& resources,
                      const std::string& kind, std::vector<FixedDemand>& fixed,
                      std::vector<ConsumableDemand>& consumables) {
  for (const auto& [name, value] : resources) {
    const auto* complex = configuration.complexes().find(name);
    if (!complex) return Error{"unknown resource \"" + excerpt(name) + "\""};
    if (complex->name == "slots")
      return Error{"\"" + kind +
                   "\" denied: use parallel environments instead of requesting slots explicitly"};
    if (!complex->requestable) return Error{"resource \"" + name + "\" is not requestable"};
    if (auto valid = complex->valid_value(value, true); !valid) return valid.error();
    if (complex->is_consumable() && *complex->amount(value) < 0)
      return Error{"\"" + name + "=" + excerpt(value) + "\": less than nothing can't be asked for"};
    if (complex->name == "hostname" && !is_pattern(value) &&
        value.find_first_of("|&!()") == std::string::npos && !is_known_host(configuration, value))
      return Error{"can't resolve hostname \"" + excerpt(value) + "\""};
    if (!complex->is_consumable()) fixed.push_back({complex, value});
    else if (complex->is_exclusive()) {
      if (*complex->amount(value) != 0)
        consumables.push_back({complex->name, 1, Taking::alone, true});
    } else
      consumables.push_back({complex->name, *complex->amount(value), taking_of(*complex), true});
  }
  return Done{};
}

// What is taken by those who do not ask for it.
void add_defaults(const Configuration& configuration, Demand& demand) {
  for (const auto& [name, complex] : configuration.complexes().all()) {
    if (!complex.is_consumable() || name == "slots" || !configuration.is_offered(name)) continue;
    const bool asked = std::any_of(demand.consumables.begin(), demand.consumables.end(),
                                   [&, &n = name](auto& c) { return c.resource == n; });
    if (asked) continue;
    if (complex.is_exclusive()) {
      demand.consumables.push_back({name, 1, Taking::beside, false});
      continue;
    }
    const auto by_default = complex.amount(complex.default_request);
    if (by_default && *by_default > 0)
      demand.consumables.push_back({name, *by_default, taking_of(complex), false});
  }
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
  for (const char* host : {instance.host.c_str(), "global"}) {
    const auto it = configuration.hosts().find(host);
    if (it != configuration.hosts().end() && keeps_out(it->second))
      return title + " has no permission for host \"" + host + "\"";
  }
  if (keeps_out(instance.settings))
    return title + " has no permission for cluster queue \"" + instance.name + "\"";
  return std::nullopt;
}

// The first offer that does not satisfy the request; "" where nothing is offered, nothing if all
// do.
std::optional<std::string> refused_offer(const State& state, const QueueInstance& instance,
                                         const FixedDemand& fixed) {
  const auto offered = offers(state, instance, fixed.complex->name);
  if (offered.empty() && is_load_value(fixed.complex->name)) return std::nullopt;
  if (offered.empty()) return std::string();
  for (const auto& offer : offered)
    if (!fixed.complex->satisfies(offer, fixed.value)) return offer;
  return std::nullopt;
}

// What is reported, where it does not satisfy the request; "" where nothing is, nothing if it does.
std::optional<std::string> refused_load(const State& state, const QueueInstance& instance,
                                        const FixedDemand& asked) {
  if (!is_load_value(asked.complex->name)) return std::nullopt;
  const auto reported = reported_amount(state, instance, *asked.complex);
  if (!reported) return std::string();
  const auto wanted = asked.complex->amount(asked.value);
  if (wanted && asked.complex->serves(*reported, *wanted)) return std::nullopt;
  return asked.complex->print_amount(*reported);
}

} // namespace

Result<Demand> resolve_demand(const Configuration& configuration,
                              const std::vector<Attribute>& resources,
                              const std::vector<std::string>& queues, const std::string& pe,
                              const std::vector<SlotRange>& slots, const std::string& kind) {
  Demand demand;
  demand.queues = queues, demand.pe = pe, demand.slots = slots;
  demand.reserves = kind == "advance_reservation";
  demand.description = resources.empty() ? "-l NONE" : "-l " + print_resource_requests(resources);
  demand.consumables.push_back({"slots", 1, Taking::per_slot, true});
  if (auto sorted = sort_requests(configuration, resources, kind, demand.fixed, demand.consumables);
      !sorted)
    return sorted.error();
  add_defaults(configuration, demand);
  for (const auto& [name, value] : resources)
    if (const auto* complex = configuration.complexes().find(name); is_load_value(complex->name))
      demand.load.push_back({complex, value});
  if (auto known = check_queues(configuration, queues); !known) return known.error();
  if (!pe.empty()) {
    const auto& known = configuration.parallel_environments();
    if (std::none_of(known.begin(), known.end(),
                     [&](auto& entry) { return matches_expression(pe, entry.first); }))
      return Error{"job rejected: the requested parallel environment \"" + excerpt(pe) +
                   "\" does not exist"};
  }
  return demand;
}

Result<Demand> demand_of_job(const Configuration& configuration, const JobRequest& request,
                             const Caller& owner) {
  auto demand = resolve_demand(configuration, request.resources, request.queues, request.pe,
                               request.slots, "job");
  if (!demand) return demand;
  auto& soft = demand->soft;
  if (auto sorted =
          sort_requests(configuration, request.soft_resources, "job", soft.fixed, soft.consumables);
      !sorted)
    return sorted.error();
  soft.queues = request.soft_queues, demand->master_queues = request.master_queues;
  for (const auto* queues : {&soft.queues, &demand->master_queues})
    if (auto known = check_queues(configuration, *queues); !known) return known.error();
  demand->project = request.project, demand->interactive = request.immediate;
  demand->users.emplace_back(owner.user, owner.group);
  return demand;
}

bool is_among(const Configuration& configuration, const std::vector<std::string>& queues,
              const QueueInstance& instance) {
  return std::any_of(queues.begin(), queues.end(), [&](const std::string& queue) {
    return queue_request_matches(queue, instance.queue, instance.host,
                                 [&](const std::string& group) {
                                   return configuration.host_in_group(instance.host, group);
                                 });
  });
}

std::int64_t unmet(const State& state, const QueueInstance& instance, const SoftDemand& soft) {
  std::int64_t count =
      !soft.queues.empty() && !is_among(state.configuration, soft.queues, instance);
  for (const auto& fixed : soft.fixed)
    count += refused_offer(state, instance, fixed) || refused_load(state, instance, fixed);
  return count;
}

bool lets_users_in(const Configuration& configuration, const QueueInstance& instance,
                   const Demand& demand) {
  const auto may_enter = [&](const auto& place) {
    return lets_in(configuration, demand, place.user_lists, place.xuser_lists);
  };
  for (const char* host : {instance.host.c_str(), "global"}) {
    const auto it = configuration.hosts().find(host);
    if (it != configuration.hosts().end() && !may_enter(it->second)) return false;
  }
  return may_enter(instance.settings) && may_enter(configuration.global());
}

std::optional<std::string> static_obstacle(const State& state, const QueueInstance& instance,
                                           const Demand& demand) {
  const auto& configuration = state.configuration;
  const auto quoted = "\"" + instance.name + "\"";
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
  for (const char* host : {instance.host.c_str(), "global"}) {
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

namespace {

// What keeps jobs away from the instance at present; "" for nothing.
std::string present_condition(const State& state, const QueueInstance& instance, Instant now,
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

std::optional<std::string> present_obstacle(const State& state, const QueueInstance& instance,
                                            const Demand& demand, Instant now, bool load_counts) {
  const auto condition = present_condition(state, instance, now, load_counts);
  if (!condition.empty())
    return "queue instance \"" + instance.name + "\" dropped because it is " + condition;
  if (!load_counts) return std::nullopt;
  for (const auto& asked : demand.load)
    if (const auto refused = refused_load(state, instance, asked))
      return "(" + demand.description + ") cannot run at host \"" + instance.host +
             "\" because it offers " +
             (refused->empty() ? "no " + asked.complex->name
                               : "only hl:" + asked.complex->name + "=" + *refused);
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
  if (host.phase == HostPhase::up && overload(configuration, instance, host)) letters += 'a';
  if (state.throttles) letters += 'A';
  if (state.opening == Opening::suspended) letters += 'C';
  if (state.opening == Opening::off) letters += 'D';
  if (state.disabled) letters += 'd';
  if (host.phase == HostPhase::unknown) letters += 'u';
  if (state.error) letters += 'E';
  if (state.suspended) letters += 's';
  if (instance.settings.ambiguous) letters += 'c';
  if (instance.orphaned) letters += 'o';
  return letters;
}

} // namespace almanac
