// Whether a rule of a quota set and a counter of it are among those that somebody asks about.
//
// A job is in one place, and its names are known; a question may have patterns. A filter is left out
// only where it is certain that it lets in nothing of what is asked for: "*" is never certain to be
// excluded (spec/quotas.md Q8.6), "que*" is by "!qu*" (Q8.8). Source: section 6, Switches.
#pragma once

#include "core/base/caller.hpp"
#include "core/policy/quota_match.hpp"
#include "core/request/quota_selection.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

class Records;

class QuotaQuestion {
public:
  /// It holds as long as the records stay as they are.
  QuotaQuestion(const Records& records, const Caller& caller, const QuotaSelection& selection);

  /// Whether all filters of the rule may let in something of what is asked for (Q6.10).
  bool may_meet(const QuotaRule& rule);
  /// Whether the member of a filter in braces is asked for (Q6.8).
  bool means(QuotaFilter filter, const std::string& member) const;
  /// By the full name of the resource.
  bool wants(const std::string& resource) const;

private:
  struct Asked {
    bool all = true;
    std::set<std::string> names;
    std::vector<std::string> patterns;
  };

  void ask(QuotaFilter filter, const std::vector<std::string>& words);
  bool may_let_in(QuotaFilter filter, const QuotaScope& scope);
  bool lets_in(QuotaFilter filter, const QuotaScope& scope, const std::string& name);
  bool may_let_in_some(QuotaFilter filter, const QuotaScope& scope, const std::string& pattern);
  /// Who is in "@set", as names are compared with.
  const std::set<std::string>& members_of(QuotaFilter filter, const std::string& word);
  const std::set<std::pair<std::string, std::string>>& people();

  const Records& records_;
  const Caller& caller_;
  bool asks_for_itself_; ///< the user who asks
  QuotaHosts hosts_;
  std::array<Asked, quota_filters> asked_;
  std::optional<std::set<std::string>> resources_; ///< nothing: all
  std::map<std::pair<QuotaFilter, std::string>, std::set<std::string>> members_;
  std::optional<std::set<std::pair<std::string, std::string>>> people_; ///< with their groups
};

} // namespace almanac
