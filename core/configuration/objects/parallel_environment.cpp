#include "core/configuration/objects/parallel_environment.hpp"

#include "core/configuration/objects/readers.hpp"
#include "core/text/ranges.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

namespace almanac {

namespace {

using namespace readers;
using P = ParallelEnvironment;

Outcome read_rule(P& pe, const GivenAttribute& given) { return pe.set_rule(given.text); }

Outcome read_urgency_slots(P& pe, const GivenAttribute& given) {
  const auto& text = given.text;
  if (text == "min") pe.urgency_slots = UrgencySlots::least;
  else if (text == "max") pe.urgency_slots = UrgencySlots::most;
  else if (text == "avg") pe.urgency_slots = UrgencySlots::average;
  else {
    pe.urgency_slots = UrgencySlots::fixed;
    const auto number = parse_number(text);
    if (!number || *number < 1 || *number > most)
      return Error{"\"" + text + "\" is not min, max, avg or a number from 1"};
    pe.fixed_urgency_slots = *number;
  }
  return Done{};
}

const AttributeRow<P> rows[]{
    {.name = "slots",
     .fallback = "0",
     .shape = ValueShape::single,
     .read = number<&P::slots>,
     .check = anything},
    {.name = "user_lists",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&P::user_lists>,
     .check = anything},
    {.name = "xuser_lists",
     .fallback = "NONE",
     .shape = ValueShape::names,
     .read = names<&P::xuser_lists>,
     .check = anything},
    {.name = "start_proc_args",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = step<&P::start>,
     .check = anything},
    {.name = "stop_proc_args",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = step<&P::stop>,
     .check = anything},
    {.name = "allocation_rule",
     .fallback = "$pe_slots",
     .shape = ValueShape::single,
     .read = read_rule,
     .check = anything},
    {.name = "control_slaves",
     .fallback = "FALSE",
     .shape = ValueShape::single,
     .read = toggle<&P::control_slaves>,
     .check = anything},
    {.name = "job_is_first_task",
     .fallback = "TRUE",
     .shape = ValueShape::single,
     .read = toggle<&P::job_is_first_task>,
     .check = anything},
    {.name = "urgency_slots",
     .fallback = "min",
     .shape = ValueShape::single,
     .read = read_urgency_slots,
     .check = anything},
    {.name = "accounting_summary",
     .fallback = "FALSE",
     .shape = ValueShape::single,
     .read = toggle<&P::accounting_summary>,
     .check = anything},
};

} // namespace

Outcome ParallelEnvironment::set_rule(const std::string& text) {
  rule = AllocationRule::fixed;
  if (text == "$pe_slots") rule = AllocationRule::pe_slots;
  else if (text == "$fill_up") rule = AllocationRule::fill_up;
  else if (text == "$round_robin") rule = AllocationRule::round_robin;
  else if (auto number = parse_number(text); number && *number >= 1 && *number <= most)
    per_host = *number;
  else return Error{"\"" + text + "\" is not $pe_slots, $fill_up, $round_robin or a number from 1"};
  return Done{};
}

Result<ParallelEnvironment> ParallelEnvironment::parse(const ConfigurationObject& object) {
  ParallelEnvironment pe;
  pe.name = object.name;
  if (auto valid = valid_object_name(pe.name); !valid) return valid.error();
  if (auto read = read_rows(rows, object, pe); !read) return read.error();
  // Only newer Grid Engines show it, so a new PE has no line of it.
  constexpr std::string_view daemon = "daemon_forks_slaves";
  if (const auto* text = object.find(std::string(daemon)))
    if (auto read = toggle<&P::daemon_forks_slaves>(pe, {daemon, *text, "FALSE"}); !read)
      return in_attribute(daemon, read.what());
  return pe;
}

Kind parallel_environment_kind() {
  return kind_with<rows>("parallel environment", "pe_name", "pe");
}

namespace {
constexpr std::string_view allocation_prefix = "alloc:"; // no object's name has a colon
} // namespace

std::string allocation_pe_name(const std::string& rule) {
  return rule.empty() ? "" : std::string(allocation_prefix) + rule;
}

bool is_allocation_pe(std::string_view name) { return name.starts_with(allocation_prefix); }

std::optional<ParallelEnvironment> allocation_pe(std::string_view name) {
  if (!is_allocation_pe(name)) return std::nullopt;
  ParallelEnvironment pe;
  pe.name = name, pe.slots = most_slots, pe.control_slaves = true;
  if (!pe.set_rule(std::string(name.substr(allocation_prefix.size())))) return std::nullopt;
  return pe;
}

} // namespace almanac
