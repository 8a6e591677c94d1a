#include "core/configuration/objects/cluster_queue.hpp"

#include "core/configuration/objects/process_limit.hpp"
#include "core/configuration/objects/complex.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace almanac {

namespace {

using namespace readers;
using S = InstanceSettings;

// ---- reading ----------------------------------------------------------------------------------

Outcome read_types(S& into, const GivenAttribute& given) {
  into.batch = into.interactive = false;
  for (const auto& word : parse_name_list(given.text)) {
    if (word == "BATCH") into.batch = true;
    else if (word == "INTERACTIVE") into.interactive = true;
    else return Error{"\"" + word + "\" is not BATCH, INTERACTIVE or NONE"};
  }
  return Done{};
}

Outcome read_calendar(S& into, const GivenAttribute& given) {
  if (words(given.text).size() != 1)
    return Error{"\"" + given.text + "\" is not the name of one calendar, or NONE"};
  into.calendar = equal_ignoring_case(given.text, "NONE") ? "" : given.text;
  return Done{};
}

Outcome read_start_mode(S& into, const GivenAttribute& given) {
  into.shell_start_mode.clear();
  if (equal_ignoring_case(given.text, "NONE")) return Done{};
  if (!is_shell_start_mode(given.text))
    return Error{"\"" + given.text +
                 "\" is not unix_behavior, posix_compliant, script_from_stdin or NONE"};
  into.shell_start_mode = given.text;
  return Done{};
}

Outcome read_limit(S& into, const GivenAttribute& given) {
  const std::string name(given.name);
  const auto parsed = parse_process_limit(name, given.text);
  if (!parsed) return parsed.error();
  into.process_limits.erase(name);
  if (*parsed) into.process_limits[name] = **parsed;
  return Done{};
}

Outcome read_priority(S& into, const GivenAttribute& given) {
  const auto number = parse_signed(given.text);
  if (!number || *number < -20 || *number > 20)
    return Error{"\"" + given.text + "\" is not a number from -20 to 20"};
  into.priority = *number;
  return Done{};
}

// An older store may hold any text.
Outcome read_min_cpu_interval(S& into, const GivenAttribute& given) {
  if (const auto time = parse_duration(given.text)) into.min_cpu_interval = *time;
  return Done{};
}

Outcome read_processors(S& into, const GivenAttribute& given) {
  into.processors = equal_ignoring_case(given.text, "UNDEFINED") ? "" : given.text;
  return Done{};
}

template <auto member> Outcome method(S& into, const GivenAttribute& given) {
  return take<member>(into, parse_control_method(given.text));
}

Outcome read_starter(S& into, const GivenAttribute& given) {
  return take<&S::starter_method>(into, parse_starter_method(given.text));
}

Outcome read_subordinates(S& into, const GivenAttribute& given) {
  return take<&S::subordinates>(into, Subordinates::parse(given.text));
}

Outcome read_initial_state(S& into, const GivenAttribute& given) {
  if (given.text == "default") into.initial_state = InitialState::usual;
  else if (given.text == "enabled") into.initial_state = InitialState::enabled;
  else if (given.text == "disabled") into.initial_state = InitialState::disabled;
  else return Error{"\"" + given.text + "\" is not default, enabled or disabled"};
  return Done{};
}

// ---- what a change may not write --------------------------------------------------------------

Outcome thresholds(const GivenAttribute& given, const ComplexTable& complexes) {
  const auto values = parse_value_list(given.text);
  if (!values) return values.error();
  for (const auto& [name, value] : *values)
    if (const auto* complex = complexes.find(name); complex && complex->is_text())
      return Error{"\"" + name + "\" is a text: there is no threshold for it"};
  return Done{};
}

Outcome a_time(const GivenAttribute& given, const ComplexTable&) {
  const auto time = parse_duration(given.text);
  return time ? Outcome(Done{}) : Outcome(time.error());
}

// A group, or user@host, would be nobody.
Outcome names_of_users(const GivenAttribute& given, const ComplexTable&) {
  for (const auto& user : parse_name_list(given.text))
    if (!valid_object_name(user))
      return Error{"\"" + excerpt(user) + "\" is not the name of a user"};
  return Done{};
}

// It becomes one column of the PE_HOSTFILE.
Outcome one_word(const GivenAttribute& given, const ComplexTable&) {
  if (words(given.text, " \t").size() == 1) return Done{};
  return Error{"\"" + given.text + "\" is not UNDEFINED or one word, such as 0-3"};
}

Outcome amounts_without_slots(const GivenAttribute& given, const ComplexTable& complexes) {
  const auto values = parse_value_list(given.text);
  if (values && values->contains("slots"))
    return Error{"the slots of a queue are its attribute slots"};
  return amounts(given, complexes);
}

// ---- the rows ---------------------------------------------------------------------------------

const AttributeRow<S> rows[]{
    {.name = "hostlist",
     .fallback = "NONE",
     .shape = ValueShape::hosts,
     .read = unread<S>,
     .check = anything},
    {.name = "seq_no",
     .fallback = "0",
     .shape = ValueShape::single_by_host,
     .read = number<&S::seq_no>,
     .check = anything},
    {.name = "load_thresholds",
     .fallback = "np_load_avg=1.75",
     .shape = ValueShape::amounts_by_host,
     .read = values<&S::load_thresholds>,
     .check = thresholds},
    {.name = "suspend_thresholds",
     .fallback = "NONE",
     .shape = ValueShape::amounts_by_host,
     .read = values<&S::suspend_thresholds>,
     .check = thresholds},
    {.name = "nsuspend",
     .fallback = "1",
     .shape = ValueShape::single_by_host,
     .read = number<&S::suspended_at_once>,
     .check = anything},
    {.name = "suspend_interval",
     .fallback = "00:05:00",
     .shape = ValueShape::single_by_host,
     .read = duration<&S::suspend_interval>,
     .check = anything},
    {.name = "priority",
     .fallback = "0",
     .shape = ValueShape::single_by_host,
     .read = read_priority,
     .check = anything},
    {.name = "min_cpu_interval",
     .fallback = "00:05:00",
     .shape = ValueShape::single_by_host,
     .read = read_min_cpu_interval,
     .check = a_time},
    {.name = "processors",
     .fallback = "UNDEFINED",
     .shape = ValueShape::single_by_host,
     .read = read_processors,
     .check = one_word},
    {.name = "qtype",
     .fallback = "BATCH INTERACTIVE",
     .shape = ValueShape::names_by_host,
     .read = read_types,
     .check = anything},
    {.name = "ckpt_list",
     .fallback = "NONE",
     .shape = ValueShape::names_by_host,
     .read = names<&S::ckpt_list>,
     .check = anything},
    {.name = "pe_list",
     .fallback = "NONE",
     .shape = ValueShape::names_by_host,
     .read = names<&S::pe_list>,
     .check = anything},
    {.name = "rerun",
     .fallback = "FALSE",
     .shape = ValueShape::single_by_host,
     .read = toggle<&S::rerun>,
     .check = anything},
    {.name = "slots",
     .fallback = "1",
     .shape = ValueShape::single_by_host,
     .read = number<&S::slots>,
     .check = anything},
    {.name = "tmpdir",
     .fallback = "/tmp",
     .shape = ValueShape::single_by_host,
     .read = path<&S::tmpdir>,
     .check = anything},
    {.name = "shell",
     .fallback = "/bin/sh",
     .shape = ValueShape::single_by_host,
     .read = path<&S::shell>,
     .check = anything},
    {.name = "prolog",
     .fallback = "NONE",
     .shape = ValueShape::single_by_host,
     .read = step<&S::prolog>,
     .check = anything},
    {.name = "epilog",
     .fallback = "NONE",
     .shape = ValueShape::single_by_host,
     .read = step<&S::epilog>,
     .check = anything},
    {.name = "shell_start_mode",
     .fallback = "unix_behavior",
     .shape = ValueShape::single_by_host,
     .read = read_start_mode,
     .check = anything},
    {.name = "starter_method",
     .fallback = "NONE",
     .shape = ValueShape::single_by_host,
     .read = read_starter,
     .check = anything},
    {.name = "suspend_method",
     .fallback = "NONE",
     .shape = ValueShape::single_by_host,
     .read = method<&S::suspend_method>,
     .check = anything},
    {.name = "resume_method",
     .fallback = "NONE",
     .shape = ValueShape::single_by_host,
     .read = method<&S::resume_method>,
     .check = anything},
    {.name = "terminate_method",
     .fallback = "NONE",
     .shape = ValueShape::single_by_host,
     .read = method<&S::terminate_method>,
     .check = anything},
    {.name = "notify",
     .fallback = "00:00:60",
     .shape = ValueShape::single_by_host,
     .read = duration<&S::notify>,
     .check = anything},
    {.name = "owner_list",
     .fallback = "NONE",
     .shape = ValueShape::names_by_host,
     .read = names<&S::owner_list>,
     .check = names_of_users},
    {.name = "user_lists",
     .fallback = "NONE",
     .shape = ValueShape::names_by_host,
     .read = names<&S::user_lists>,
     .check = anything},
    {.name = "xuser_lists",
     .fallback = "NONE",
     .shape = ValueShape::names_by_host,
     .read = names<&S::xuser_lists>,
     .check = anything},
    {.name = "subordinate_list",
     .fallback = "NONE",
     .shape = ValueShape::amounts_by_host,
     .read = read_subordinates,
     .check = anything},
    {.name = "complex_values",
     .fallback = "NONE",
     .shape = ValueShape::amounts_by_host,
     .read = values<&S::complex_values>,
     .check = amounts_without_slots},
    {.name = "projects",
     .fallback = "NONE",
     .shape = ValueShape::names_by_host,
     .read = names<&S::projects>,
     .check = anything},
    {.name = "xprojects",
     .fallback = "NONE",
     .shape = ValueShape::names_by_host,
     .read = names<&S::xprojects>,
     .check = anything},
    {.name = "calendar",
     .fallback = "NONE",
     .shape = ValueShape::single_by_host,
     .read = read_calendar,
     .check = anything},
    {.name = "initial_state",
     .fallback = "default",
     .shape = ValueShape::single_by_host,
     .read = read_initial_state,
     .check = anything},
    {.name = "s_rt",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = duration<&S::soft_run_time>,
     .check = anything},
    {.name = "h_rt",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = duration<&S::hard_run_time>,
     .check = anything},
    {.name = "s_cpu",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "h_cpu",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "s_fsize",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "h_fsize",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "s_data",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "h_data",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "s_stack",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "h_stack",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "s_core",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "h_core",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "s_rss",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "h_rss",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "s_vmem",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
    {.name = "h_vmem",
     .fallback = "INFINITY",
     .shape = ValueShape::single_by_host,
     .read = read_limit,
     .check = anything},
};

// What Grid Engine alone has is kept and has none.
const AttributeRow<S>* row_of(std::string_view name) {
  const auto* found = std::find_if(std::begin(rows), std::end(rows),
                                   [&](const auto& row) { return *row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

Outcome check_texts(const std::string& name, const std::vector<std::string>& texts,
                    const ComplexTable& complexes) {
  const auto* row = row_of(name);
  if (!row) return Done{};
  for (const auto& text : texts)
    if (auto sound = (*row->check)({name, text, *row->fallback}, complexes); !sound)
      return in_attribute(name, sound.what());
  return Done{};
}

// Each value of each attribute, and hosts: their names differ in more than their case.
Outcome check_queue(const ConfigurationObject& object, const ComplexTable& complexes) {
  for (const auto& [name, text] : object.attributes) {
    const auto value = OverridableValue::parse(text);
    if (name == "hostlist" || !value) continue; // parsing says what is wrong with it
    std::vector<std::string> texts{value->fallback};
    std::set<std::string> hosts;
    for (const auto& entry : value->overrides) {
      texts.push_back(entry.value);
      if (!entry.name.starts_with('@') && !hosts.insert(lower(entry.name)).second)
        return in_attribute(name, "\"" + entry.name + "\" is overridden twice");
    }
    if (auto sound = check_texts(name, texts, complexes); !sound) return sound;
  }
  return Done{};
}

} // namespace

Outcome read_setting(InstanceSettings& settings, const std::string& name,
                     const std::string& value) {
  const auto* row = row_of(name);
  return row ? (*row->read)(settings, {name, value, *row->fallback}) : Outcome(Done{});
}

Result<ClusterQueue> ClusterQueue::parse(const ConfigurationObject& object) {
  ClusterQueue queue;
  queue.name = object.name;
  if (auto valid = valid_object_name(queue.name); !valid) return valid.error();
  for (const auto& [name, text] : object.attributes) {
    const auto named = [&name = name](const Error& error) {
      return Error{"attribute \"" + name + "\": " + error.what};
    };
    if (name == "hostlist") {
      queue.hostlist = parse_name_list(text);
      continue;
    }
    auto value = OverridableValue::parse(text);
    if (!value) return named(value.error());
    InstanceSettings scratch;
    if (auto valid = read_setting(scratch, name, value->fallback); !valid)
      return named(valid.error());
    for (const auto& [target, override_text] : value->overrides) {
      if (!target.starts_with('@') && !valid_host_name(target))
        return named({"\"" + target + "\" is not a host name"});
      if (auto valid = read_setting(scratch, name, override_text); !valid)
        return named(valid.error());
    }
    queue.values[name] = *value;
  }
  return queue;
}

std::vector<Attribute> ClusterQueue::values_for(std::string_view host, const InGroup& in_group,
                                                bool& ambiguous) const {
  std::vector<Attribute> result;
  for (const auto& [name, value] : values) {
    const std::string* own = nullptr;
    const std::string* of_group = nullptr;
    bool groups_differ = false;
    for (const auto& [target, text] : value.overrides) {
      if (!target.starts_with('@')) {
        if (equal_ignoring_case(target, host)) own = &text;
      } else if (in_group(target)) {
        groups_differ = groups_differ || (of_group && *of_group != text);
        of_group = &text;
      }
    }
    ambiguous = ambiguous || (!own && groups_differ);
    result.push_back({name, own ? *own : of_group && !groups_differ ? *of_group : value.fallback});
  }
  return result;
}

bool is_shell_start_mode(std::string_view text) {
  return text == "unix_behavior" || text == "posix_compliant" || text == "script_from_stdin";
}

Kind cluster_queue_kind() {
  return {"cluster queue", "qname", "queue", defaults_of(rows), shapes_of(rows), check_queue};
}

Kind orphan_kind() {
  return {"orphaned queue instance",
          "",
          "",
          defaults_of(rows),
          shapes_of(rows),
          [](const ConfigurationObject&, const ComplexTable&) -> Outcome { return Done{}; }};
}

} // namespace almanac
