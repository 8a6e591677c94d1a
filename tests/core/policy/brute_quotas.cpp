#include "brute_quotas.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace almanac {

namespace {

bool fits(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::string lowered(std::string text) {
  for (auto& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Q3.8, Q3.9
template <class Is> bool lets_in(const QuotaScope& scope, Is is) {
  if (!scope.given) return true;
  for (const auto& word : scope.excluded)
    if (is(word)) return false;
  if (scope.included.empty()) return true;
  for (const auto& word : scope.included)
    if (is(word)) return true;
  return false;
}

std::string key_of(const QuotaRule& rule, const Job& job, const std::string& pe,
                   const InstanceName& there) {
  const auto field = [&](QuotaFilter filter, const std::string& member) {
    return (rule.scope(filter).expanded ? member : "") + "/";
  };
  return field(QuotaFilter::users, job.owner.user) +
         field(QuotaFilter::projects, job.request->project) + field(QuotaFilter::pes, pe) +
         field(QuotaFilter::queues, there.queue) + field(QuotaFilter::hosts, there.host);
}

// What the job asks of the complex; nothing: it does not.
std::optional<std::string> asked(const Job& job, const Complex& complex) {
  for (const auto& [name, value] : job.request->resources)
    if (name == complex.name || name == complex.shortcut) return value;
  return std::nullopt;
}

} // namespace

// ---- matching ---------------------------------------------------------------------------------

bool BruteQuotas::is_user(const std::string& word, const Job& job) const {
  const auto& owner = job.owner;
  if (word.front() != '@') return fits(word, owner.user);
  for (const auto& [name, userset] : records_.configuration().usersets())
    if (fits(word.substr(1), name))
      for (const auto& entry : userset.entries)
        if (entry == owner.user || entry == "@" + owner.group) return true;
  return false;
}

bool BruteQuotas::is_in_group(const std::string& group, const std::string& host) const {
  const auto* object = records_.configuration().find(ObjectKind::host_group, group);
  if (!object) return false;
  std::string member;
  for (const char c : *object->find("hostlist") + " ") {
    if (c != ' ' && c != ',' && c != '\t') {
      member += c;
      continue;
    }
    if (!member.empty() && (member.front() == '@' ? is_in_group(member, host) : member == host))
      return true;
    member.clear();
  }
  return false;
}

bool BruteQuotas::is_host(const std::string& word, const std::string& host) const {
  if (word.front() != '@') return fits(lowered(word), lowered(host));
  for (const auto& object : records_.configuration().objects())
    if (object.kind == ObjectKind::host_group && fits(word, object.name) &&
        is_in_group(object.name, host))
      return true;
  return false;
}

bool BruteQuotas::matches(const QuotaRule& rule, const Place& place) const {
  const auto named = [](const std::string& name) {
    return [&name](const std::string& word) { return !name.empty() && fits(word, name); };
  };
  return lets_in(rule.scope(QuotaFilter::users),
                 [&](const std::string& word) { return is_user(word, place.job); }) &&
         lets_in(rule.scope(QuotaFilter::projects), named(place.job.request->project)) &&
         lets_in(rule.scope(QuotaFilter::pes), named(place.pe)) &&
         lets_in(rule.scope(QuotaFilter::queues), named(place.instance.queue)) &&
         lets_in(rule.scope(QuotaFilter::hosts),
                 [&](const std::string& word) { return is_host(word, place.instance.host); });
}

// Q3.13
std::optional<std::size_t> BruteQuotas::rule_of(const QuotaSet& set, const Place& place) const {
  if (!set.enabled) return std::nullopt;
  for (std::size_t rule = 0; rule < set.rules.size(); ++rule)
    if (matches(set.rules[rule], place)) return rule;
  return std::nullopt;
}

// ---- limits -----------------------------------------------------------------------------------

std::optional<std::int64_t> BruteQuotas::processors(const std::string& host) const {
  for (const auto& name : {host, std::string("global")}) {
    const auto& values = records_.configuration().host_values(name);
    if (const auto it = values.find("num_proc"); it != values.end()) return std::stoll(it->second);
    const auto* state = name == host ? records_.find<HostState>(name) : nullptr;
    if (state && !state->facts.arch.empty()) return state->facts.processors;
  }
  return std::nullopt;
}

// Formulas name num_proc and nothing else here.
std::int64_t BruteQuotas::limit_on(const QuotaLimit& limit, const std::string& host) const {
  if (!limit.formula) return limit.amount;
  std::int64_t millionths = limit.formula->constant;
  for (const auto& [name, weight] : limit.formula->terms) {
    const auto value = processors(host);
    if (!value) return 0;
    millionths += *value * weight;
  }
  return std::max<std::int64_t>(0, millionths / 1'000'000);
}

bool BruteQuotas::is_fixed_request_denied(const QuotaLimit& limit, const Job& job) const {
  const auto* complex = records_.configuration().complexes().find(limit.complex);
  if (complex->consumable != Consumable::no) return false;
  const auto value = asked(job, *complex);
  return value && std::stoll(*value) > limit.amount; // relop <=
}

// ---- counting ---------------------------------------------------------------------------------

// Q4.9 to Q4.17
std::vector<BruteQuotas::Use> BruteQuotas::uses_at(const Place& place, std::int64_t slots,
                                                   bool is_master, bool is_first_of_host,
                                                   Window window) const {
  std::vector<Use> uses;
  for (const auto& set : records_.configuration().quota_sets()) {
    const auto number = rule_of(set, place);
    if (!number) continue;
    const auto& rule = set.rules[*number];
    for (const auto& limit : rule.limits) {
      const auto& complex = *records_.configuration().complexes().find(limit.complex);
      const auto value = asked(place.job, complex);
      const bool exclusive = complex.relation == Relation::exclusive;
      const bool alone = exclusive && value && (*value == "TRUE" || *value == "1");
      std::int64_t each = 0, times = slots;
      if (complex.name == "slots" || exclusive) each = 1;
      else if (complex.consumable != Consumable::no)
        each = std::stoll(value ? *value : complex.default_request);
      if (complex.consumable == Consumable::per_job) times = is_master ? 1 : 0;
      if (complex.consumable == Consumable::per_host) times = is_first_of_host ? 1 : 0;
      if (each * times == 0) continue;
      uses.push_back({set.name + "/" + std::to_string(*number + 1) + " " + complex.name +
                          (exclusive && !alone ? " beside " : " ") +
                          key_of(rule, place.job, place.pe, place.instance),
                      each * times, limit_on(limit, place.instance.host), window});
    }
  }
  return uses;
}

std::vector<BruteQuotas::Use> BruteQuotas::of(const Job& job, const std::string& pe,
                                              const std::vector<Grant>& grants,
                                              Window window) const {
  std::vector<Use> uses;
  std::set<std::string> hosts;
  if (job.reservation_key) return uses; // Q4.35
  for (std::size_t i = 0; i < grants.size(); ++i) {
    const auto& there = grants[i].instance;
    const auto more =
        uses_at({job, pe, there}, grants[i].slots, i == 0, hosts.insert(there.host).second, window);
    uses.insert(uses.end(), more.begin(), more.end());
  }
  return uses;
}

std::vector<BruteQuotas::Use> BruteQuotas::all() const {
  std::vector<Use> uses;
  const auto add = [&](const std::vector<Use>& more) {
    uses.insert(uses.end(), more.begin(), more.end());
  };
  for (const auto& [id, task] : records_.all<Task>())
    add(of(*records_.find<Job>(task->job), task->pe, task->grants, task->booked));
  for (const auto& [key, job] : records_.all<Job>())
    for (const auto& hold : job->holds) add(of(*job, hold.pe, hold.grants, hold.window));
  return uses;
}

std::int64_t BruteQuotas::sum(const std::vector<Use>& uses, const std::string& counter,
                              Instant at) {
  std::int64_t sum = 0;
  for (const auto& use : uses)
    if (use.counter == counter && use.window.contains(at)) sum += use.amount;
  return sum;
}

// It only grows where something begins.
std::int64_t BruteQuotas::most(const std::vector<Use>& uses, const std::string& counter,
                               Window window) {
  auto most = sum(uses, counter, window.start);
  for (const auto& use : uses)
    if (use.counter == counter && window.contains(use.window.start))
      most = std::max(most, sum(uses, counter, use.window.start));
  return most;
}

// Q4.23, Q4.25; who is alone meets nobody, and nobody meets who is alone (Q4.17).
bool BruteQuotas::admit(const Job& job, const InstanceName& there, Window window) const {
  const Place place{job, "", there};
  for (const auto& set : records_.configuration().quota_sets())
    if (const auto rule = rule_of(set, place))
      for (const auto& limit : set.rules[*rule].limits)
        if (is_fixed_request_denied(limit, job)) return false;
  const auto known = all();
  for (const auto& use : uses_at(place, 1, true, true, window)) {
    const auto& complexes = records_.configuration().complexes();
    const auto name = use.counter.substr(use.counter.find(' ') + 1);
    const auto* complex = complexes.find(name.substr(0, name.find(' ')));
    if (complex->relation != Relation::exclusive) {
      if (most(known, use.counter, window) + use.amount > use.limit) return false;
      continue;
    }
    auto others = use.counter;
    const auto beside = others.find(" beside ");
    if (beside != std::string::npos) others.erase(beside, 7);
    else others.insert(others.rfind(' '), " beside");
    if (most(known, others, window) > 0) return false;
    if (beside == std::string::npos && most(known, use.counter, window) > 0) return false;
  }
  return true;
}

} // namespace almanac
