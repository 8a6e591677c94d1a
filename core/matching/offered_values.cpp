#include "core/matching/offered_values.hpp"

#include "core/host/sensed_values.hpp"
#include "core/text/topology.hpp"
#include "core/matching/host_load.hpp"
#include "core/text/values.hpp"

#include <algorithm>

namespace almanac {

namespace {

class Offers {
public:
  Offers(const Configuration& configuration, const UsedAmounts& used)
      : configuration_(configuration), used_(used) {}

  void add(const char* kind, const char* name, std::string value) {
    if (const auto* complex = configuration_.complexes().find(name))
      list_.push_back({kind, complex, std::move(value)});
  }
  // What an object gives of complexes, by their names.
  void add_values(char domain, const Container& container,
                  const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) {
      const auto* complex = configuration_.complexes().find(name);
      if (!complex) continue;
      if (!complex->is_consumable()) {
        list_.push_back({std::string(1, domain) + "f", complex, value});
        continue;
      }
      const auto offered = complex->amount(value);
      if (!offered) continue; // written when the attribute had another type
      list_.push_back({std::string(1, domain) + "c", complex,
                       complex->print_amount(*offered - taken(container, name))});
    }
  }
  void add_load(const HostState& host) {
    if (host.phase != HostPhase::up) return;
    add("hl", "arch", host.facts.arch);
    add("hl", "num_proc", std::to_string(host.facts.processors));
    add("hl", "mem_total", print_memory(host.facts.memory));
    add_reported(host, {"swap_total", "virtual_total", "load_avg", "load_short", "load_medium",
                        "load_long", "mem_free", "swap_free", "virtual_free", "mem_used",
                        "swap_used", "virtual_used", "cpu"});
    add_topology(host);
    add_reported(host, {"np_load_avg", "np_load_short", "np_load_medium", "np_load_long"});
    add_sensed(host);
  }
  void add_reported(const HostState& host, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      const auto* complex = configuration_.complexes().find(name);
      if (!complex) continue;
      if (const auto amount = reported_amount(configuration_, host, *complex))
        list_.push_back({"hl", complex, complex->print_amount(*amount)});
    }
  }
  void add_topology(const HostState& host) {
    const auto& topology = host.facts.topology;
    const auto& in_use = host.load.topology_in_use;
    if (topology.empty()) return;
    add("hl", "m_topology", topology);
    add("hl", "m_topology_inuse", in_use.empty() ? topology : in_use);
    for (const char* name : {"m_socket", "m_core", "m_thread"})
      add("hl", name, topology_value(topology, name).value_or(""));
  }
  // What load sensors say, by the names of complexes.
  void add_sensed(const HostState& host) {
    if (host.load.values.empty()) return;
    for (const auto& [name, complex] : configuration_.complexes().all()) {
      if (!may_be_sensed(configuration_, complex)) continue;
      const auto* said = sensed_value(host, nullptr, complex);
      if (!said) continue;
      const auto* kind = said->host.empty() ? "hl" : "gl";
      if (complex.is_text()) list_.push_back({kind, &complex, said->value});
      else if (const auto amount = reported_amount(configuration_, host, complex))
        list_.push_back({kind, &complex, complex.print_amount(*amount)});
    }
  }
  std::int64_t taken(const Container& container, const std::string& name) const {
    const auto found = used_.find({container, name});
    return found == used_.end() ? 0 : found->second;
  }
  std::vector<OfferedValue> take() { return std::move(list_); }

private:
  const Configuration& configuration_;
  const UsedAmounts& used_;
  std::vector<OfferedValue> list_;
};

void add_host(Offers& offers, const Configuration& configuration, const HostState& host) {
  offers.add_values('g', Container::global(), configuration.host_values("global"));
  offers.add_load(host);
  offers.add_values('h', Container::host(host.name), configuration.host_values(host.name));
}

void add_limits(Offers& offers, const Configuration& configuration,
                const InstanceSettings& settings) {
  offers.add("qf", "s_rt", print_duration(settings.soft_run_time));
  offers.add("qf", "h_rt", print_duration(settings.hard_run_time));
  for (const char* name : {"s_cpu", "h_cpu", "s_fsize", "h_fsize", "s_data", "h_data", "s_stack",
                           "h_stack", "s_core", "h_core", "s_rss", "h_rss", "s_vmem", "h_vmem"}) {
    const auto limit = settings.process_limits.find(name);
    const auto* complex = configuration.complexes().find(name);
    if (complex)
      offers.add("qf", name,
                 limit == settings.process_limits.end() ? "INFINITY"
                                                        : complex->print_amount(limit->second));
  }
}

// Cell, host and queue come in this order: of values that no relation orders the nearest to the job
// counts.
bool is_stricter(const OfferedValue& later, const OfferedValue& earlier) {
  const auto& complex = *later.complex;
  const bool is_ordered = !complex.is_text() && complex.relation != Relation::equal &&
                          complex.relation != Relation::not_equal;
  if (!is_ordered) return true;
  const auto value = complex.amount(later.value), other = complex.amount(earlier.value);
  return value && other && *value != *other && complex.serves(*other, *value);
}

} // namespace

std::vector<OfferedValue> strictest(std::vector<OfferedValue> offered) {
  std::map<const Complex*, std::size_t> chosen;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    const auto [at, is_first] = chosen.emplace(offered[i].complex, i);
    if (!is_first && is_stricter(offered[i], offered[at->second])) at->second = i;
  }
  std::vector<OfferedValue> kept;
  for (std::size_t i = 0; i < offered.size(); ++i)
    if (chosen.at(offered[i].complex) == i) kept.push_back(std::move(offered[i]));
  return kept;
}

std::vector<OfferedValue> offered_at_host(const Configuration& configuration, const HostState& host,
                                          const UsedAmounts& used) {
  Offers offers(configuration, used);
  add_host(offers, configuration, host);
  return offers.take();
}

std::vector<OfferedValue> offered_at_instance(const Configuration& configuration,
                                              const QueueInstance& instance, const HostState& host,
                                              const UsedAmounts& used) {
  const auto& settings = instance.settings;
  const auto container = Container::queue(instance.name);
  Offers offers(configuration, used);
  add_host(offers, configuration, host);
  offers.add_values('q', container, settings.complex_values);
  offers.add("qc", "slots", std::to_string(settings.slots - offers.taken(container, "slots")));
  offers.add("qf", "qname", instance.name.queue);
  offers.add("qf", "hostname", instance.name.host);
  offers.add("qf", "rerun", settings.rerun ? "1" : "0");
  offers.add("qf", "tmpdir", settings.tmpdir);
  offers.add("qf", "seq_no", std::to_string(settings.seq_no));
  offers.add("qf", "calendar", settings.calendar.empty() ? "NONE" : settings.calendar);
  add_limits(offers, configuration, settings);
  return offers.take();
}

bool is_met(const std::vector<OfferedValue>& offered, const Complex& complex,
            const std::string& asked) {
  bool is_offered = false;
  for (const auto& one : offered) {
    if (one.complex != &complex) continue;
    if (!complex.satisfies(one.value, asked)) return false;
    is_offered = true;
  }
  return is_offered;
}

} // namespace almanac
