#include "core/matching/host_load.hpp"

#include "core/base/wide.hpp"
#include "core/configuration/objects/built_in_complexes.hpp"
#include "core/host/load_average.hpp"
#include "core/host/sensed_values.hpp"
#include "core/text/topology.hpp"

#include <algorithm>

namespace almanac {

namespace {

// Where a value is asked for. `state` is there only where bookings count, too.
struct LoadSource {
  const Configuration& configuration;
  const QueueInstance& instance;
  const HostState& host;
  const Snapshot* state = nullptr;
  Instant now;
  bool counts_starts = false; ///< those of late, each for what is left of its time
};

std::int64_t millionths(const Complex& complex, std::int64_t amount) {
  return complex.type == ValueType::decimal ? amount : clamped(Wide(amount) * fixed_point::unit);
}

std::int64_t adjustment(const LoadSource& source, const std::string& name) {
  const auto& adjustments = source.configuration.scheduler().load_adjustments;
  const auto it = adjustments.find(name);
  if (!source.counts_starts || it == adjustments.end()) return 0;
  return clamped(Wide(it->second) *
                 source.state->started_lately(source.instance.host_index, source.now) /
                 fixed_point::unit);
}

// The lowest of what is free, or else of what is configured, on the way from the cell to the queue.
std::optional<std::int64_t> configured(const LoadSource& source, const Complex& complex) {
  std::optional<std::int64_t> lowest;
  const auto take = [&](const Container& container) {
    auto amount = configured_capacity(source.configuration, container, complex.name);
    if (!amount) return;
    if (source.state && complex.is_consumable())
      *amount -=
          source.state->used(container, complex.name, {source.now, source.now + Duration{1}});
    lowest = std::min(lowest.value_or(*amount), *amount);
  };
  take(Container::global());
  take(Container::host(source.instance.name.host));
  take(Container::queue(source.instance.name));
  if (!lowest) return std::nullopt;
  return millionths(complex, *lowest);
}

// As the host says that it is to be read: load_scaling.
std::int64_t scaled(const LoadSource& source, const std::string& name, std::int64_t value) {
  const auto factor = source.configuration.load_factor(source.host.name, name);
  return factor == fixed_point::unit ? value : clamped(Wide(value) * factor / fixed_point::unit);
}

std::optional<std::int64_t> average(const LoadSource& source, const std::string& name) {
  return load_average(source.host, name, source.configuration.load_factor(source.host.name, name),
                      adjustment(source, name));
}

// Bytes in millionths, like all values here.
std::optional<std::int64_t> memory(const LoadSource& source, const std::string& name) {
  const auto& load = source.host.load;
  const auto main_total = source.host.facts.memory;
  if (load.memory_free < 0) return std::nullopt;
  std::int64_t total = 0, free = 0;
  if (!name.starts_with("swap_")) total += main_total, free += load.memory_free;
  if (!name.starts_with("mem_")) total += load.swap_total, free += load.swap_free;
  const auto bytes = name.ends_with("_total")  ? total
                     : name.ends_with("_used") ? total - free
                                               : free;
  const auto value = scaled(source, name, clamped(Wide(bytes) * fixed_point::unit));
  return clamped(Wide(value) + adjustment(source, name));
}

using Reported = std::optional<std::int64_t> (*)(const LoadSource&, const std::string&);

const Lookup<Reported>& reported_values() {
  static const auto table = [] {
    Lookup<Reported> values;
    for (const auto name : load_value_names())
      values.emplace(std::string(name), reported_by(name) ? average : memory);
    return values;
  }();
  return table;
}

// What load sensors say of it.
std::optional<std::int64_t> sensed(const LoadSource& source, const Complex& complex) {
  if (!may_be_sensed(source.configuration, complex)) return std::nullopt;
  const auto* cell = source.state ? &source.state->host(whole_cell) : nullptr;
  const auto value = sensed_amount(source.configuration, source.host, cell, complex);
  if (!value) return std::nullopt;
  return clamped(Wide(*value) + adjustment(source, complex.name));
}

// Sockets, cores and threads.
std::optional<std::int64_t> counted(const HostFacts& facts, const std::string& name) {
  const auto count = topology_count(facts.topology, name);
  return count ? std::optional(clamped(Wide(*count) * fixed_point::unit)) : std::nullopt;
}

bool is_low_bad(const Complex& complex) {
  return complex.relation == Relation::at_most || complex.relation == Relation::below;
}

std::optional<std::int64_t> value_of(const LoadSource& source, const std::string& name) {
  const auto& facts = source.host.facts;
  if (name == "num_proc" || name == "mem_total") {
    if (facts.arch.empty()) return std::nullopt;
    return clamped(Wide(name == "num_proc" ? facts.processors : facts.memory) * fixed_point::unit);
  }
  const auto* reported_value = reported_values().find(name);
  // Asked for all hosts again and again: mostly nobody has configured what is reported.
  if (reported_value && !source.configuration.is_offered(name))
    return (*reported_value)(source, name);
  const auto* complex = source.configuration.complexes().find(name);
  const auto value =
      complex && !complex->is_text() ? configured(source, *complex) : std::optional<std::int64_t>();
  const auto reported = reported_value           ? (*reported_value)(source, name)
                        : is_topology_name(name) ? counted(facts, name)
                        : complex                ? sensed(source, *complex)
                                                 : std::nullopt;
  if (!value || !reported) return value ? value : reported;
  // Both are known: the stricter one counts.
  return is_low_bad(*complex) ? std::min(*value, *reported) : std::max(*value, *reported);
}

std::string shown(const Complex& complex, std::int64_t value) {
  return complex.print_amount(complex.type == ValueType::decimal ? value
                                                                 : value / fixed_point::unit);
}

std::optional<ReachedThreshold> reached(const LoadSource& source,
                                        const std::map<std::string, std::string>& thresholds) {
  for (const auto& [name, threshold] : thresholds) {
    const auto value = value_of(source, name);
    if (!value) continue;
    const auto* complex = source.configuration.complexes().find(name);
    if (!complex || complex->is_text()) continue;
    const auto limit = complex->amount(threshold);
    // As if the value were asked for, and the threshold offered.
    if (!limit || !complex->serves(millionths(*complex, *limit), *value)) continue;
    return ReachedThreshold{complex, &name, &threshold, *value};
  }
  return std::nullopt;
}

LoadSource present_source(const Snapshot& state, const QueueInstance& instance, Instant now) {
  return {state.configuration(), instance, state.host_of(instance), &state, now, true};
}

} // namespace

std::optional<std::int64_t> host_load(const Snapshot& state, const QueueInstance& instance,
                                      Instant now) {
  const auto source = present_source(state, instance, now);
  Wide sum = 0;
  for (const auto& term : state.configuration().scheduler().load_formula) {
    if (term.name.empty()) {
      sum += term.factor;
      continue;
    }
    const auto value = value_of(source, term.name);
    if (!value) return std::nullopt;
    sum += Wide(*value) * term.factor / fixed_point::unit;
  }
  return clamped(sum);
}

Statement ReachedThreshold::statement() const {
  return {is_low_bad(*complex) ? AnswerCode::at_most_threshold : AnswerCode::at_least_threshold,
          {{"resource", *name}, {"value", printed_value()}, {"threshold", *threshold}}};
}

std::string ReachedThreshold::printed_value() const { return shown(*complex, value); }

std::optional<ReachedThreshold> overload(const Snapshot& state, const QueueInstance& instance,
                                         Instant now) {
  if (instance.settings.load_thresholds.empty()) return std::nullopt;
  return reached(present_source(state, instance, now), instance.settings.load_thresholds);
}

std::optional<ReachedThreshold> overload(const Configuration& configuration,
                                         const QueueInstance& instance, const HostState& host) {
  return reached({configuration, instance, host, nullptr, {}, false},
                 instance.settings.load_thresholds);
}

std::optional<ReachedThreshold> suspending(const Snapshot& state, const QueueInstance& instance,
                                           Instant now) {
  return reached({state.configuration(), instance, state.host_of(instance), &state, now, false},
                 instance.settings.suspend_thresholds);
}

std::optional<ReachedThreshold> suspending(const Configuration& configuration,
                                           const QueueInstance& instance, const HostState& host) {
  return reached({configuration, instance, host, nullptr, {}, false},
                 instance.settings.suspend_thresholds);
}

namespace {

std::optional<std::int64_t> reported(const LoadSource& source, const Complex& complex) {
  const auto* read = reported_values().find(complex.name);
  const auto value = read ? (*read)(source, complex.name) : sensed(source, complex);
  if (!value || complex.type == ValueType::decimal) return value;
  return *value / fixed_point::unit;
}

} // namespace

std::optional<std::int64_t> reported_amount(const Snapshot& state, const QueueInstance& instance,
                                            const Complex& complex) {
  return reported({state.configuration(), instance, state.host_of(instance), &state, {}, false},
                  complex);
}

std::optional<std::int64_t> reported_amount(const Configuration& configuration,
                                            const HostState& host, const Complex& complex) {
  static const QueueInstance none;
  return reported({configuration, none, host, nullptr, {}, false}, complex);
}

} // namespace almanac
