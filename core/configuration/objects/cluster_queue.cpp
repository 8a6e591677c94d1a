#include "core/configuration/objects/cluster_queue.hpp"

#include "core/configuration/objects/process_limit.hpp"
#include "core/configuration/objects/complex.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace almanac {

namespace {

using namespace readers;
using S = InstanceSettings;

// ---- reading ----------------------------------------------------------------------------------

template <auto member> Outcome path(S& into, const GivenAttribute& given) {
  if (!given.text.starts_with('/')) return Error{"\"" + given.text + "\" is not an absolute path"};
  into.*member = given.text;
  return Done{};
}

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

// ---- what a change may not write --------------------------------------------------------------

Outcome thresholds(const GivenAttribute& given, const ComplexTable& complexes) {
  const auto values = parse_value_list(given.text);
  if (!values) return values.error();
  for (const auto& [name, value] : *values)
    if (const auto* complex = complexes.find(name); complex && complex->is_text())
      return Error{"\"" + name + "\" is a text: there is no threshold for it"};
  return Done{};
}

Outcome amounts_without_slots(const GivenAttribute& given, const ComplexTable& complexes) {
  const auto values = parse_value_list(given.text);
  if (values && values->contains("slots"))
    return Error{"the slots of a queue are its attribute slots"};
  return amounts(given, complexes);
}

// ---- the rows ---------------------------------------------------------------------------------

const AttributeRow<S> rows[]{
    {.name = "hostlist", .fallback = "NONE", .read = unread<S>, .check = anything},
    {.name = "seq_no", .fallback = "0", .read = number<&S::seq_no>, .check = anything},
    {.name = "load_thresholds",
     .fallback = "np_load_avg=1.75",
     .read = values<&S::load_thresholds>,
     .check = thresholds},
    {.name = "suspend_thresholds",
     .fallback = "NONE",
     .read = values<&S::suspend_thresholds>,
     .check = thresholds},
    {.name = "nsuspend", .fallback = "1", .read = number<&S::suspended_at_once>, .check = anything},
    {.name = "suspend_interval",
     .fallback = "00:05:00",
     .read = duration<&S::suspend_interval>,
     .check = anything},
    {.name = "qtype", .fallback = "BATCH INTERACTIVE", .read = read_types, .check = anything},
    {.name = "pe_list", .fallback = "NONE", .read = names<&S::pe_list>, .check = anything},
    {.name = "rerun", .fallback = "FALSE", .read = toggle<&S::rerun>, .check = anything},
    {.name = "slots", .fallback = "1", .read = number<&S::slots>, .check = anything},
    {.name = "tmpdir", .fallback = "/tmp", .read = path<&S::tmpdir>, .check = anything},
    {.name = "shell", .fallback = "/bin/sh", .read = path<&S::shell>, .check = anything},
    {.name = "shell_start_mode",
     .fallback = "unix_behavior",
     .read = read_start_mode,
     .check = anything},
    {.name = "notify", .fallback = "00:00:60", .read = duration<&S::notify>, .check = anything},
    {.name = "prolog", .fallback = "NONE", .read = step<&S::prolog>, .check = anything},
    {.name = "epilog", .fallback = "NONE", .read = step<&S::epilog>, .check = anything},
    {.name = "user_lists", .fallback = "NONE", .read = names<&S::user_lists>, .check = anything},
    {.name = "xuser_lists", .fallback = "NONE", .read = names<&S::xuser_lists>, .check = anything},
    {.name = "complex_values",
     .fallback = "NONE",
     .read = values<&S::complex_values>,
     .check = amounts_without_slots},
    {.name = "projects", .fallback = "NONE", .read = names<&S::projects>, .check = anything},
    {.name = "xprojects", .fallback = "NONE", .read = names<&S::xprojects>, .check = anything},
    {.name = "calendar", .fallback = "NONE", .read = read_calendar, .check = anything},
    {.name = "s_rt",
     .fallback = "INFINITY",
     .read = duration<&S::soft_run_time>,
     .check = anything},
    {.name = "h_rt",
     .fallback = "INFINITY",
     .read = duration<&S::hard_run_time>,
     .check = anything},
    {.name = "s_cpu", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "h_cpu", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "s_fsize", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "h_fsize", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "s_data", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "h_data", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "s_stack", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "h_stack", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "s_core", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "h_core", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "s_rss", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "h_rss", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "s_vmem", .fallback = "INFINITY", .read = read_limit, .check = anything},
    {.name = "h_vmem", .fallback = "INFINITY", .read = read_limit, .check = anything},
};

// What Grid Engine alone has is kept and has none.
const AttributeRow<S>* row_of(std::string_view name) {
  const auto* found = std::find_if(std::begin(rows), std::end(rows),
                                   [&](const auto& row) { return *row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

// The settings which one attribute gives to an instance.
Outcome apply(S& settings, const std::string& name, const std::string& value) {
  const auto* row = row_of(name);
  return row ? (*row->read)(settings, {name, value, *row->fallback}) : Outcome(Done{});
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

Result<OverridableValue> OverridableValue::parse(std::string_view text) {
  OverridableValue value;
  const auto open = text.find('[');
  auto fallback = trim(text.substr(0, open));
  if (open != std::string_view::npos) {
    if (!fallback.ends_with(','))
      return Error{"\"" + std::string(text) + "\": an override follows a comma"};
    fallback = trim(fallback.substr(0, fallback.size() - 1));
  }
  value.fallback = fallback;
  if (fallback.empty()) return Error{"\"" + std::string(text) + "\" has no default value"};
  std::set<std::string> seen;
  auto rest = open == std::string_view::npos ? std::string_view() : text.substr(open);
  while (!rest.empty()) {
    const auto close = rest.find(']');
    if (!rest.starts_with('[') || close == std::string_view::npos)
      return Error{"\"" + std::string(text) + "\": an override is written [host=value]"};
    const auto inside = rest.substr(1, close - 1);
    const auto equals = inside.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return Error{"\"" + std::string(text) + "\": an override is written [host=value]"};
    const auto target = std::string(trim(inside.substr(0, equals)));
    if (!seen.insert(target).second) return Error{"\"" + target + "\" is overridden twice"};
    value.overrides.push_back({target, std::string(trim(inside.substr(equals + 1)))});
    rest = trim(rest.substr(close + 1));
    if (rest.empty()) break;
    if (!rest.starts_with(','))
      return Error{"\"" + std::string(text) + "\": a comma is expected between overrides"};
    rest = trim(rest.substr(1));
  }
  return value;
}

std::string OverridableValue::print() const {
  auto text = fallback;
  for (const auto& [target, value] : overrides) text += ",[" + target + "=" + value + "]";
  return text;
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
    if (auto valid = apply(scratch, name, value->fallback); !valid) return named(valid.error());
    for (const auto& [target, override_text] : value->overrides) {
      if (!target.starts_with('@') && !valid_host_name(target))
        return named({"\"" + target + "\" is not a host name"});
      if (auto valid = apply(scratch, name, override_text); !valid) return named(valid.error());
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

QueueSettings::QueueSettings(const ClusterQueue& queue) : common_(InstanceSettings()) {
  for (const auto& [name, value] : queue.values) {
    if (common_)
      if (auto applied = apply(*common_, name, value.fallback); !applied) common_ = applied.error();
    if (value.overrides.empty()) continue;
    auto& entry = overridden_.emplace_back(Overridden{name, &value, {}, {}});
    for (const auto& one : value.overrides) {
      if (one.name.starts_with('@')) entry.groups.push_back(&one);
      else entry.hosts[lower(one.name)] = &one.value;
    }
  }
}

Result<InstanceSettings> QueueSettings::on(std::string_view host,
                                           const ClusterQueue::InGroup& in_group) const {
  auto settings = common_;
  if (!settings) return settings;
  for (const auto& [name, value, hosts, groups] : overridden_) {
    const auto own = hosts.find(lower(host));
    const std::string* text = own == hosts.end() ? nullptr : own->second;
    bool differ = false;
    for (const auto* group : groups) {
      if (own != hosts.end() || !in_group(group->name)) continue;
      differ = differ || (text && *text != group->value);
      text = &group->value;
    }
    settings->ambiguous = settings->ambiguous || differ;
    if (!text || differ) continue;
    if (auto applied = apply(*settings, name, *text); !applied) return applied.error();
  }
  return settings;
}

bool is_shell_start_mode(std::string_view text) {
  return text == "unix_behavior" || text == "posix_compliant" || text == "script_from_stdin";
}

Kind cluster_queue_kind() { return {"cluster queue", "qname", defaults_of(rows), check_queue}; }

Kind orphan_kind() {
  return {"orphaned queue instance", "", defaults_of(rows),
          [](const ConfigurationObject&, const ComplexTable&) -> Outcome { return Done{}; }};
}

} // namespace almanac
