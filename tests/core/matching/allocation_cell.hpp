// Offers of instances on a few hosts, what they share, and what is granted of them as text.
#pragma once

#include "core/matching/allocation.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

namespace almanac {

// Instances that offer something, on hosts h0, h1, …
class OfferedCell {
public:
  Offer& offer(std::size_t host, std::int64_t slots) {
    auto& instance = instances_.emplace_back();
    instance.name = {"q" + std::to_string(instances_.size()), "h" + std::to_string(host)};
    instance.host_index = host;
    hosts = std::max(hosts, host + 1);
    return offers.emplace_back(Offer{&instance, slots});
  }
  /// Slots that these offers, by their numbers, have together only.
  void share(std::int64_t left, const std::vector<std::size_t>& among) {
    shared.shares.resize(offers.size());
    for (const auto offer : among)
      shared.shares[offer].push_back(static_cast<std::uint32_t>(shared.left.size()));
    shared.left.push_back(left);
  }
  Allocation allocation(const ParallelEnvironment& pe) const {
    return {pe, {offers.begin(), offers.end()}, hosts, shared};
  }
  /// "h0:2 h1:2", each grant for itself
  std::string largest(const ParallelEnvironment& pe, std::int64_t low, std::int64_t high) const {
    const auto allocation = this->allocation(pe);
    std::string text;
    const auto most = std::min(high, allocation.available(high));
    for (const auto& grant : allocation.largest({{low, high}}, most))
      text += (text.empty() ? "" : " ") + grant.instance.host + ":" + std::to_string(grant.slots);
    return text;
  }
  const Offer& offer_of(const Grant& grant) const {
    return *std::find_if(offers.begin(), offers.end(), [&](const Offer& offer) {
      return offer.instance->name == grant.instance;
    });
  }

  std::deque<Offer> offers;
  SharedSlots shared;
  std::size_t hosts = 0;

private:
  std::deque<QueueInstance> instances_;
};

inline ParallelEnvironment with(AllocationRule rule, std::int64_t per_host = 0) {
  ParallelEnvironment pe;
  pe.name = "pe", pe.rule = rule, pe.per_host = per_host;
  return pe;
}

inline const auto fill_up = with(AllocationRule::fill_up),
                  round_robin = with(AllocationRule::round_robin),
                  pe_slots = with(AllocationRule::pe_slots);

} // namespace almanac
