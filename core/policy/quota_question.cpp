#include "core/policy/quota_question.hpp"

#include "core/records/records.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Only these have sets; what begins with '@' elsewhere is a name like any other.
bool is_set(QuotaFilter filter, const std::string& word) {
  return (filter == QuotaFilter::users || filter == QuotaFilter::hosts) && word.starts_with('@');
}
// Names of hosts are compared without case (Q3.12).
std::string compared(QuotaFilter filter, const std::string& name) {
  return filter == QuotaFilter::hosts ? lower(name) : name;
}

// Whether all that the pattern means is meant by the word. A '*' of the pattern may be nothing, and
// may be much: what fits both ways is sure to cover it.
bool covers(const std::string& word, const std::string& pattern) {
  auto least = pattern;
  std::erase(least, '*');
  return matches_pattern(word, pattern) && matches_pattern(word, least);
}

std::string_view before_special(std::string_view pattern) {
  return pattern.substr(0, pattern.find_first_of("*?[\\"));
}
std::string_view behind_special(std::string_view pattern) {
  return pattern.substr(pattern.find_last_of("*?]\\") + 1);
}

// Whether there may be a name that both patterns mean: there is none where they begin or end
// differently.
bool may_overlap(std::string_view a, std::string_view b) {
  const auto begin_a = before_special(a), begin_b = before_special(b);
  const auto end_a = behind_special(a), end_b = behind_special(b);
  return (begin_a.starts_with(begin_b) || begin_b.starts_with(begin_a)) &&
         (end_a.ends_with(end_b) || end_b.ends_with(end_a));
}

} // namespace

QuotaQuestion::QuotaQuestion(const Records& records, const Caller& caller,
                             const QuotaSelection& selection)
    : records_(records),
      caller_(caller),
      asks_for_itself_(selection.users == std::vector{caller.user}),
      hosts_(records.configuration()) {
  ask(QuotaFilter::users, selection.users);
  ask(QuotaFilter::projects, selection.projects);
  ask(QuotaFilter::pes, selection.pes);
  ask(QuotaFilter::queues, selection.queues);
  ask(QuotaFilter::hosts, selection.hosts);
  if (selection.resources.empty()) return;
  resources_.emplace();
  for (const auto& word : selection.resources)
    if (const auto* complex = records.configuration().complexes().find(word))
      resources_->insert(complex->name);
}

void QuotaQuestion::ask(QuotaFilter filter, const std::vector<std::string>& words) {
  auto& asked = asked_.at(static_cast<std::size_t>(filter));
  asked.all = words.empty() || std::find(words.begin(), words.end(), "*") != words.end();
  if (asked.all) return;
  for (const auto& word : words) {
    if (is_set(filter, word)) {
      const auto& members = members_of(filter, word);
      asked.names.insert(members.begin(), members.end());
    } else if (is_pattern(word)) asked.patterns.push_back(compared(filter, word));
    else asked.names.insert(compared(filter, word));
  }
}

bool QuotaQuestion::may_meet(const QuotaRule& rule) {
  for (std::size_t filter = 0; filter < quota_filters; ++filter)
    if (!may_let_in(static_cast<QuotaFilter>(filter), rule.scopes.at(filter))) return false;
  return true;
}

bool QuotaQuestion::means(QuotaFilter filter, const std::string& member) const {
  const auto& asked = asked_.at(static_cast<std::size_t>(filter));
  if (asked.all) return true;
  const auto name = compared(filter, member);
  return asked.names.contains(name) ||
         std::any_of(asked.patterns.begin(), asked.patterns.end(),
                     [&](const std::string& pattern) { return matches_pattern(pattern, name); });
}

bool QuotaQuestion::wants(const std::string& resource) const {
  return !resources_ || resources_->contains(resource);
}

bool QuotaQuestion::may_let_in(QuotaFilter filter, const QuotaScope& scope) {
  const auto& asked = asked_.at(static_cast<std::size_t>(filter));
  if (!scope.given || asked.all) return true;
  return std::any_of(asked.names.begin(), asked.names.end(),
                     [&](const std::string& name) { return lets_in(filter, scope, name); }) ||
         std::any_of(asked.patterns.begin(), asked.patterns.end(), [&](const std::string& pattern) {
           return may_let_in_some(filter, scope, pattern);
         });
}

bool QuotaQuestion::lets_in(QuotaFilter filter, const QuotaScope& scope, const std::string& name) {
  const auto means_it = [&](const std::string& word) {
    return is_set(filter, word) ? members_of(filter, word).contains(name)
                                : matches_pattern(compared(filter, word), name);
  };
  if (std::any_of(scope.excluded.begin(), scope.excluded.end(), means_it)) return false;
  return scope.included.empty() ||
         std::any_of(scope.included.begin(), scope.included.end(), means_it);
}

bool QuotaQuestion::may_let_in_some(QuotaFilter filter, const QuotaScope& scope,
                                    const std::string& pattern) {
  const auto covers_it = [&](const std::string& word) {
    return !is_set(filter, word) && covers(compared(filter, word), pattern);
  };
  const auto may_mean_some = [&](const std::string& word) {
    if (is_set(filter, word)) {
      const auto& members = members_of(filter, word);
      return std::any_of(members.begin(), members.end(), [&](const std::string& member) {
        return matches_pattern(pattern, member);
      });
    }
    const auto text = compared(filter, word);
    return is_pattern(text) ? may_overlap(text, pattern) : matches_pattern(pattern, text);
  };
  if (std::any_of(scope.excluded.begin(), scope.excluded.end(), covers_it)) return false;
  return scope.included.empty() ||
         std::any_of(scope.included.begin(), scope.included.end(), may_mean_some);
}

const std::set<std::string>& QuotaQuestion::members_of(QuotaFilter filter,
                                                       const std::string& word) {
  const auto [it, is_new] = members_.try_emplace({filter, word});
  auto& members = it->second;
  if (!is_new) return members;
  if (filter == QuotaFilter::hosts) {
    for (const auto& host : hosts_.hosts_of(word)) members.insert(compared(filter, host));
    return members;
  }
  std::set<std::string> groups;
  for (const auto& [name, userset] : records_.configuration().usersets())
    if (matches_pattern(std::string_view(word).substr(1), name))
      for (const auto& entry : userset.entries)
        entry.starts_with('@') ? groups.insert(entry.substr(1)) : members.insert(entry);
  if (groups.empty()) return members;
  for (const auto& person : people())
    if (std::any_of(groups.begin(), groups.end(),
                    [&](const std::string& entry) { return is_group(entry, person.second); }))
      members.insert(person.first);
  return members;
}

// In which groups people are, only their jobs say, and the caller.
const std::set<std::pair<std::string, std::string>>& QuotaQuestion::people() {
  if (people_) return *people_;
  people_.emplace();
  people_->emplace(caller_.user, primary_group(caller_));
  if (!asks_for_itself_)
    for (const auto& [key, job] : records_.all<Job>())
      people_->emplace(job->owner.user, primary_group(job->owner));
  return *people_;
}

} // namespace almanac
