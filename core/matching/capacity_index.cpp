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
                                                const Container& container,
                                                const Resource& resource) {
  if (resource.beside) return std::nullopt;
  switch (container.kind) {
  case Container::Kind::global:
    return value_amount(configuration, configuration.host_values("global"), resource.name);
  case Container::Kind::host:
    return value_amount(configuration, configuration.host_values(container.name), resource.name);
  case Container::Kind::pe: {
    const auto it = configuration.parallel_environments().find(container.name);
    if (it == configuration.parallel_environments().end() || resource.name != "slots")
      return std::nullopt;
    return it->second.slots;
  }
  case Container::Kind::queue: {
    const auto* instance = configuration.instance(container.name);
    return instance ? instance_capacity(configuration, *instance, resource.name) : std::nullopt;
  }
  case Container::Kind::quota: return std::nullopt;
  }
  return std::nullopt;
}

CapacityIndex::CapacityIndex(const Configuration& configuration, const Resource& resource,
                             const Ledger& ledger, const Ledger* firm, const Ledger* reserved)
    : first_(configuration.instances().data()),
      hosts_(configuration.instance_hosts()),
      queues_(configuration.instances().size()) {
  const auto put = [&](Capacity& capacity, std::optional<std::int64_t> total, auto container_of) {
    if (!total) return;
    capacity.total = total;
    const Container container = container_of();
    capacity.booked = &ledger.at(container, resource);
    if (firm) capacity.firm = &firm->at(container, resource);
    if (reserved) capacity.reserved = &reserved->at(container, resource);
  };
  put(global_, value_amount(configuration, configuration.host_values("global"), resource.name),
      Container::global);
  for (const auto& instance : configuration.instances()) {
    put(queues_[static_cast<std::size_t>(&instance - first_)],
        instance_capacity(configuration, instance, resource.name),
        [&] { return Container::queue(instance.name); });
    auto& host = hosts_[instance.host_index];
    if (!host.total)
      put(host,
          value_amount(configuration, configuration.host_values(instance.name.host), resource.name),
          [&] { return Container::host(instance.name.host); });
  }
}

CapacityIndex::CapacityIndex(const Configuration& configuration,
                             const std::vector<Booking>& reserved, const Resource& resource,
                             const Ledger& ledger)
    : first_(configuration.instances().data()),
      hosts_(configuration.instance_hosts()),
      queues_(configuration.instances().size()) {
  const auto capacity_of = [&](const Container& container) -> Capacity* {
    switch (container.kind) {
    case Container::Kind::global: return &global_;
    case Container::Kind::host: {
      const auto index = configuration.host_index(container.name);
      return index ? &hosts_[*index] : nullptr;
    }
    case Container::Kind::queue: {
      const auto* instance = configuration.instance(container.name);
      return instance ? &queues_[static_cast<std::size_t>(instance - first_)] : nullptr;
    }
    default: return nullptr;
    }
  };
  // Jobs in what is reserved alone are beside each other, and are counted there.
  for (const auto& booking : reserved)
    if (booking.resource == resource ||
        (resource.beside && booking.resource == Resource(resource.name)))
      if (auto* capacity = capacity_of(booking.container))
        *capacity = {booking.amount, ledger.find(booking.container, resource), nullptr, nullptr};
}

} // namespace almanac
