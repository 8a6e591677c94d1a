#include "core/matching/instance_obstacles.hpp"

#include "core/configuration/objects/built_in_complexes.hpp"
#include "core/configuration/objects/process_limit.hpp"
#include "core/host/sensed_values.hpp"
#include "core/text/topology.hpp"
#include "core/matching/demand.hpp"
#include "core/matching/host_load.hpp"
#include "core/matching/occupants.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

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

namespace {

// The values that the levels of a cluster offer for one complex, from the queue to the cell.
std::vector<std::string> offers(const Configuration& configuration, const HostFacts& facts,
                                const QueueInstance& instance, const std::string& name) {
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
  else if (name == "min_cpu_interval")
    values.push_back(settings.min_cpu_interval.is_endless()
                         ? "INFINITY"
                         : std::to_string(settings.min_cpu_interval.seconds));
  else if (name == "calendar")
    values.push_back(settings.calendar.empty() ? "NONE" : settings.calendar);
  if (!facts.arch.empty()) {
    if (name == "arch") values.push_back(facts.arch);
    else if (name == "num_proc") values.push_back(std::to_string(facts.processors));
    else if (name == "mem_total") values.push_back(std::to_string(facts.memory));
    else if (auto value = topology_value(facts.topology, name)) values.push_back(std::move(*value));
  }
  for (const auto* level :
       {&settings.complex_values, &configuration.host_values(instance.name.host),
        &configuration.host_values("global")})
    if (const auto it = level->find(name); it != level->end()) values.push_back(it->second);
  return values;
}

// A complex that would have had to be requested, and where it is defined.
struct Forced {
  std::string complex;
  Container::Kind at;
};

std::optional<Forced> forced_by(const Configuration& configuration, const QueueInstance& instance,
                                const Demand& demand) {
  using Kind = Container::Kind;
  for (const auto& [level, at] :
       {std::pair(&instance.settings.complex_values, Kind::queue),
        std::pair(&configuration.host_values(instance.name.host), Kind::host),
        std::pair(&configuration.host_values("global"), Kind::global)}) {
    for (const auto& [name, value] : *level) {
      const auto* complex = configuration.complexes().find(name);
      if (!complex || !complex->forced) continue;
      const bool asked =
          std::any_of(demand.fixed.begin(), demand.fixed.end(),
                      [&](auto& f) { return f.complex->name == complex->name; }) ||
          std::any_of(demand.consumables.begin(), demand.consumables.end(),
                      [&](auto& c) { return c.resource == complex->name && c.asked; });
      if (!asked) return Forced{name, at};
    }
  }
  return std::nullopt;
}

Statement not_requested(const Forced& forced, const QueueInstance& instance) {
  Statement statement{AnswerCode::forced_not_requested, {{"resource", forced.complex}}};
  if (forced.at == Container::Kind::queue)
    statement.details.emplace_back("queue", instance.name.text());
  else
    statement.details.emplace_back("host", forced.at == Container::Kind::host ? instance.name.host
                                                                              : "global");
  return statement;
}

// Whether the lists of projects on the way from the cell to the queue let the demand in.
bool lets_project_in(const Configuration& configuration, const QueueInstance& instance,
                     const Demand& demand, Obstacles& obstacles) {
  const auto holds = [&](const std::vector<std::string>& names) {
    return std::count(names.begin(), names.end(), demand.project) > 0;
  };
  const auto keeps_out = [&](const auto& lists) {
    return holds(lists.xprojects) || (!lists.projects.empty() && !holds(lists.projects));
  };
  const auto refuse = [&](AnswerCode code, std::vector<Detail> where) {
    obstacles.add_made([&] {
      where.emplace_back("who", demand.project.empty() ? Statement{AnswerCode::without_project, {}}
                                                       : Statement{AnswerCode::a_project,
                                                                   {{"project", demand.project}}});
      return Statement{code, std::move(where)};
    });
    return false;
  };
  if (keeps_out(configuration.global())) return refuse(AnswerCode::no_permission_for_cluster, {});
  for (const char* host : {instance.name.host.c_str(), "global"}) {
    const auto it = configuration.hosts().find(host);
    if (it != configuration.hosts().end() && keeps_out(it->second))
      return refuse(AnswerCode::no_permission_for_host, {{"host", host}});
  }
  if (keeps_out(instance.settings))
    return refuse(AnswerCode::no_permission_for_queue, {{"queue", instance.name.text()}});
  return true;
}

// The first offer that does not satisfy the request; "" where nothing is offered, nothing if all
// do.
std::optional<std::string> refused_offer(const Configuration& configuration, const HostFacts& facts,
                                         const QueueInstance& instance, const FixedDemand& fixed) {
  const auto offered = offers(configuration, facts, instance, fixed.complex->name);
  if (offered.empty() &&
      (is_load_value(fixed.complex->name) || may_be_sensed(configuration, *fixed.complex)))
    return std::nullopt;
  if (offered.empty()) return std::string();
  for (const auto& offer : offered)
    if (!fixed.complex->satisfies(offer, fixed.value)) return offer;
  return std::nullopt;
}

// The same for what load sensors say. Where they say nothing, somebody else has to offer it.
std::optional<std::string> refused_by_sensors(const Snapshot& state, const QueueInstance& instance,
                                              const FixedDemand& asked) {
  const auto& complex = *asked.complex;
  const auto& host = state.host_of(instance);
  const auto* said = sensed_value(host, &state.host(whole_cell), complex);
  if (said && complex.is_text()) {
    if (complex.satisfies(said->value, asked.value)) return std::nullopt;
    return said->value;
  }
  if (const auto reported = reported_amount(state, instance, complex)) {
    const auto wanted = complex.amount(asked.value);
    if (wanted && complex.serves(*reported, *wanted)) return std::nullopt;
    return complex.print_amount(*reported);
  }
  if (complex.is_consumable()) return std::nullopt;
  if (!offers(state.configuration(), host.facts, instance, complex.name).empty())
    return std::nullopt;
  return std::string();
}

// What is reported, where it does not satisfy the request; "" where nothing is, nothing if it does.
std::optional<std::string> refused_load(const Snapshot& state, const QueueInstance& instance,
                                        const FixedDemand& asked) {
  if (!is_load_value(asked.complex->name)) return refused_by_sensors(state, instance, asked);
  const auto reported = reported_amount(state, instance, *asked.complex);
  if (!reported) return std::string();
  const auto wanted = asked.complex->amount(asked.value);
  if (wanted && asked.complex->serves(*reported, *wanted)) return std::nullopt;
  return asked.complex->print_amount(*reported);
}

enum class Of { everybody, maintenance };

// What keeps jobs of these away from the instance at present, load apart; `said` for nothing.
AnswerCode present_condition(const Snapshot& state, const QueueInstance& instance, Instant now,
                             Of jobs) {
  const auto& condition = state.condition_of(instance);
  const bool is_closed = condition.maintenance && jobs == Of::everybody;
  if (state.host_of(instance).phase != HostPhase::up) return AnswerCode::host_not_available;
  if (condition.disabled && jobs == Of::everybody) return AnswerCode::instance_disabled;
  if (condition.suspended || condition.subordinated) return AnswerCode::instance_suspended;
  if (condition.outranked) return AnswerCode::instance_outranked;
  if (condition.error) return AnswerCode::instance_in_error;
  if (instance.settings.ambiguous) return AnswerCode::instance_ambiguous;
  if (condition.avoided_until > now) return AnswerCode::instance_set_back;
  if (condition.throttles) return AnswerCode::suspend_threshold_reached;
  if (is_closed) return AnswerCode::closed_by_maintenance;
  if (condition.opening == Opening::suspended) return AnswerCode::closed_by_calendar;
  if (condition.opening != Opening::on && jobs == Of::everybody)
    return AnswerCode::closed_by_calendar;
  return AnswerCode::said;
}

Statement dropped(const QueueInstance& instance, Statement why) {
  return {AnswerCode::instance_dropped, {{"queue", instance.name.text()}, {"why", std::move(why)}}};
}

Statement dropped(const Snapshot& state, const QueueInstance& instance, AnswerCode condition) {
  if (condition == AnswerCode::closed_by_maintenance) {
    const auto number = state.condition_of(instance).maintenance;
    const auto* maintenance = state.reservation_by_number(number);
    const auto end = maintenance ? maintenance->shape.window.end : Instant::never();
    return dropped(instance, {condition, {{"reservation", number}, {"end", taken_to(end)}}});
  }
  if (condition != AnswerCode::instance_in_error) return dropped(instance, {condition, {}});
  return dropped(instance, {condition, {{"reason", state.condition_of(instance).reason}}});
}

// Nothing of what is asked for is there, or another value.
struct Refusal {
  AnswerCode none, other;
};
constexpr Refusal in_queue{AnswerCode::offers_none_in_queue, AnswerCode::offers_other_in_queue};
constexpr Refusal at_host{AnswerCode::offers_none_at_host, AnswerCode::offers_other_at_host};

// `value` is "" where nothing is there.
Statement refused(const Refusal& codes, Detail place, const Demand& demand,
                  const std::string& resource, const std::string& value) {
  Statement statement{codes.none,
                      {{"request", demand.description}, std::move(place), {"resource", resource}}};
  if (value.empty()) return statement;
  statement.code = codes.other;
  statement.details.emplace_back("value", value);
  return statement;
}

// Whether the lists of users on the way from the queue to the cell let the demand in.
bool lets_users_in(const Configuration& configuration, const QueueInstance& instance,
                   const Demand& demand, Obstacles& obstacles) {
  const auto may_enter = [&](const auto& place) {
    return lets_in(configuration, demand, place.user_lists, place.xuser_lists);
  };
  const auto refuse = [&](AnswerCode code, auto details) {
    obstacles.add_made([&] { return Statement{code, details()}; });
    return false;
  };
  using Details = std::vector<Detail>;
  if (!may_enter(instance.settings))
    return refuse(demand.reserves ? AnswerCode::no_permission_for_selected_users
                                  : AnswerCode::no_permission_for_queue,
                  [&] {
                    return Details{{"queue", instance.name.text()}};
                  });
  for (const char* host : {instance.name.host.c_str(), "global"}) {
    const auto it = configuration.hosts().find(host);
    if (it != configuration.hosts().end() && !may_enter(it->second))
      return refuse(AnswerCode::no_permission_for_host, [&] { return Details{{"host", host}}; });
  }
  if (may_enter(configuration.global())) return true;
  return refuse(AnswerCode::no_permission_for_cluster, [] { return Details(); });
}

// Whether it is a queue that is asked for, of the kind that is asked for.
bool is_right_queue(const Configuration& configuration, const QueueInstance& instance,
                    const Demand& demand, Obstacles& obstacles) {
  const auto refuse = [&](AnswerCode code) {
    obstacles.add_made([&] { return Statement{code, {{"queue", instance.name.text()}}}; });
    return false;
  };
  if (!demand.queues.empty() && !is_among(configuration, demand.queues, instance))
    return refuse(AnswerCode::not_in_queue_list);
  if (demand.interactive && !instance.settings.interactive)
    return refuse(AnswerCode::no_interactive_queue);
  if (!demand.interactive && !instance.settings.batch) return refuse(AnswerCode::no_batch_queue);
  return true;
}

bool lists_checkpoint(const QueueInstance& instance, const Demand& demand, Obstacles& obstacles) {
  const auto& list = instance.settings.ckpt_list;
  if (demand.checkpoint.empty() || std::count(list.begin(), list.end(), demand.checkpoint) > 0)
    return true;
  obstacles.add_made([&] {
    return Statement{AnswerCode::ckpt_not_in_list,
                     {{"queue", instance.name.text()}, {"ckpt", demand.checkpoint}}};
  });
  return false;
}

// What is asked of some of the slots: the configuration has to say it.
bool meets(const Snapshot& state, const QueueInstance& instance,
           const std::vector<std::string>& queues, const std::vector<FixedDemand>& fixed) {
  if (queues.empty() && fixed.empty()) return true;
  const auto& configuration = state.configuration();
  if (!queues.empty() && !is_among(configuration, queues, instance)) return false;
  const auto& facts = state.host_of(instance).facts;
  return std::all_of(fixed.begin(), fixed.end(), [&](const FixedDemand& asked) {
    return !offers(configuration, facts, instance, asked.complex->name).empty() &&
           !refused_offer(configuration, facts, instance, asked);
  });
}

} // namespace

