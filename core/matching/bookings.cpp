#include "core/matching/bookings.hpp"

#include "core/matching/pool.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac {

namespace {

using Sums = std::map<std::pair<Container, Resource>, std::int64_t>;

// What is taken for several slots together is rounded up once they are all counted.
void add_slots(Sums& slots, const Consumption& consumption, const Grant& grant,
               const QueueInstance& instance) {
  for (const auto& pool : pools_of(consumption, instance))
    slots[{pool.container(), consumption.asked.resource}] += grant.slots;
}

void add(Sums& sums, const Consumption& consumption, const Grant& grant,
         const QueueInstance& instance, bool is_master, bool is_new_host) {
  const auto& asked = consumption.asked;
  if (asked.taking == Taking::per_job && !is_master) return;
  if (asked.taking == Taking::per_host && !is_new_host) return;
  const auto amount = asked.taking == Taking::per_slot ? asked.amount * grant.slots : asked.amount;
  const Resource resource(asked.resource, asked.taking == Taking::beside);
  for (const auto& pool : pools_of(consumption, instance)) {
    auto& sum = sums[{pool.container(), resource}];
    sum = is_exclusive(asked) ? amount : sum + amount;
  }
}

} // namespace

std::vector<Booking> bookings_of(const Configuration& configuration,
                                 const std::vector<Consumption>& consumptions,
                                 const std::string& pe, const std::vector<Grant>& grants) {
  Sums sums, slots;
  std::set<std::size_t> hosts;
  for (std::size_t i = 0; i < grants.size(); ++i) {
    const auto& instance = *configuration.instance(grants[i].instance);
    const bool is_new_host = hosts.insert(instance.host_index).second;
    for (const auto& consumption : consumptions)
      if (consumption.asked.per > 1) add_slots(slots, consumption, grants[i], instance);
      else if (consumption.asked.amount > 0)
        add(sums, consumption, grants[i], instance, i == 0, is_new_host);
    if (!pe.empty() && !is_allocation_pe(pe)) sums[{Container::pe(pe), "slots"}] += grants[i].slots;
  }
  for (const auto& consumption : consumptions)
    for (const auto& [place, count] : slots)
      if (place.second == consumption.asked.resource && consumption.asked.amount > 0)
        sums[place] = amount_for(consumption.asked, count);
  std::vector<Booking> bookings;
  for (const auto& [place, amount] : sums) bookings.push_back({place.first, place.second, amount});
  return bookings;
}

bool is_free(const Supply& supply, const Demand& demand, const std::vector<Booking>& bookings,
             Window window) {
  return std::all_of(bookings.begin(), bookings.end(), [&](const Booking& booking) {
    const auto used = [&](const Resource& resource) {
      return supply.used(booking.container, resource, window);
    };
    for (const auto& consumption : demand.consumables) {
      if (consumption.taking == Taking::beside &&
          booking.resource == Resource(consumption.resource, true))
        return used(consumption.resource) == 0;
      if (consumption.taking == Taking::alone && booking.resource == consumption.resource &&
          used(Resource(consumption.resource, true)) > 0)
        return false;
    }
    const auto capacity = supply.capacity(booking.container, booking.resource);
    return capacity && used(booking.resource) + booking.amount <= *capacity;
  });
}

} // namespace almanac
