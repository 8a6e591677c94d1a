#include "core/text/topology.hpp"

#include <algorithm>

namespace almanac {

namespace {

char large(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

std::int64_t count(std::string_view topology, char letter) {
  return std::count_if(topology.begin(), topology.end(),
                       [&](char each) { return large(each) == letter; });
}

// A core without a letter for its threads has one.
std::int64_t threads_of(std::string_view topology) {
  std::int64_t threads = 0;
  for (std::size_t i = 0; i < topology.size(); ++i) {
    const auto letter = large(topology[i]);
    const bool has_threads = i + 1 < topology.size() && large(topology[i + 1]) == 'T';
    if (letter == 'T' || (letter == 'C' && !has_threads)) ++threads;
  }
  return threads;
}

} // namespace

bool is_topology(std::string_view text) {
  if (text.size() > longest_topology) return false;
  char before = '\0';
  for (const char each : text) {
    const auto letter = large(each);
    const bool fits = letter == 'S' || (letter == 'C' && before != '\0') ||
                      (letter == 'T' && (before == 'C' || before == 'T'));
    if (!fits) return false;
    before = letter;
  }
  return true;
}

std::optional<std::int64_t> topology_count(std::string_view topology, std::string_view name) {
  if (topology.empty()) return std::nullopt;
  if (name == "m_socket") return count(topology, 'S');
  if (name == "m_core") return count(topology, 'C');
  if (name == "m_thread") return threads_of(topology);
  return std::nullopt;
}

std::optional<std::string> topology_value(const std::string& topology, std::string_view name) {
  if (topology.empty()) return std::nullopt;
  if (name == "m_topology") return topology;
  const auto number = topology_count(topology, name);
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

bool is_topology_name(std::string_view name) {
  return name == "m_socket" || name == "m_core" || name == "m_thread" || name == "m_topology" ||
         name == "m_topology_inuse";
}

} // namespace almanac
