#include "core/job/job_context.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <string>

namespace almanac {

namespace {

void put(JobContext& context, const Attribute& variable) {
  const auto it = std::find_if(context.begin(), context.end(),
                               [&](const Attribute& there) { return there.name == variable.name; });
  if (it == context.end()) context.push_back(variable);
  else it->value = variable.value;
}

} // namespace

Result<std::vector<Attribute>> parse_context(std::string_view text) {
  std::vector<Attribute> variables;
  for (const auto& entry : split(text, ',')) {
    const auto equals = entry.find('=');
    Attribute variable{entry.substr(0, equals),
                       equals == std::string::npos ? "" : entry.substr(equals + 1)};
    if (variable.name.empty()) return Error{"a variable has no name"};
    variables.push_back(std::move(variable));
  }
  if (variables.empty()) return Error{"no variable is named"};
  return variables;
}

std::string print_context(const JobContext& context) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : context) parts.push_back(name + "=" + value);
  return join(parts, ",");
}

void change_context(JobContext& context, const ContextChange& change) {
  if (change.verb == ContextVerb::set) context.clear();
  for (const auto& variable : change.variables)
    if (change.verb != ContextVerb::remove) put(context, variable);
    else
      std::erase_if(context, [&](const Attribute& there) { return there.name == variable.name; });
}

} // namespace almanac
