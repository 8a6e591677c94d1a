#include "core/matching/capacity_index.hpp"

namespace almanac {

namespace {

std::optional<std::int64_t> value_amount(const Configuration& configuration,
                                         const std::map<std::string, std::string>& values,
                                         const std::string& resource) {
  const auto it = values.find(resource);
  if (it == values.end()) return std::nullopt;
  const auto* complex = configuration.complexes().find(resource);
  if (!complex) return std::nullopt;
  auto amount = complex->amount(it->second);
  return amount ? std::optional(*amount) : std::nullopt;
}

std::optional<std::int64_t> instance_capacity(const Configuration& configuration,
                                              const QueueInstance& instance,
                                              const std::string& resource) {
  if (resource == "slots") return instance.settings.slots;
  return value_amount(configuration, instance.settings.complex_values, resource);
}

} // namespace

std::optional<std::int64_t> configured_capacity(const Configuration& configuration,
                                                const std::string& container,
                                                const std::string& resource) {
  if (container == global_container)
    return value_amount(configuration, configuration.host_values("global"), resource);
  const auto name = container.substr(container.find(':') + 1);
  if (container.starts_with("host:"))
    return value_amount(configuration, configuration.host_values(name), resource);
  if (container.starts_with("pe:")) {
    const auto it = configuration.parallel_environments().find(name);
    if (it == configuration.parallel_environments().end() || resource != "slots")
      return std::nullopt;
    return it->second.slots;
  }
  const auto* instance = configuration.instance(name);
  return instance ? instance_capacity(configuration, *instance, resource) : std::nullopt;
}

std::string Spot::container() const {
  switch (level) {
  case Level::host: return host_container(instance->host);
  case Level::queue: return queue_container(instance->name);
  default: return global_container;
  }
}

CapacityIndex::CapacityIndex(const Configuration& configuration, const std::string& resource,
                             const std::string& booked_as, const Ledger& ledger, const Ledger* firm,
                             const Ledger* reserved)
    : first_(configuration.instances().data()),
      hosts_(configuration.instance_hosts()),
      queues_(configuration.instances().size()) {
  const auto put = [&](Capacity& capacity, std::optional<std::int64_t> total, Spot spot) {
    if (!total) return;
    capacity.total = total;
    const auto container = spot.container();
    capacity.booked = &ledger.at(container, booked_as);
    if (firm) capacity.firm = &firm->at(container, booked_as);
    if (reserved) capacity.reserved = &reserved->at(container, booked_as);
  };
  put(global_, value_amount(configuration, configuration.host_values("global"), resource), {});
  for (const auto& instance : configuration.instances()) {
    put(queues_[static_cast<std::size_t>(&instance - first_)],
        instance_capacity(configuration, instance, resource), {Level::queue, &instance});
    auto& host = hosts_[instance.host_index];
    if (!host.total)
      put(host, value_amount(configuration, configuration.host_values(instance.host), resource),
          {Level::host, &instance});
  }
}

CapacityIndex::CapacityIndex(const Configuration& configuration,
                             const std::vector<Booking>& reserved, const std::string& resource,
                             const std::string& booked_as, const Ledger& ledger)
    : first_(configuration.instances().data()),
      hosts_(configuration.instance_hosts()),
      queues_(configuration.instances().size()) {
  const auto capacity_of = [&](const std::string& container) -> Capacity* {
    if (container == global_container) return &global_;
    const auto name = container.substr(container.find(':') + 1);
    if (container.starts_with("host:")) {
      const auto index = configuration.host_index(name);
      return index ? &hosts_[*index] : nullptr;
    }
    const auto* instance = container.starts_with("queue:") ? configuration.instance(name) : nullptr;
    return instance ? &queues_[static_cast<std::size_t>(instance - first_)] : nullptr;
  };
  for (const auto& booking : reserved)
    if (booking.resource == resource)
      if (auto* capacity = capacity_of(booking.container))
        *capacity = {booking.amount, ledger.find(booking.container, booked_as), nullptr, nullptr};
}

} // namespace almanac