bool may_be_master(const Snapshot& state, const QueueInstance& instance, const Demand& demand) {
  return meets(state, instance, demand.master_queues, demand.master_fixed);
}

bool may_be_slave(const Snapshot& state, const QueueInstance& instance, const Demand& demand) {
  return meets(state, instance, demand.slave_queues, demand.slave_fixed);
}

std::int64_t unmet(const Snapshot& state, const QueueInstance& instance, const SoftDemand& soft) {
  const auto& facts = state.host_of(instance).facts;
  std::int64_t count =
      !soft.queues.empty() && !is_among(state.configuration(), soft.queues, instance);
  for (const auto& fixed : soft.fixed)
    count += refused_offer(state.configuration(), facts, instance, fixed) ||
             refused_load(state, instance, fixed);
  return count;
}

bool lets_users_in(const Configuration& configuration, const QueueInstance& instance,
                   const Demand& demand) {
  auto unread = Obstacles::unwanted();
  return lets_users_in(configuration, instance, demand, unread);
}

bool lets_project_in(const Configuration& configuration, const QueueInstance& instance,
                     const Demand& demand) {
  auto unread = Obstacles::unwanted();
  return lets_project_in(configuration, instance, demand, unread);
}

std::string unmet_value(const Configuration& configuration, const HostFacts& facts,
                        const QueueInstance& instance, const Demand& demand) {
  for (const auto& fixed : demand.fixed)
    if (refused_offer(configuration, facts, instance, fixed)) return fixed.complex->name;
  const auto forced = forced_by(configuration, instance, demand);
  return forced ? forced->complex : "";
}

