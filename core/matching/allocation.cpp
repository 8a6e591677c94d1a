#include "core/matching/allocation.hpp"

#include <algorithm>

namespace almanac {

Allocation::Allocation(const ParallelEnvironment& pe, std::vector<Offer> offers,
                       std::size_t hosts_of_cell)
    : rule_(pe.rule),
      per_host_(pe.per_host),
      offers_(std::move(offers)),
      next_(offers_.size(), none) {
  chain(hosts_of_cell);
  for (auto& host : hosts_) {
    host.slots = std::min(host.slots, offers_[host.first].on_host);
    if (rule_ == AllocationRule::fixed) host.slots = host.slots >= per_host_ ? per_host_ : 0;
    put_master_first(host);
  }
  const auto first = std::find_if(hosts_.begin(), hosts_.end(),
                                  [&](const Host& host) { return can_have_master(host); });
  if (first == hosts_.end()) hosts_.clear();
  else std::rotate(hosts_.begin(), first, first + 1);
}

bool Allocation::can_have_master(const Host& host) const {
  return host.slots > 0 && offers_[host.first].can_be_master;
}

// The offers of each host, one after the other.
void Allocation::chain(std::size_t hosts_of_cell) {
  hosts_.reserve(offers_.size());
  std::vector<std::size_t> positions(hosts_of_cell, none);
  for (std::size_t i = 0; i < offers_.size(); ++i) {
    auto& position = positions[offers_[i].instance->host_index];
    if (position == none) {
      position = hosts_.size();
      hosts_.push_back({0, i, i});
    } else {
      next_[hosts_[position].last] = i;
      hosts_[position].last = i;
    }
    hosts_[position].slots += offers_[i].slots;
  }
}

// The instance that can take the master gives the host's first slots.
void Allocation::put_master_first(Host& host) {
  if (offers_[host.first].can_be_master) return;
  for (auto before = host.first; next_[before] != none; before = next_[before]) {
    const auto at = next_[before];
    if (!offers_[at].can_be_master) continue;
    next_[before] = next_[at];
    next_[at] = host.first;
    host.first = at;
    return;
  }
}

void Allocation::limit_hosts(std::int64_t most) {
  if (static_cast<std::int64_t>(hosts_.size()) > most)
    hosts_.resize(static_cast<std::size_t>(most));
}

std::int64_t Allocation::available() const {
  std::int64_t available = 0;
  for (const auto& host : hosts_)
    if (rule_ != AllocationRule::pe_slots) available += host.slots;
    else if (can_have_master(host)) available = std::max(available, host.slots);
  return available;
}

std::vector<Grant> Allocation::largest(const std::vector<SlotRange>& ranges,
                                       std::int64_t most) const {
  for (auto slots = most; slots >= 1; --slots) {
    if (!contains(ranges, slots)) continue;
    if (rule_ == AllocationRule::fixed && slots % per_host_ != 0) continue;
    if (auto taken = spread(slots); !taken.empty()) return grants(std::move(taken));
  }
  return {};
}

// How many of so many slots each host gives; empty if they are more than the rule can make.
std::vector<std::int64_t> Allocation::spread(std::int64_t slots) const {
  std::vector<std::int64_t> taken(hosts_.size(), 0);
  auto missing = slots;
  switch (rule_) {
  case AllocationRule::pe_slots:
    for (std::size_t i = 0; i < hosts_.size() && missing > 0; ++i)
      if (hosts_[i].slots >= slots && can_have_master(hosts_[i])) taken[i] = slots, missing = 0;
    break;
  case AllocationRule::fill_up:
  case AllocationRule::fixed:
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      taken[i] = std::min(missing, hosts_[i].slots);
      missing -= taken[i];
    }
    break;
  case AllocationRule::round_robin:
    for (bool progress = true; progress && missing > 0;) {
      progress = false;
      for (std::size_t i = 0; i < hosts_.size() && missing > 0; ++i)
        if (taken[i] < hosts_[i].slots) ++taken[i], --missing, progress = true;
    }
    break;
  }
  if (missing != 0) taken.clear();
  return taken;
}

std::vector<Grant> Allocation::grants(std::vector<std::int64_t> taken) const {
  std::vector<Grant> grants;
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    for (auto at = hosts_[i].first; at != none && taken[i] > 0; at = next_[at]) {
      const auto here = std::min(taken[i], offers_[at].slots);
      if (here == 0) continue;
      grants.push_back({offers_[at].instance->name, here});
      taken[i] -= here;
    }
  }
  return grants;
}

bool can_make_any(const ParallelEnvironment& pe, const std::vector<SlotRange>& ranges) {
  return pe.rule != AllocationRule::fixed ||
         std::any_of(ranges.begin(), ranges.end(), [&](const SlotRange& range) {
           return range.high / pe.per_host * pe.per_host >= range.low;
         });
}

} // namespace almanac
