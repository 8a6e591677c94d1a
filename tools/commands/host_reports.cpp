#include "tools/commands/host_reports.hpp"

#include "core/text/topology.hpp"
#include "core/text/table.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <vector>

namespace almanac {

namespace {

constexpr std::string_view load_values = "load_values", processors = "processors";

std::string hundredths(std::int64_t value) { return fixed(static_cast<double>(value) / 100, 2); }
std::string megabytes(std::int64_t bytes) {
  return fixed(static_cast<double>(bytes) / (1 << 20), 6) + "M";
}

// Unknown values are left out.
std::string printed(const door::HostView& host) {
  const auto& [arch, count, memory, address, topology] = host.state.facts;
  const auto& load = host.load;
  std::vector<std::string> values;
  const auto add = [&](const char* name, bool is_known, const std::string& value) {
    if (is_known) values.push_back(std::string(name) + "=" + value);
  };
  add("arch", !arch.empty(), arch);
  add("num_proc", count > 0, std::to_string(count));
  add("mem_total", memory > 0, megabytes(memory));
  add("swap_total", load.swap_total >= 0, megabytes(load.swap_total));
  add("load_avg", load.load_medium >= 0, hundredths(load.load_medium));
  add("load_short", load.load_short >= 0, hundredths(load.load_short));
  add("load_medium", load.load_medium >= 0, hundredths(load.load_medium));
  add("load_long", load.load_long >= 0, hundredths(load.load_long));
  add("mem_free", load.memory_free >= 0, megabytes(load.memory_free));
  add("swap_free", load.swap_free >= 0, megabytes(load.swap_free));
  add("cpu", load.cpu >= 0, hundredths(load.cpu));
  const auto& in_use = load.topology_in_use.empty() ? topology : load.topology_in_use;
  add("m_topology", !topology.empty(), topology),
      add("m_topology_inuse", !topology.empty(), in_use);
  for (const char* name : {"m_socket", "m_core", "m_thread"}) {
    const auto value = topology_value(topology, name);
    add(name, value.has_value(), value.value_or(""));
  }
  for (const auto& said : load.values) add(said.name.c_str(), said.host.empty(), said.value);
  return values.empty() ? "NONE" : join(values, ",");
}

} // namespace

int HostReports::fetch(Context& context) {
  return ask<door::Cluster>(context, door::GetCluster{}, [&](door::Cluster& frame) {
    for (auto& host : frame.hosts) hosts_[host.state.name] = std::move(host);
  });
}

ConfigurationObject HostReports::with_report(const ConfigurationObject& host) const {
  const auto found = hosts_.find(host.name);
  const bool is_there = found != hosts_.end() && found->second.state.phase != HostPhase::unknown;
  auto shown = host;
  auto& all = shown.attributes;
  std::erase_if(all, [&](const Attribute& one) { return is_only_shown(host.kind, one.name); });
  const auto place = std::find_if(
      all.begin(), all.end(), [](const Attribute& one) { return one.name == "complex_values"; });
  const std::vector<Attribute> report{
      {std::string(load_values), is_there ? printed(found->second) : "NONE"},
      {std::string(processors),
       is_there ? std::to_string(found->second.state.facts.processors) : "0"}};
  all.insert(place == all.end() ? place : place + 1, report.begin(), report.end());
  return shown;
}

bool is_only_shown(ObjectKind kind, std::string_view attribute) {
  return kind == ObjectKind::exec_host && (attribute == load_values || attribute == processors);
}

} // namespace almanac