std::optional<std::int64_t> most_offered(const Snapshot& state, const QueueInstance& instance,
                                         const Complex& complex) {
  std::optional<std::int64_t> most;
  for (const auto& value :
       offers(state.configuration(), state.host_of(instance).facts, instance, complex.name))
    if (const auto amount = complex.amount(value)) most = std::max(most.value_or(*amount), *amount);
  return most ? most : reported_amount(state, instance, complex);
}

bool could_serve(const Snapshot& state, const QueueInstance& instance, const Demand& demand,
                 Obstacles& obstacles) {
  const auto& configuration = state.configuration();
  if (!is_right_queue(configuration, instance, demand, obstacles) ||
      !lists_checkpoint(instance, demand, obstacles) ||
      !lets_users_in(configuration, instance, demand, obstacles) ||
      !lets_project_in(configuration, instance, demand, obstacles))
    return false;
  for (const auto& fixed : demand.fixed)
    if (const auto value =
            refused_offer(configuration, state.host_of(instance).facts, instance, fixed)) {
      obstacles.add_made([&] {
        return refused(in_queue, {"queue", instance.name.text()}, demand, fixed.complex->name,
                       *value);
      });
      return false;
    }
  if (const auto forced = forced_by(configuration, instance, demand)) {
    obstacles.add_made([&] { return not_requested(*forced, instance); });
    return false;
  }
  return true;
}

bool serves_now(const Snapshot& state, const QueueInstance& instance, const Demand& demand,
                Instant now, bool load_counts, Obstacles& obstacles) {
  if (const auto why = present_condition(state, instance, now, Of::everybody);
      why != AnswerCode::said) {
    obstacles.add_made([&] { return dropped(state, instance, why); });
    return false;
  }
  if (!load_counts) return true;
  if (const auto why = overload(state, instance, now)) {
    obstacles.add_made([&] {
      return dropped(instance, {AnswerCode::instance_overloaded, {{"why", why->statement()}}});
    });
    return false;
  }
  for (const auto& asked : demand.load)
    if (const auto value = refused_load(state, instance, asked)) {
      obstacles.add_made([&] {
        return refused(at_host, {"host", instance.name.host}, demand, asked.complex->name, *value);
      });
      return false;
    }
  return true;
}

bool serves_in_maintenance(const Snapshot& state, const QueueInstance& instance, Instant now,
                           Obstacles& obstacles) {
  const auto why = present_condition(state, instance, now, Of::maintenance);
  if (why == AnswerCode::said) return true;
  obstacles.add_made([&] { return dropped(state, instance, why); });
  return false;
}

} // namespace almanac
