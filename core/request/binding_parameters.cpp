#include "core/request/binding_parameters.hpp"

#include "core/job/core_binding.hpp"

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

Outcome change_binding(JobRequest& request, std::string_view name, const std::string& value) {
  if (name != "binding_strategy" || !value.empty())
    return Error{"a JSV can only delete a binding, by an empty binding_strategy"};
  request.binding.clear();
  return Done{};
}

} // namespace almanac
