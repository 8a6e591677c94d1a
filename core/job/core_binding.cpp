#include "core/job/core_binding.hpp"

#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace almanac {

namespace {

using Instance = CoreBinding::Instance;
using Strategy = CoreBinding::Strategy;

constexpr std::pair<const char*, Instance> instances[]{
    {"set", Instance::set}, {"env", Instance::env}, {"pe", Instance::pe}};

std::optional<std::int64_t> number_in(std::string_view text, std::int64_t least) {
  const auto number = parse_number(text);
  if (!number || *number < least || *number > most_bound_cores) return std::nullopt;
  return *number;
}

bool add_core(CoreBinding& binding, const std::string& text) {
  const auto parts = split(text, ',');
  if (parts.size() != 2) return false;
  const auto socket = number_in(parts[0], 0), core = number_in(parts[1], 0);
  if (!socket || !core) return false;
  binding.cores.push_back({*socket, *core});
  return true;
}

bool read_linear(CoreBinding& binding, const std::vector<std::string>& parts) {
  if (parts.size() > 3) return false;
  // No number is that of the slots.
  if (parts.size() > 1 && !parts[1].empty() && parts[1] != "slots") {
    const auto amount = number_in(parts[1], 1);
    if (!amount) return false;
    binding.amount = *amount;
  }
  return parts.size() < 3 || add_core(binding, parts[2]);
}

bool read_striding(CoreBinding& binding, const std::vector<std::string>& parts) {
  if (parts.size() < 3 || parts.size() > 4) return false;
  const auto amount = number_in(parts[1], 1), step = number_in(parts[2], 1);
  if (!amount || !step) return false;
  binding.strategy = Strategy::striding, binding.amount = *amount, binding.step = *step;
  return parts.size() < 4 || add_core(binding, parts[3]);
}

// Each core once.
bool read_explicit(CoreBinding& binding, const std::vector<std::string>& parts) {
  if (parts.size() < 2 || parts.size() > most_bound_cores) return false;
  binding.strategy = Strategy::explicit_cores;
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (!add_core(binding, parts[i])) return false;
  binding.amount = static_cast<std::int64_t>(binding.cores.size());
  auto sorted = binding.cores;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

bool read_strategy(CoreBinding& binding, const std::string& text) {
  const auto parts = split(text, ':');
  if (parts.empty()) return false;
  if (parts[0] == "linear") return read_linear(binding, parts);
  if (parts[0] == "striding") return read_striding(binding, parts);
  return parts[0] == "explicit" && read_explicit(binding, parts);
}

} // namespace

Result<CoreBinding> parse_core_binding(const std::string& text) {
  auto all = words(text, " ");
  CoreBinding binding;
  if (all.size() == 2)
    for (const auto& [name, instance] : instances)
      if (all.front() == name) {
        binding.instance = instance;
        all.erase(all.begin());
        break;
      }
  if (all.size() == 1 && read_strategy(binding, all.front())) return binding;
  return Error{"[set|env|pe] and linear[:number[:socket,core]], striding:number:step[:socket,core] "
               "or explicit:socket,core[:socket,core]..., with each core once and numbers up to " +
               std::to_string(most_bound_cores) + ", are expected"};
}

std::string print_core_binding(const CoreBinding& binding) {
  std::string text;
  for (const auto& [name, instance] : instances)
    if (instance == binding.instance) text = std::string(name) + " ";
  const auto cores = binding.cores.empty() ? "" : ":" + print_cores(binding.cores);
  switch (binding.strategy) {
  case Strategy::explicit_cores: return text + "explicit" + cores;
  case Strategy::striding:
    return text + "striding:" + std::to_string(binding.amount) + ":" +
           std::to_string(binding.step) + cores;
  case Strategy::linear: break;
  }
  const auto amount = binding.amount == 0 ? "slots" : std::to_string(binding.amount);
  return text + "linear:" + amount + cores;
}

std::string print_cores(const std::vector<CoreName>& cores) {
  std::string text;
  for (const auto& [socket, core] : cores)
    text += (text.empty() ? "" : ":") + std::to_string(socket) + "," + std::to_string(core);
  return text;
}

} // namespace almanac
