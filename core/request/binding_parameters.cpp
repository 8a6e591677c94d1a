#include "core/request/binding_parameters.hpp"

#include "core/job/core_binding.hpp"
#include "core/text/numbers.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace almanac {

namespace {

using Strategy = CoreBinding::Strategy;

const char* strategy_of(const CoreBinding& binding) {
  const bool is_automatic = binding.cores.empty();
  switch (binding.strategy) {
  case Strategy::linear: return is_automatic ? "linear_automatic" : "linear";
  case Strategy::striding: return is_automatic ? "striding_automatic" : "striding";
  case Strategy::explicit_cores: break;
  }
  return "explicit";
}

const char* type_of(const CoreBinding& binding) {
  switch (binding.instance) {
  case CoreBinding::Instance::set: return "set";
  case CoreBinding::Instance::env: return "env";
  case CoreBinding::Instance::pe: break;
  }
  return "pe";
}

constexpr std::string_view strategies[]{"linear", "linear_automatic", "striding",
                                        "striding_automatic", "explicit"};
constexpr std::string_view types[]{"set", "env", "pe"};
constexpr std::string_view numbers[]{"binding_amount", "binding_step", "binding_socket",
                                     "binding_core", "binding_exp_n"};
constexpr std::string_view socket_at = "binding_exp_socket", core_at = "binding_exp_core";

using Parameters = std::map<std::string, std::string>;

template <std::size_t size>
Outcome one_of(const std::string_view (&words)[size], const std::string& value) {
  if (value.empty() || std::find(words, words + size, value) != words + size) return Done{};
  std::string all;
  for (const auto word : words) all += (all.empty() ? "" : ", ") + std::string(word);
  return Error{"one of " + all + " is expected"};
}

std::optional<std::int64_t> number_in(std::string_view text) {
  const auto number = parse_number(text);
  if (!number || *number < 0 || *number > most_bound_cores) return std::nullopt;
  return *number;
}

// Of a core in the list of explicit ones.
std::optional<std::int64_t> position_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  const auto number = number_in(name.substr(prefix.size()));
  return number && *number < most_bound_cores ? number : std::nullopt;
}

// 0 where it is missing, as for Grid Engine.
std::string number_of(const Parameters& all, const std::string& name) {
  const auto it = all.find(name);
  return it == all.end() || it->second.empty() ? "0" : it->second;
}

std::string core_of(const Parameters& all, const std::string& socket, const std::string& core) {
  return ":" + number_of(all, socket) + "," + number_of(all, core);
}

// What -binding would say. A core behind the end of the list makes it longer.
std::string words_of(Parameters all, std::int64_t named) {
  const auto& strategy = all["binding_strategy"];
  const auto& type = all["binding_type"];
  auto text = (type.empty() ? "set" : type) + " " + strategy.substr(0, strategy.find('_'));
  if (strategy == "explicit") {
    const auto count = std::max(named, *number_in(number_of(all, "binding_exp_n")));
    for (std::int64_t i = 0; i < count; ++i)
      text += core_of(all, std::string(socket_at) + std::to_string(i),
                      std::string(core_at) + std::to_string(i));
    return text;
  }
  const auto amount = number_of(all, "binding_amount");
  if (strategy.starts_with("striding")) text += ":" + amount + ":" + number_of(all, "binding_step");
  else text += ":" + (amount == "0" ? "slots" : amount);
  const bool has_first = !all["binding_socket"].empty() || !all["binding_core"].empty();
  if (!strategy.ends_with("_automatic") && has_first)
    text += core_of(all, "binding_socket", "binding_core");
  return text;
}

} // namespace

std::vector<Attribute> binding_parameters(const JobRequest& request) {
  const auto binding = parse_core_binding(request.binding);
  if (!binding) return {}; // there is none
  std::vector<Attribute> all{{"binding_strategy", strategy_of(*binding)},
                             {"binding_type", type_of(*binding)}};
  const auto add = [&](const std::string& name, std::int64_t value) {
    all.push_back({"binding_" + name, std::to_string(value)});
  };
  const auto& cores = binding->cores;
  if (binding->strategy != Strategy::explicit_cores) {
    add("amount", binding->amount);
    if (binding->strategy == Strategy::striding) add("step", binding->step);
    if (!cores.empty()) add("socket", cores.front().socket), add("core", cores.front().core);
    return all;
  }
  add("exp_n", static_cast<std::int64_t>(cores.size()));
  for (std::size_t i = 0; i < cores.size(); ++i) {
    add("exp_socket" + std::to_string(i), cores[i].socket);
    add("exp_core" + std::to_string(i), cores[i].core);
  }
  return all;
}

bool is_binding_parameter(std::string_view name) { return name.starts_with("binding_"); }

Outcome valid_binding_parameter(std::string_view name, const std::string& value) {
  if (name == "binding_strategy") return one_of(strategies, value);
  if (name == "binding_type") return one_of(types, value);
  if (std::find(std::begin(numbers), std::end(numbers), name) == std::end(numbers) &&
      !position_in(name, socket_at) && !position_in(name, core_at))
    return Error{"there is no such parameter"};
  if (value.empty() || number_in(value)) return Done{};
  return Error{"a number from 0 to " + std::to_string(most_bound_cores) + " is expected"};
}

Outcome change_binding(JobRequest& request, const std::vector<Attribute>& changes) {
  Parameters all;
  for (const auto& [name, value] : binding_parameters(request)) all[name] = value;
  bool is_changed = false, is_wanted = false;
  std::int64_t named = 0; // cores
  for (const auto& [name, value] : changes) {
    if (!is_binding_parameter(name)) continue;
    is_changed = true, is_wanted = is_wanted || !value.empty();
    all[name] = value;
    for (const auto prefix : {socket_at, core_at})
      if (const auto position = position_in(name, prefix); position && !value.empty())
        named = std::max(named, *position + 1);
  }
  if (!is_changed) return Done{};
  if (all["binding_strategy"].empty()) {
    if (is_wanted) return Error{"a binding_strategy is missing"};
    request.binding.clear();
    return Done{};
  }
  const auto binding = parse_core_binding(words_of(all, named));
  if (!binding) return binding.error();
  request.binding = print_core_binding(*binding);
  return Done{};
}

} // namespace almanac
