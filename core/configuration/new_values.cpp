#include "core/configuration/new_values.hpp"

#include "core/configuration/cluster_queue.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace almanac {

namespace {

Error in_attribute(const std::string& name, const std::string& why) {
  return Error{"attribute \"" + name + "\": " + why};
}

// What would change something, and is not built: its default stands for that.
Outcome check_unbuilt(const ConfigurationObject& object) {
  constexpr std::array unbuilt{"reprioritize_interval",     "halftime",
                               "usage_weight_list",         "compensation_factor",
                               "halflife_decay_list",       "policy_hierarchy",
                               "report_pjob_tickets",       "accounting_summary",
                               "max_pending_tasks_per_job", "max_functional_jobs_to_schedule"};
  const auto defaults = template_of(object.kind, object.name);
  for (const char* name : unbuilt) {
    const auto *value = object.find(name), *usual = defaults.find(name);
    if (value && usual && !equal_ignoring_case(*value, *usual))
      return in_attribute(name, "\"" + *value + "\" is not built yet, only " + *usual);
  }
  return Done{};
}

Outcome check_amounts(const ComplexTable& complexes, const std::string& text) {
  const auto values = parse_value_list(text);
  if (!values) return values.error();
  for (const auto& [name, value] : *values)
    if (const auto* complex = complexes.find(name); complex && complex->is_consumable())
      if (const auto amount = complex->amount(value); amount && *amount < 0)
        return Error{"\"" + name + "=" + value + "\": there can't be less than nothing"};
  return Done{};
}

Outcome check_thresholds(const ComplexTable& complexes, const std::string& text) {
  const auto values = parse_value_list(text);
  if (!values) return values.error();
  for (const auto& [name, value] : *values)
    if (const auto* complex = complexes.find(name); complex && complex->is_text())
      return Error{"\"" + name + "\" is a text: there is no threshold for it"};
  return Done{};
}

Outcome check_queue_values(const std::string& name, const std::string& text,
                           const ComplexTable& complexes) {
  if (name.ends_with("_thresholds")) return check_thresholds(complexes, text);
  if (name != "complex_values") return Done{};
  const auto values = parse_value_list(text);
  if (values && values->contains("slots"))
    return Error{"the slots of a queue are its attribute slots"};
  return check_amounts(complexes, text);
}

Outcome check_queue(const ConfigurationObject& object, const ComplexTable& complexes) {
  for (const auto& [name, text] : object.attributes) {
    const auto value = OverridableValue::parse(text);
    if (name == "hostlist" || !value) continue; // parsing says what is wrong with it
    std::vector<std::string> texts{value->fallback};
    std::set<std::string> hosts; // their names differ in more than their case
    for (const auto& entry : value->overrides) {
      texts.push_back(entry.value);
      if (!entry.name.starts_with('@') && !hosts.insert(lower(entry.name)).second)
        return in_attribute(name, "\"" + entry.name + "\" is overridden twice");
    }
    for (const auto& one : texts)
      if (auto sound = check_queue_values(name, one, complexes); !sound)
        return in_attribute(name, sound.what());
  }
  return Done{};
}

Outcome check_defaults(const ConfigurationObject& table) {
  for (const auto& row : table.attributes) {
    const auto complex = parse_complex(row);
    if (!complex || !complex->is_consumable()) continue; // parsing says what is wrong with it
    if (const auto amount = complex->amount(complex->default_request); amount && *amount < 0)
      return Error{"complex attribute \"" + row.name + "\": its default is below 0"};
  }
  return Done{};
}

// Everything that runs is counted by it.
Outcome check_slots(const ConfigurationObject& table) {
  const auto* row = table.find("slots");
  const auto built_in = parse_complex({"slots", *template_of(table.kind, "").find("slots")});
  const auto given = row ? parse_complex({"slots", *row}) : built_in;
  if (!given || (given->type == built_in->type && given->relation == built_in->relation &&
                 given->consumable == built_in->consumable && given->requestable))
    return Done{};
  return Error{"complex attribute \"slots\" is built in: type, relop, requestable and consumable "
               "can't change"};
}

Outcome check_entries(const ConfigurationObject& object) {
  const auto* entries = object.find("entries");
  for (const auto& entry : parse_name_list(entries ? *entries : "NONE"))
    if (entry.size() > 1 && entry.front() == '@' &&
        entry.find_first_not_of("0123456789", 1) == std::string::npos)
      return in_attribute("entries", "\"" + entry + "\": groups by number are not built yet");
  return Done{};
}

} // namespace

Outcome check_new_values(const ConfigurationObject& object, const ComplexTable& complexes) {
  if (auto sound = check_unbuilt(object); !sound) return sound;
  switch (object.kind) {
  case ObjectKind::cluster_queue: return check_queue(object, complexes);
  case ObjectKind::exec_host: {
    const auto* values = object.find("complex_values");
    if (auto sound = check_amounts(complexes, values ? *values : "NONE"); !sound)
      return in_attribute("complex_values", sound.what());
    return Done{};
  }
  case ObjectKind::complex:
    if (auto sound = check_defaults(object); !sound) return sound;
    return check_slots(object);
  case ObjectKind::userset: return check_entries(object);
  default: return Done{};
  }
}

} // namespace almanac
