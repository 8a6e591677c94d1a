#include "core/policy/quota_questions.hpp"

#include "core/records/records.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

// Of those whom the client tells, the ones of whom the cell knows nothing.
std::map<std::string, std::string> unknown_users(const Records& records, const Caller& caller,
                                                 const std::vector<Attribute>& told) {
  std::map<std::string, std::string> unknown;
  for (const auto& [user, group] : told) unknown.emplace(user, group);
  unknown.erase(caller.user);
  if (unknown.empty()) return unknown;
  for (const auto& [key, job] : records.all<Job>()) unknown.erase(job->owner.user);
  return unknown;
}

bool has_groups(const Records& records, const std::string& word) {
  const auto& usersets = records.configuration().usersets();
  return std::any_of(usersets.begin(), usersets.end(), [&](const auto& entry) {
    const auto& [name, userset] = entry;
    return matches_pattern(std::string_view(word).substr(1), name) &&
           std::any_of(userset.entries.begin(), userset.entries.end(),
                       [](const std::string& member) { return member.starts_with('@'); });
  });
}

} // namespace

QuotaQuestions::QuotaQuestions(const Records& records, const Caller& caller,
                               const QuotaSelection& selection) {
  auto rest = selection;
  ask_about_told(records, caller, rest);
  // No user would mean all of them.
  if (!rest.users.empty() || questions_.empty()) questions_.emplace_back(records, caller, rest);
  std::copy_if(rest.users.begin(), rest.users.end(), std::back_inserter(sets_),
               [](const std::string& word) { return word.starts_with('@'); });
  if (sets_.empty()) return;
  for (const auto& set : sets_)
    if (has_groups(records, set)) open_sets_.insert(set);
  rest.users.clear();
  elsewhere_.emplace(records, caller, rest);
}

void QuotaQuestions::ask_about_told(const Records& records, const Caller& caller,
                                    QuotaSelection& selection) {
  for (const auto& [user, group] : unknown_users(records, caller, selection.groups)) {
    if (std::erase(selection.users, user) == 0) continue;
    auto& asker = told_.emplace_back();
    asker.user = user, asker.group = group;
    auto alone = selection;
    alone.users = {user};
    questions_.emplace_back(records, asker, alone);
  }
}

bool QuotaQuestions::may_meet(const QuotaRule& rule) {
  return std::any_of(questions_.begin(), questions_.end(),
                     [&](QuotaQuestion& question) { return question.may_meet(rule); }) ||
         (elsewhere_ && names_set_of(rule) && elsewhere_->may_meet(rule));
}

bool QuotaQuestions::means(QuotaFilter filter, const std::string& member) const {
  return std::any_of(questions_.begin(), questions_.end(),
                     [&](const QuotaQuestion& question) { return question.means(filter, member); });
}

bool QuotaQuestions::names_set_of(const QuotaRule& rule) const {
  const auto& scope = rule.scope(QuotaFilter::users);
  return std::any_of(sets_.begin(), sets_.end(), [&](const std::string& set) {
    const auto covers_it = [&](const std::string& word) {
      return word.starts_with('@') && matches_pattern(word, set);
    };
    const auto means_it = [&](const std::string& word) {
      return covers_it(word) || (word.starts_with('@') && matches_pattern(set, word));
    };
    // Nobody knows all who are in a set with groups: whoever lets in anybody lets them in, too.
    const bool is_for_anybody =
        scope.included.empty() ||
        std::find(scope.included.begin(), scope.included.end(), "*") != scope.included.end();
    return ((is_for_anybody && open_sets_.contains(set)) ||
            std::any_of(scope.included.begin(), scope.included.end(), means_it)) &&
           std::none_of(scope.excluded.begin(), scope.excluded.end(), covers_it);
  });
}

} // namespace almanac
