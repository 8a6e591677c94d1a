#include "core/configuration/cluster_queue.hpp"

#include "core/configuration/process_limit.hpp"
#include "core/configuration/step_line.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <set>

namespace almanac {

namespace {

// The settings which one attribute gives to an instance.
Outcome apply(InstanceSettings& settings, const std::string& name, const std::string& value) {
  const auto number = [&](std::int64_t& into, std::int64_t most) -> Outcome {
    auto parsed = parse_number(value);
    if (!parsed || *parsed > most)
      return Error{"\"" + value + "\" is not a number from 0 to " + std::to_string(most)};
    into = *parsed;
    return Done{};
  };
  const auto list = [&](std::map<std::string, std::string>& into) -> Outcome {
    auto parsed = parse_value_list(value);
    if (!parsed) return parsed.error();
    into = *parsed;
    return Done{};
  };
  const auto limit = [&](Duration& into) -> Outcome {
    auto parsed = parse_duration(value);
    if (!parsed) return parsed.error();
    into = *parsed;
    return Done{};
  };
  const auto path = [&](std::string& into) -> Outcome {
    if (!value.starts_with('/')) return Error{"\"" + value + "\" is not an absolute path"};
    into = value;
    return Done{};
  };
  const auto step = [&](std::string& into) -> Outcome {
    auto parsed = parse_step_command(value);
    if (!parsed) return parsed.error();
    into = parsed->words.empty() ? "" : value;
    return Done{};
  };
  if (name == "seq_no") return number(settings.seq_no, 9'999'999);
  if (name == "nsuspend") return number(settings.suspended_at_once, 9'999'999);
  if (name == "slots") return number(settings.slots, 9'999'999);
  if (name == "pe_list") settings.pe_list = parse_name_list(value);
  else if (name == "user_lists") settings.user_lists = parse_name_list(value);
  else if (name == "xuser_lists") settings.xuser_lists = parse_name_list(value);
  else if (name == "projects") settings.projects = parse_name_list(value);
  else if (name == "xprojects") settings.xprojects = parse_name_list(value);
  else if (name == "calendar") {
    if (words(value).size() != 1)
      return Error{"\"" + value + "\" is not the name of one calendar, or NONE"};
    settings.calendar = equal_ignoring_case(value, "NONE") ? "" : value;
  } else if (name == "complex_values") return list(settings.complex_values);
  else if (name == "load_thresholds") return list(settings.load_thresholds);
  else if (name == "suspend_thresholds") return list(settings.suspend_thresholds);
  else if (name == "suspend_interval") return limit(settings.suspend_interval);
  else if (name == "s_rt") return limit(settings.soft_run_time);
  else if (name == "h_rt") return limit(settings.hard_run_time);
  else if (is_process_limit(name)) {
    auto parsed = parse_process_limit(name, value);
    if (!parsed) return parsed.error();
    settings.process_limits.erase(name);
    if (*parsed) settings.process_limits[name] = **parsed;
  } else if (name == "notify") return limit(settings.notify);
  else if (name == "tmpdir") return path(settings.tmpdir);
  else if (name == "shell") return path(settings.shell);
  else if (name == "prolog") return step(settings.prolog);
  else if (name == "epilog") return step(settings.epilog);
  else if (name == "rerun") {
    auto parsed = parse_switch(value);
    if (!parsed) return parsed.error();
    settings.rerun = *parsed;
  } else if (name == "qtype") {
    settings.batch = settings.interactive = false;
    for (const auto& word : parse_name_list(value)) {
      if (word == "BATCH") settings.batch = true;
      else if (word == "INTERACTIVE") settings.interactive = true;
      else return Error{"\"" + word + "\" is not BATCH, INTERACTIVE or NONE"};
    }
  } else if (name == "shell_start_mode") {
    settings.shell_start_mode.clear();
    if (equal_ignoring_case(value, "NONE")) return Done{};
    if (!is_shell_start_mode(value))
      return Error{"\"" + value +
                   "\" is not unix_behavior, posix_compliant, script_from_stdin or NONE"};
    settings.shell_start_mode = value;
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

Result<std::map<std::string, std::string>> parse_value_list(std::string_view text) {
  std::map<std::string, std::string> result;
  if (equal_ignoring_case(trim(text), "NONE")) return result;
  for (const auto& entry : words(text)) {
    const auto equals = entry.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == entry.size())
      return Error{"\"" + entry + "\" must be written name=value"};
    if (!result.emplace(entry.substr(0, equals), entry.substr(equals + 1)).second)
      return Error{"\"" + entry.substr(0, equals) + "\" appears twice"};
  }
  return result;
}

std::vector<std::string> parse_name_list(std::string_view text) {
  if (equal_ignoring_case(trim(text), "NONE")) return {};
  return words(text);
}

std::string print_name_list(const std::vector<std::string>& names) {
  return names.empty() ? "NONE" : join(names, ",");
}

} // namespace almanac
