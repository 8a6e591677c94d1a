#include "core/matching/demand.hpp"

#include "core/configuration/objects/built_in_complexes.hpp"
#include "core/configuration/objects/process_limit.hpp"
#include "core/host/sensed_values.hpp"
#include "core/text/resource_list.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

// Whether an instance of the queue that is asked for exists, or a queue without instances.
bool is_known(const Configuration& configuration, const std::string& queue) {
  const auto& instances = configuration.instances();
  const auto& queues = configuration.queues();
  return std::any_of(instances.begin(), instances.end(),
                     [&](auto& instance) { return is_among(configuration, {queue}, instance); }) ||
         std::any_of(queues.begin(), queues.end(),
                     [&](auto& entry) { return matches_expression(queue, entry.first); });
}

using Checked = Result<Done, Statement>;

// Amounts for every so many slots: with a rule they are read. Soft requests never have them.
enum class Ratios { read, need_a_rule, unknown };

bool is_known_host(const Configuration& configuration, const std::string& name) {
  const auto& hosts = configuration.hosts();
  return std::any_of(hosts.begin(), hosts.end(),
                     [&](auto& entry) { return equal_ignoring_case(entry.first, name); });
}

// The requests of one list, sorted by whether they are consumed.
Checked sort_requests(const Configuration& configuration, const std::vector<Attribute>& resources,
                      const std::string& kind, Ratios ratios, std::vector<FixedDemand>& fixed,
                      std::vector<ConsumableDemand>& consumables) {
  for (const auto& [name, value] : last_of_each(configuration.complexes(), resources)) {
    const auto* complex = configuration.complexes().find(name);
    if (!complex) return Statement{AnswerCode::unknown_resource, {{"resource", excerpt(name)}}};
    if (complex->name == "slots") return Statement{AnswerCode::slots_requested, {{"kind", kind}}};
    if (!complex->requestable)
      return Statement{AnswerCode::resource_not_requestable, {{"resource", name}}};
    const auto ratio = ratios == Ratios::unknown ? std::nullopt : ratio_of(*complex, value);
    if (ratio && ratios == Ratios::need_a_rule)
      return Statement{AnswerCode::ratio_without_rule,
                       {{"resource", name}, {"value", excerpt(value)}}};
    const auto& amount = ratio ? ratio->amount : value;
    if (auto valid = complex->valid_value(amount, true); !valid)
      return Statement{AnswerCode::resource_value_malformed,
                       {{"resource", name}, {"why", Statement::said(valid.what())}}};
    if (complex->is_consumable() && *complex->amount(amount) < 0)
      return Statement{AnswerCode::amount_below_zero,
                       {{"resource", name}, {"value", excerpt(value)}}};
    if (complex->name == "hostname" && !is_pattern(value) &&
        value.find_first_of("|&!()") == std::string::npos && !is_known_host(configuration, value))
      return Statement{AnswerCode::unknown_hostname, {{"host", excerpt(value)}}};
    if (!complex->is_consumable()) fixed.push_back({complex, value});
    else if (auto asked = asked_of(*complex, value)) consumables.push_back(std::move(*asked));
  }
  return Done{};
}

} // namespace

Result<Done, Statement> check_queues(const Configuration& configuration,
                                     const std::vector<std::string>& queues) {
  for (const auto& queue : queues)
    if (!is_known(configuration, queue))
      return Statement{AnswerCode::unknown_queue, {{"queue", excerpt(queue)}}};
  return Done{};
}

std::vector<Attribute> last_of_each(const ComplexTable& complexes,
                                    const std::vector<Attribute>& requests) {
  std::map<const Complex*, std::size_t> places;
  std::vector<Attribute> last;
  for (const auto& request : requests) {
    const auto* complex = complexes.find(request.name);
    const auto [place, is_new] = places.emplace(complex, last.size());
    if (complex && !is_new) last[place->second] = request;
    else last.push_back(request);
  }
  return last;
}

