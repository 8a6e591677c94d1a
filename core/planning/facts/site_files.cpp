#include "core/planning/facts/site_files.hpp"

#include "core/policy/site_policy.hpp"

#include <utility>

namespace almanac::rules {

namespace {

// Ranks of holders are those of the old keys until then.
void sort_anew(State& state) { state.waiting().next_sweep = {}; }

} // namespace

std::optional<std::string> site_file_read(State& state, const SiteFileRead& fact, Instant now) {
  if (!is_site_file(fact.name)) return std::nullopt;
  const auto* known = state.records().find<SiteFile>(fact.name);
  auto fault = site_file_fault(fact.name, fact.text);
  if (fault) {
    auto file = known ? *known : SiteFile{fact.name, "", now, ""};
    file.error = *fault;
    if (!known || known->error != file.error) state.put(std::move(file));
    return fault;
  }
  if (fact.text.empty()) {
    if (!known) return std::nullopt;
    state.erase<SiteFile>(fact.name);
  } else {
    if (known && known->text == fact.text && known->error.empty()) return std::nullopt;
    state.put(SiteFile{fact.name, fact.text, now, ""});
  }
  if (state.configuration().scheduler().plus.sorts) sort_anew(state);
  return std::nullopt;
}

} // namespace almanac::rules
