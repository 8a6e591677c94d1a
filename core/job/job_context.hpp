// What the owner of a job notes of it, for people and scripts: variables with values, in order
// (spec/cli.md C3.12).
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/describe.hpp"
#include "core/base/result.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace almanac {

using JobContext = std::vector<Attribute>;

/// -ac, -dc, -sc.
enum class ContextVerb : std::uint8_t { add, remove, set };
template <> inline constexpr ContextVerb last_of<ContextVerb> = ContextVerb::set;

struct ContextChange {
  ContextVerb verb = ContextVerb::add;
  std::vector<Attribute> variables; ///< of those that are removed only the names count
  bool operator==(const ContextChange&) const = default;
};
template <class V> void describe(V& visit, ContextChange& c) {
  visit("verb", c.verb);
  visit("variables", c.variables);
}

/// "name[=value],…"; a name is not empty.
Result<std::vector<Attribute>> parse_context(std::string_view text);
/// "name=value,…"
std::string print_context(const JobContext& context);

/// What is added takes the place of a variable that is there. To remove one that is not changes
/// nothing.
void change_context(JobContext& context, const ContextChange& change);

} // namespace almanac