Result<Demand, Statement> resolve_demand(const Configuration& configuration,
                                         const std::vector<Attribute>& resources,
                                         const std::vector<std::string>& queues,
                                         const std::string& pe, const std::vector<SlotRange>& slots,
                                         const std::string& kind, const std::string& rule) {
  Demand demand;
  demand.queues = queues, demand.slots = slots;
  demand.pe = rule.empty() ? pe : allocation_pe_name(rule);
  demand.reserves = kind == "advance_reservation";
  demand.description = resources.empty() ? "-l NONE" : "-l " + print_resource_requests(resources);
  demand.consumables.push_back({"slots", 1, Taking::per_slot, true});
  if (auto sorted = sort_requests(configuration, resources, kind,
                                  rule.empty() ? Ratios::need_a_rule : Ratios::read, demand.fixed,
                                  demand.consumables);
      !sorted)
    return sorted.error();
  add_defaults(configuration, demand.consumables);
  for (const auto& [name, value] : last_of_each(configuration.complexes(), resources))
    if (const auto* complex = configuration.complexes().find(name);
        is_load_value(complex->name) || may_be_sensed(configuration, *complex))
      demand.load.push_back({complex, value});
  // R123 is a reservation that is not there yet (spec/plus.md P5.2).
  const bool waits =
      !demand.reserves && queues.size() == 1 && parse_reservation_queue(queues.front());
  if (auto known = check_queues(configuration, queues); !known && !waits) return known.error();
  if (!pe.empty()) {
    const auto& known = configuration.parallel_environments();
    if (std::none_of(known.begin(), known.end(),
                     [&](auto& entry) { return matches_expression(pe, entry.first); }))
      return Statement{AnswerCode::no_such_pe, {{"pe", excerpt(pe)}}};
  }
  return demand;
}

namespace {

Checked check_checkpoint(const Configuration& configuration, const std::string& name) {
  if (name.empty()) return Done{};
  const auto found = configuration.checkpoints().find(name);
  if (found == configuration.checkpoints().end())
    return Statement{AnswerCode::no_such_ckpt, {{"ckpt", excerpt(name)}}};
  return Done{};
}

// What a process may use, and what hosts report from moment to moment, is nothing that some slots
// could have for themselves.
bool is_of_whole_job(const Complex& complex) {
  return is_process_limit(complex.name) || complex.name == "h_rt" || complex.name == "s_rt" ||
         is_load_value(complex.name);
}

// The requests of one scope, which are about what an instance is: nothing of them is booked.
Checked resolve_scope(const Configuration& configuration, const char* scope,
                      const std::vector<Attribute>& resources, std::vector<FixedDemand>& fixed) {
  std::vector<ConsumableDemand> consumables;
  if (auto sorted =
          sort_requests(configuration, resources, "job", Ratios::unknown, fixed, consumables);
      !sorted)
    return sorted;
  const auto refuse = [&](const std::string& resource) {
    return Statement{AnswerCode::request_of_whole_job, {{"scope", scope}, {"resource", resource}}};
  };
  if (!consumables.empty()) return refuse(consumables.front().resource);
  for (const auto& asked : fixed)
    if (is_of_whole_job(*asked.complex)) return refuse(asked.complex->name);
  return Done{};
}

Checked resolve_scopes(const Configuration& configuration, const JobRequest& request,
                       Demand& demand) {
  demand.master_queues = request.master_queues, demand.slave_queues = request.slave_queues;
  for (const auto* queues : {&demand.master_queues, &demand.slave_queues})
    if (auto known = check_queues(configuration, *queues); !known) return known;
  if (auto done =
          resolve_scope(configuration, "master", request.master_resources, demand.master_fixed);
      !done)
    return done;
  if (auto done =
          resolve_scope(configuration, "slave", request.slave_resources, demand.slave_fixed);
      !done)
    return done;
  if (demand.has_slave_scope() && demand.pe.empty())
    return Statement{AnswerCode::slaves_without_pe, {}};
  return Done{};
}

} // namespace

Result<Demand, Statement> demand_of_job(const Configuration& configuration,
                                        const JobRequest& request, const Caller& owner) {
  auto demand = resolve_demand(configuration, request.resources, request.queues, request.pe,
                               request.slots, "job", request.allocation_rule);
  if (!demand) return demand;
  auto& soft = demand->soft;
  if (auto sorted = sort_requests(configuration, request.soft_resources, "job", Ratios::unknown,
                                  soft.fixed, soft.consumables);
      !sorted)
    return sorted.error();
  soft.queues = request.soft_queues;
  if (auto known = check_queues(configuration, soft.queues); !known) return known.error();
  if (auto scopes = resolve_scopes(configuration, request, *demand); !scopes) return scopes.error();
  if (auto usable = check_checkpoint(configuration, request.checkpoint); !usable)
    return usable.error();
  demand->checkpoint = request.checkpoint, demand->pe_rule = request.pe_rule;
  demand->project = request.project, demand->interactive = request.immediate;
  demand->users.emplace_back(owner.user, primary_group(owner));
  return demand;
}

bool is_among(const Configuration& configuration, const std::vector<std::string>& queues,
              const QueueInstance& instance) {
  return std::any_of(queues.begin(), queues.end(), [&](const std::string& queue) {
    return queue_request_matches(queue, instance.name.queue, instance.name.host,
                                 [&](const std::string& group) {
                                   return configuration.host_in_group(instance.name.host, group);
                                 });
  });
}

} // namespace almanac
