// A question of qquota, with what the client says of the users that it names.
//
// 1. In which groups people are, their jobs say. Of a user without a job the client says it, and he is
//    asked about by himself: his group is no one else's (spec/quotas.md section 3, users).
// 2. "@set" means also the rules that name this set, whoever is known to be in it.
#pragma once

#include "core/policy/quota_question.hpp"

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace almanac {

class QuotaQuestions {
public:
  /// It holds as long as the records, the caller and the selection stay as they are.
  QuotaQuestions(const Records& records, const Caller& caller, const QuotaSelection& selection);

  /// As those of QuotaQuestion.
  bool may_meet(const QuotaRule& rule);
  bool means(QuotaFilter filter, const std::string& member) const;
  bool wants(const std::string& resource) const { return questions_.front().wants(resource); }

private:
  void ask_about_told(const Records& records, const Caller& caller, QuotaSelection& selection);
  bool names_set_of(const QuotaRule& rule) const;

  std::deque<Caller> told_; ///< users with the group that the client says
  std::deque<QuotaQuestion> questions_;
  std::vector<std::string> sets_;          ///< "@set" as it is asked about
  std::set<std::string> open_sets_;        ///< those in which there are groups
  std::optional<QuotaQuestion> elsewhere_; ///< the same of anybody
};

} // namespace almanac
