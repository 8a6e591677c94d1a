#include "core/matching/selected_instances.hpp"

#include "core/matching/instance_obstacles.hpp"
#include "core/request/submit_table.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>

namespace almanac {

namespace {

using Checked = Result<Done, Statement>;

Checked check_names(const Configuration& configuration, const InstanceSelection& selection) {
  for (const auto& queue : selection.queues)
    if (!check_queues(configuration, {queue}))
      return Statement{AnswerCode::invalid_queue, {{"queue", excerpt(queue)}}};
  const auto& pes = configuration.parallel_environments();
  for (const auto& pe : selection.pes)
    if (std::none_of(pes.begin(), pes.end(),
                     [&](auto& entry) { return matches_pattern(pe, entry.first); }))
      return Statement::said("parallel environment \"" + excerpt(pe) + "\" does not exist");
  return Done{};
}

bool lists_pe(const QueueInstance& instance, const std::vector<std::string>& pes) {
  const auto& list = instance.settings.pe_list;
  return std::any_of(list.begin(), list.end(), [&](const std::string& pe) {
    return std::any_of(pes.begin(), pes.end(),
                       [&](const std::string& pattern) { return matches_pattern(pattern, pe); });
  });
}

// Whether the lists of users let one of them in.
bool lets_in_one_of(const Configuration& configuration, const QueueInstance& instance,
                    const InstanceSelection& selection) {
  return std::any_of(selection.users.begin(), selection.users.end(), [&](const std::string& user) {
    const auto group = std::find_if(selection.groups.begin(), selection.groups.end(),
                                    [&](const Attribute& known) { return known.name == user; });
    Demand demand;
    demand.users.emplace_back(user, group == selection.groups.end() ? "" : group->value);
    return lets_users_in(configuration, instance, demand);
  });
}

} // namespace

Result<std::vector<std::pair<const Complex*, std::string>>, Statement>
known_requests(const Configuration& configuration, const std::vector<Attribute>& resources) {
  std::vector<std::pair<const Complex*, std::string>> requests;
  for (const auto& [name, value] : resources) {
    const auto* complex = configuration.complexes().find(name);
    if (!complex) return Statement{AnswerCode::unknown_resource, {{"resource", excerpt(name)}}};
    if (auto sound = complex->valid_value(value, true); !sound)
      return Statement::said(sound.what());
    requests.emplace_back(complex, value);
  }
  return requests;
}

Result<SelectedInstances, Statement> SelectedInstances::of(const Configuration& configuration,
                                                           const InstanceSelection& selection,
                                                           const Present& present) {
  if (auto known = check_names(configuration, selection); !known) return known.error();
  const auto requests = known_requests(configuration, selection.resources);
  if (!requests) return requests.error();
  SelectedInstances selected(configuration);
  for (const auto& instance : configuration.instances()) {
    if (!selection.queues.empty() && !is_among(configuration, selection.queues, instance)) continue;
    if (!selection.pes.empty() && !lists_pe(instance, selection.pes)) continue;
    if (!selection.users.empty() && !lets_in_one_of(configuration, instance, selection)) continue;
    if (!selection.states.empty() &&
        present.letters(instance).find_first_of(selection.states) == std::string::npos)
      continue;
    if (!requests->empty()) {
      const auto offered = present.offered(instance);
      if (!std::all_of(requests->begin(), requests->end(), [&](const auto& asked) {
            return is_met(offered, *asked.first, asked.second);
          }))
        continue;
    }
    selected.facts_.emplace(instance.name, present.host(instance).facts);
  }
  return selected;
}

bool SelectedInstances::could_take(const Demand& demand) const {
  return std::any_of(facts_.begin(), facts_.end(), [&](const auto& entry) {
    const auto* instance = configuration_->instance(entry.first);
    if (!instance) return false;
    if (!demand.queues.empty() && !is_among(*configuration_, demand.queues, *instance))
      return false;
    const auto& pes = instance->settings.pe_list;
    if (!demand.pe.empty() && !is_allocation_pe(demand.pe) &&
        std::none_of(pes.begin(), pes.end(),
                     [&](const std::string& pe) { return matches_expression(demand.pe, pe); }))
      return false;
    return lets_users_in(*configuration_, *instance, demand) &&
           lets_project_in(*configuration_, *instance, demand) &&
           unmet_value(*configuration_, entry.second, *instance, demand).empty();
  });
}

bool SelectedInstances::could_take(const Job& job) {
  const auto key = job.owner.user + "\n" + primary_group(job.owner) + "\n" + class_key(job.request);
  const auto [found, is_new] = could_take_.try_emplace(key, false);
  if (is_new)
    if (const auto demand = demand_of_job(*configuration_, job.request, job.owner))
      found->second = could_take(*demand);
  return found->second;
}

} // namespace almanac
