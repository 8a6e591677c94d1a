#include "core/planning/replaced_grants.hpp"

namespace almanac::rules {

std::vector<Statement> listed(const std::vector<Grant>& grants) {
  std::vector<Statement> list;
  for (const auto& grant : grants)
    list.push_back(
        {AnswerCode::a_grant, {{"queue", grant.instance.text()}, {"slots", grant.slots}}});
  return list;
}

std::vector<Grant> without(std::vector<Grant> grants, const std::vector<Grant>& others) {
  for (auto& grant : grants)
    for (const auto& other : others)
      if (other.instance == grant.instance) grant.slots -= other.slots;
  std::erase_if(grants, [](const Grant& grant) { return grant.slots <= 0; });
  return grants;
}

Statement replacement_of(const std::vector<Grant>& lost, const std::vector<Grant>& found) {
  if (!found.empty())
    return {AnswerCode::repaired, {{"lost", listed(lost)}, {"found", listed(found)}}};
  return {AnswerCode::no_replacement, {{"slots", slots_of(lost)}, {"lost", listed(lost)}}};
}

} // namespace almanac::rules
