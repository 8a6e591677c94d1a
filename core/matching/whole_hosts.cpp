#include "core/matching/whole_hosts.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

void book_values(const Configuration& configuration, const Container& container,
                 const std::map<std::string, std::string>& values, std::vector<Booking>& bookings) {
  for (const auto& [name, value] : values) {
    const auto* complex = configuration.complexes().find(name);
    if (!complex || !complex->is_consumable()) continue;
    if (const auto amount = complex->amount(value))
      bookings.push_back({container, Resource(name), *amount});
  }
}

// Taken by tasks that are not the maintenance's own.
Amounts taken_by_others(const Snapshot& state, const Reservation& maintenance) {
  Amounts taken;
  for (const auto& host : maintenance.request.hosts)
    for (const auto& id : state.tasks_on(host)) {
      const auto* job = state.job(id.job);
      if (!job || job->reservation_key == maintenance.key) continue;
      for (const auto& [container, resource, amount] : state.task(id)->bookings) {
        auto& sum = taken[{container, resource}];
        // A task on several hosts is met on each of them.
        if (container.kind == Container::Kind::queue || container.name == host) sum += amount;
      }
    }
  return taken;
}

} // namespace

void book_whole(const Configuration& configuration, const QueueInstance& instance,
                std::vector<Booking>& bookings) {
  const auto container = Container::queue(instance.name);
  bookings.push_back({container, Resource("slots"), instance.settings.slots});
  book_values(configuration, container, instance.settings.complex_values, bookings);
}

void book_whole(const Configuration& configuration, const std::string& host,
                std::vector<Booking>& bookings) {
  book_values(configuration, Container::host(host), configuration.host_values(host), bookings);
}

Shape whole_hosts(const Snapshot& state, const Reservation& maintenance) {
  const auto& configuration = state.configuration();
  Shape shape;
  shape.window = maintenance.shape.window, shape.users = maintenance.shape.users;
  for (const auto& instance : configuration.instances()) {
    if (instance.orphaned || !closes_host(maintenance, instance.name.host)) continue;
    shape.grants.push_back({instance.name, instance.settings.slots});
    book_whole(configuration, instance, shape.bookings);
  }
  for (const auto& host : maintenance.request.hosts)
    book_whole(configuration, host, shape.bookings);
  for (const auto& [name, pe] : configuration.parallel_environments())
    shape.bookings.push_back({Container::pe(name), Resource("slots"), pe.slots});
  return shape;
}

Shape left_of_hosts(const Snapshot& state, const Reservation& maintenance, Instant now) {
  auto shape = whole_hosts(state, maintenance);
  const auto taken = taken_by_others(state, maintenance);
  const auto amount_taken = [&](const Container& container, const Resource& resource) {
    const auto it = taken.find({container, resource});
    return it == taken.end() ? 0 : it->second;
  };
  for (auto& booking : shape.bookings) {
    const auto& container = booking.container;
    const auto taken_of_it = container.kind == Container::Kind::pe
                                 ? state.used(container, booking.resource, {now, now + Duration{1}})
                                 : amount_taken(container, booking.resource);
    booking.amount = std::max<std::int64_t>(0, booking.amount - taken_of_it);
    // What is taken alone is not there beside others.
    if (amount_taken(container, Resource(booking.resource.name, true)) > 0) booking.amount = 0;
  }
  return shape;
}

} // namespace almanac
