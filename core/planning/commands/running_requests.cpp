#include "core/planning/commands/running_requests.hpp"

#include "core/configuration/objects/process_limit.hpp"
#include "core/matching/demand.hpp"

#include <map>
#include <string>

namespace almanac::rules {

namespace {

using Requests = std::map<std::string, std::string>; // by name, shortcuts resolved

Requests requests_of(const ComplexTable& complexes, const std::vector<Attribute>& resources) {
  Requests requests;
  for (const auto& [name, value] : last_of_each(complexes, resources)) {
    const auto* complex = complexes.find(name);
    requests[complex ? complex->name : name] = value;
  }
  return requests;
}

// "0:1:40" and "100" are the same run time.
bool is_same(const Complex& complex, const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto before = complex.amount(a), after = complex.amount(b);
  return before.ok() && after.ok() && *before == *after;
}

std::optional<AnswerCode> why_bound(const Complex& complex) {
  if (complex.is_consumable()) return AnswerCode::consumable_of_running_job;
  if (complex.name == "h_rt" || complex.name == "s_rt" || is_process_limit(complex.name))
    return AnswerCode::limit_of_running_job;
  return std::nullopt;
}

} // namespace

std::optional<Statement> running_requests_obstacle(const Configuration& configuration,
                                                   const Job& job,
                                                   const std::vector<Attribute>& wanted) {
  const auto& complexes = configuration.complexes();
  const auto before = requests_of(complexes, job.request->resources);
  const auto after = requests_of(complexes, wanted);
  auto all = before;
  all.insert(after.begin(), after.end());
  for (const auto& [name, value] : all) {
    const auto* complex = complexes.find(name);
    if (!complex) continue; // one that is new is refused by its name
    const auto was = before.find(name), is = after.find(name);
    if (was != before.end() && is != after.end() && is_same(*complex, was->second, is->second))
      continue;
    if (const auto code = why_bound(*complex))
      return Statement{*code, {{"resource", name}, {"job", job.number}}};
  }
  return std::nullopt;
}

} // namespace almanac::rules
