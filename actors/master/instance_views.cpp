#include "actors/master/instance_views.hpp"

#include "core/configuration/objects/built_in_complexes.hpp"
#include "core/host/sensed_values.hpp"
#include "core/text/topology.hpp"
#include "core/matching/host_load.hpp"

#include <optional>

namespace almanac {

namespace {

// Domain and source of the value that a threshold was compared with.
std::string kind_of(const Configuration& configuration, const QueueInstance& instance,
                    const HostState& host, const ReachedThreshold& reached) {
  const auto& name = *reached.name;
  if (is_load_value(name) || name == "num_proc" || name == "mem_total") return "hl";
  const bool is_written = instance.settings.complex_values.contains(name) ||
                          configuration.host_values(instance.name.host).contains(name) ||
                          configuration.host_values(whole_cell).contains(name);
  if (!is_written && topology_count(host.facts.topology, name)) return "hl";
  const std::string source = reached.complex->is_consumable() ? "c" : "f";
  if (instance.settings.complex_values.contains(name)) return "q" + source;
  if (configuration.host_values(instance.name.host).contains(name)) return "h" + source;
  if (may_be_sensed(configuration, *reached.complex))
    if (const auto* said = sensed_value(host, nullptr, *reached.complex))
      return said->host.empty() ? "hl" : "gl";
  return "g" + source;
}

std::string alarm(const Configuration& configuration, const QueueInstance& instance,
                  const HostState& host, const std::optional<ReachedThreshold>& reached,
                  const char* which) {
  if (!reached) return "";
  return "alarm " + kind_of(configuration, instance, host, *reached) + ":" + *reached->name + "=" +
         reached->printed_value() + " " + which + "-threshold=" + *reached->threshold;
}

// A number that somebody has written looks as those that are measured or left do: 1G as 1.000G.
std::string shown_value(const OfferedValue& offered) {
  const auto& complex = *offered.complex;
  if (!offered.kind.ends_with('f') || complex.is_text() || complex.type == ValueType::boolean)
    return offered.value;
  const auto amount = complex.amount(offered.value);
  return amount ? complex.print_amount(*amount) : offered.value;
}

} // namespace

std::vector<door::ResourceView> views_of(const std::vector<OfferedValue>& offered) {
  std::vector<door::ResourceView> views;
  for (const auto& one : offered)
    views.push_back({one.kind, one.complex->name, shown_value(one), one.complex->shortcut});
  return views;
}

std::string load_alarm(const Configuration& configuration, const QueueInstance& instance,
                       const HostState& host) {
  if (host.phase != HostPhase::up) return "";
  return alarm(configuration, instance, host, overload(configuration, instance, host), "load");
}

std::string suspend_alarm(const Configuration& configuration, const QueueInstance& instance,
                          const HostState& host) {
  if (host.phase != HostPhase::up) return "";
  return alarm(configuration, instance, host, suspending(configuration, instance, host), "suspend");
}

} // namespace almanac
