#include "core/monitor/quota_watch.hpp"

#include "core/base/wide.hpp"
#include "core/text/topology.hpp"
#include "core/job/consumables.hpp"
#include "core/job/inside.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace almanac {

namespace {

// Whose share of what a rule is asked about.
struct Share {
  const Configuration& configuration;
  const Job& job;
  const std::string& pe;
  const InstanceName& instance;
};

template <class Means> bool admits(const QuotaScope& scope, Means means) {
  if (!scope.given) return true;
  for (const auto& word : scope.excluded)
    if (means(word)) return false;
  return scope.included.empty() || std::any_of(scope.included.begin(), scope.included.end(), means);
}

bool is_owner(const Share& share, const std::string& word) {
  const auto& owner = share.job.owner;
  if (!word.starts_with('@')) return matches_pattern(word, owner.user);
  const auto& usersets = share.configuration.usersets();
  return std::any_of(usersets.begin(), usersets.end(), [&](const auto& named) {
    return matches_pattern(word.substr(1), named.first) &&
           named.second.contains(owner.user, primary_group(owner));
  });
}

bool is_host(const Share& share, const std::string& word) {
  const auto& host = share.instance.host;
  if (!word.starts_with('@')) return matches_pattern(lower(word), lower(host));
  const auto groups = share.configuration.host_groups();
  return std::any_of(groups.begin(), groups.end(), [&](const std::string& group) {
    return matches_pattern(word, group) && share.configuration.host_in_group(host, group);
  });
}

bool concerns(const QuotaRule& rule, const Share& share) {
  const auto named = [&](QuotaFilter filter, const std::string& name) {
    return admits(rule.scope(filter), [&](const std::string& word) {
      return !name.empty() && matches_pattern(word, name);
    });
  };
  return named(QuotaFilter::projects, share.job.request->project) &&
         named(QuotaFilter::pes, share.pe) && named(QuotaFilter::queues, share.instance.queue) &&
         admits(rule.scope(QuotaFilter::users),
                [&](const std::string& word) { return is_owner(share, word); }) &&
         admits(rule.scope(QuotaFilter::hosts),
                [&](const std::string& word) { return is_host(share, word); });
}

std::string key_of(const QuotaRule& rule, const Share& share) {
  const auto field = [&](QuotaFilter filter, const std::string& member) {
    return (rule.scope(filter).expanded ? member : std::string()) + "/";
  };
  return field(QuotaFilter::users, share.job.owner.user) +
         field(QuotaFilter::projects, share.job.request->project) +
         field(QuotaFilter::pes, share.pe) + field(QuotaFilter::queues, share.instance.queue) +
         field(QuotaFilter::hosts, share.instance.host);
}

// In millionths; a formula means numbers only.
std::optional<std::int64_t> value_at(const Records& records, const std::string& name,
                                     const std::string& host) {
  const auto* complex = records.configuration().complexes().find(name);
  for (const auto& place : {host, std::string("global")}) {
    const auto& values = records.configuration().host_values(place);
    if (const auto it = values.find(name); complex && it != values.end()) {
      const auto amount = complex->amount(it->second);
      if (!amount) return std::nullopt;
      return complex->type == ValueType::decimal ? *amount
                                                 : clamped(Wide(*amount) * fixed_point::unit);
    }
    const auto* known = place == host ? records.find<HostState>(host) : nullptr;
    if (!known) continue;
    if (name == "num_proc" && !known->facts.arch.empty())
      return clamped(Wide(known->facts.processors) * fixed_point::unit);
    if (const auto count = topology_count(known->facts.topology, name))
      return clamped(Wide(*count) * fixed_point::unit);
  }
  return std::nullopt;
}

std::int64_t limit_at(const Records& records, const QuotaLimit& limit, const std::string& host) {
  if (!limit.formula) return limit.amount;
  Wide sum = limit.formula->constant;
  for (const auto& [name, weight] : limit.formula->terms) {
    const auto value = value_at(records, name, host);
    if (!value) return 0;
    sum += Wide(*value) * weight / fixed_point::unit;
  }
  const auto* complex = records.configuration().complexes().find(limit.complex);
  const bool keeps_fractions = complex && complex->type == ValueType::decimal;
  return std::max<std::int64_t>(0, clamped(keeps_fractions ? sum : sum / fixed_point::unit));
}

std::int64_t times(const ConsumableDemand& taken, const std::vector<Grant>& grants,
                   std::size_t grant) {
  const auto is_here = [&](const Grant& one) {
    return one.instance.host == grants[grant].instance.host;
  };
  switch (taken.taking) {
  case Taking::per_slot: return grants[grant].slots;
  case Taking::per_job: return grant == 0 ? 1 : 0;
  case Taking::per_host:
    return std::find_if(grants.begin(), grants.end(), is_here) - grants.begin() ==
                   static_cast<std::ptrdiff_t>(grant)
               ? 1
               : 0;
  default: return 0;
  }
}

} // namespace

void QuotaWatch::changed(const Task* before, const Task* after) {
  if (after && after->is_active() && after->attempt > (before ? before->attempt : 0))
    started_.insert(after->id());
}

std::vector<QuotaWatch::Use> QuotaWatch::uses_of(const Task& task) const {
  std::vector<Use> uses;
  const auto* job = records_.find<Job>(task.job);
  if (!job || reservation_of(*job, task) || !task.is_active()) return uses;
  const auto& configuration = records_.configuration();
  const auto consumables = consumables_of(configuration, job->request->resources);
  for (std::size_t grant = 0; grant < task.grants.size(); ++grant) {
    const Share share{configuration, *job, task.pe, task.grants[grant].instance};
    if (!configuration.instance(share.instance)) continue;
    for (const auto& set : configuration.quota_sets()) {
      const auto rule = std::find_if(set.rules.begin(), set.rules.end(),
                                     [&](const QuotaRule& one) { return concerns(one, share); });
      if (!set.enabled || rule == set.rules.end()) continue;
      const auto label = set.name + "/" + std::to_string(rule - set.rules.begin() + 1);
      for (const auto& limit : rule->limits)
        for (const auto& taken : consumables)
          if (const auto amount = taken.taking == Taking::per_slot
                                      ? amount_for(taken, task.grants[grant].slots)
                                      : taken.amount * times(taken, task.grants, grant);
              taken.resource == limit.complex && amount > 0)
            uses.push_back({label + " " + limit.complex + " " + key_of(*rule, share), amount,
                            limit_at(records_, limit, share.instance.host)});
    }
  }
  return uses;
}

std::optional<Violation> QuotaWatch::settle() {
  struct Counter {
    std::int64_t limit = 0, used = 0;
    TaskId started;
  };
  std::map<std::string, Counter> met;
  for (const auto& id : std::exchange(started_, {}))
    if (const auto* task = records_.find<Task>(id))
      for (const auto& use : uses_of(*task)) met[use.counter] = {use.limit, 0, id};
  if (met.empty()) return std::nullopt;
  for (const auto& [id, task] : records_.all<Task>())
    for (const auto& use : uses_of(*task))
      if (const auto it = met.find(use.counter); it != met.end()) it->second.used += use.amount;
  for (const auto& [counter, now] : met)
    if (now.used > now.limit)
      return Violation{Invariant::starts_keep_quotas,
                       "the start of task " + std::to_string(now.started.task) +
                           " of the job with the key " + to_string(now.started.job) + " makes it " +
                           std::to_string(now.used) + " of " + std::to_string(now.limit) +
                           " in counter " + counter};
  return std::nullopt;
}

} // namespace almanac
