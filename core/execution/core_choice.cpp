#include "core/execution/core_choice.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

struct Socket {
  std::vector<CoreName> free;
  std::size_t size = 0;
  bool is_empty() const { return free.size() == size; } ///< nobody is bound to it
};

std::map<std::int64_t, Socket> sockets_of(const std::vector<HostCore>& cores) {
  std::map<std::int64_t, Socket> sockets;
  for (const auto& core : cores) {
    auto& socket = sockets[core.name.socket];
    ++socket.size;
    if (core.is_free) socket.free.push_back(core.name);
  }
  return sockets;
}

std::vector<CoreName> choose_linear(std::size_t amount, const std::vector<HostCore>& cores) {
  auto sockets = sockets_of(cores);
  const auto has_fewer = [](const auto& a, const auto& b) {
    return a.second.free.size() < b.second.free.size();
  };
  auto next = std::find_if(sockets.begin(), sockets.end(),
                           [](const auto& socket) { return socket.second.is_empty(); });
  std::vector<CoreName> chosen;
  while (chosen.size() < amount) {
    if (next == sockets.end()) next = std::max_element(sockets.begin(), sockets.end(), has_fewer);
    if (next == sockets.end() || next->second.free.empty()) return {};
    const auto& free = next->second.free;
    const auto count = std::min(amount - chosen.size(), free.size());
    chosen.insert(chosen.end(), free.begin(), free.begin() + static_cast<std::ptrdiff_t>(count));
    sockets.erase(next);
    next = sockets.end();
  }
  return chosen;
}

// From the core at `first` on; none where one of them is not free.
std::vector<CoreName> choose_from(std::size_t first, std::size_t amount, std::size_t step,
                                  const std::vector<HostCore>& cores) {
  std::vector<CoreName> chosen;
  for (auto i = first; i < cores.size() && chosen.size() < amount; i += step) {
    if (!cores[i].is_free) return {};
    chosen.push_back(cores[i].name);
  }
  return chosen.size() == amount ? chosen : std::vector<CoreName>();
}

std::vector<CoreName> choose_striding(std::size_t amount, std::size_t step,
                                      const std::vector<HostCore>& cores) {
  for (std::size_t first = 0; first < cores.size(); ++first)
    if (auto chosen = choose_from(first, amount, step, cores); !chosen.empty()) return chosen;
  return {};
}

auto find_core(const std::vector<HostCore>& cores, const CoreName& name) {
  return std::find_if(cores.begin(), cores.end(),
                      [&](const HostCore& core) { return core.name == name; });
}

} // namespace

std::vector<CoreName> choose_cores(const CoreBinding& binding, const std::vector<HostCore>& cores) {
  const auto amount = static_cast<std::size_t>(std::max<std::int64_t>(0, binding.amount));
  const auto step = static_cast<std::size_t>(std::max<std::int64_t>(1, binding.step));
  if (binding.strategy == CoreBinding::Strategy::explicit_cores) {
    const auto is_free = [&](const CoreName& name) {
      const auto core = find_core(cores, name);
      return core != cores.end() && core->is_free;
    };
    return std::all_of(binding.cores.begin(), binding.cores.end(), is_free)
               ? binding.cores
               : std::vector<CoreName>();
  }
  if (!binding.cores.empty()) {
    const auto first = find_core(cores, binding.cores.front());
    return choose_from(static_cast<std::size_t>(first - cores.begin()), amount, step, cores);
  }
  return binding.strategy == CoreBinding::Strategy::linear ? choose_linear(amount, cores)
                                                           : choose_striding(amount, step, cores);
}

std::string hostfile_with_cores(const std::string& hostfile, const std::vector<CoreName>& cores) {
  std::string text;
  for (const auto& line : split(hostfile, '\n')) {
    auto columns = words(line, " ");
    if (columns.size() < 4) continue;
    columns[3] = print_cores(cores);
    text += join(columns, " ") + "\n";
  }
  return text;
}

} // namespace almanac
