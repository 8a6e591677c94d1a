#include "core/matching/allocation.hpp"

#include <algorithm>

namespace almanac {

Allocation::Allocation(const ParallelEnvironment& pe, std::vector<Offer> offers,
                       std::size_t hosts_of_cell, SharedSlots shared)
    : rule_(pe.rule),
      per_host_(pe.per_host),
      offers_(std::move(offers)),
      shared_(std::move(shared)),
      next_(offers_.size(), none) {
  chain(hosts_of_cell);
  for (auto& host : hosts_) {
    host.slots = std::min(host.slots, offers_[host.first].on_host);
    if (rule_ == AllocationRule::fixed) host.slots = host.slots >= per_host_ ? per_host_ : 0;
    put_master_first(host);
  }
  const auto first = std::find_if(hosts_.begin(), hosts_.end(), [&](const Host& host) {
    return can_have_master(host) && gives_its_number(host);
  });
  if (first == hosts_.end()) hosts_.clear();
  else std::rotate(hosts_.begin(), first, first + 1);
}

// A fixed number per host is there as a whole, or the host gives nothing.
bool Allocation::gives_its_number(const Host& host) const {
  auto rest = all();
  return rule_ != AllocationRule::fixed || take(host, host.slots, rest) == per_host_;
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

// With the most slots that there can be, each rule takes all that it can make use of.
std::int64_t Allocation::available() const {
  auto rest = all();
  if (rule_ != AllocationRule::pe_slots) return fill(most_slots, rest);
  std::int64_t most = 0;
  for (const auto& host : hosts_)
    if (can_have_master(host)) {
      most = std::max(most, take(host, host.slots, rest));
      give_back(host, rest);
    }
  return most;
}

std::vector<Grant> Allocation::largest(const std::vector<SlotRange>& ranges,
                                       std::int64_t most) const {
  for (auto slots = most; slots >= 1; --slots) {
    if (!contains(ranges, slots)) continue;
    if (rule_ == AllocationRule::fixed && slots % per_host_ != 0) continue;
    auto rest = all();
    if (spread(slots, rest) == slots) return grants(rest);
  }
  return {};
}

std::int64_t Allocation::spread(std::int64_t slots, Rest& rest) const {
  switch (rule_) {
  case AllocationRule::pe_slots: return on_one_host(slots, rest);
  case AllocationRule::round_robin: return go_round(slots, rest);
  default: return fill(slots, rest);
  }
}

std::int64_t Allocation::fill(std::int64_t slots, Rest& rest) const {
  std::int64_t sum = 0;
  for (const auto& host : hosts_) {
    const auto got = take(host, std::min(slots - sum, host.slots), rest);
    if (rule_ == AllocationRule::fixed && got < per_host_) give_back(host, rest);
    else sum += got;
  }
  return sum;
}

// Where pools overlap, taking turns may use up what only others have left: then they are filled up.
std::int64_t Allocation::go_round(std::int64_t slots, Rest& rest) const {
  const auto sum = take_turns(slots, rest);
  if (sum == slots || shared_.shares.empty()) return sum;
  rest = all();
  return fill(slots, rest);
}

std::int64_t Allocation::take_turns(std::int64_t slots, Rest& rest) const {
  std::vector<std::int64_t> taken(hosts_.size(), 0);
  std::int64_t sum = 0;
  for (bool progress = true; progress && sum < slots;) {
    progress = false;
    for (std::size_t i = 0; i < hosts_.size() && sum < slots; ++i)
      if (taken[i] < hosts_[i].slots && take(hosts_[i], 1, rest) == 1)
        ++taken[i], ++sum, progress = true;
  }
  return sum;
}

std::int64_t Allocation::on_one_host(std::int64_t slots, Rest& rest) const {
  for (const auto& host : hosts_) {
    if (host.slots < slots || !can_have_master(host)) continue;
    if (take(host, slots, rest) == slots) return slots;
    give_back(host, rest);
  }
  return 0;
}

// The instances of a host give in their order.
std::int64_t Allocation::take(const Host& host, std::int64_t slots, Rest& rest) const {
  std::int64_t sum = 0;
  for (auto at = host.first; at != none && sum < slots; at = next_[at])
    sum += take_from(at, slots - sum, rest);
  return sum;
}

std::int64_t Allocation::take_from(std::size_t offer, std::int64_t slots, Rest& rest) const {
  auto got = std::min(slots, offers_[offer].slots - rest.taken[offer]);
  if (!shared_.shares.empty()) {
    for (const auto share : shared_.shares[offer]) got = std::min(got, rest.shared[share]);
    for (const auto share : shared_.shares[offer]) rest.shared[share] -= got;
  }
  rest.taken[offer] += got;
  return got;
}

void Allocation::give_back(const Host& host, Rest& rest) const {
  for (auto at = host.first; at != none; at = next_[at]) {
    if (!shared_.shares.empty())
      for (const auto share : shared_.shares[at]) rest.shared[share] += rest.taken[at];
    rest.taken[at] = 0;
  }
}

std::vector<Grant> Allocation::grants(const Rest& rest) const {
  std::vector<Grant> grants;
  for (const auto& host : hosts_)
    for (auto at = host.first; at != none; at = next_[at])
      if (rest.taken[at] > 0) grants.push_back({offers_[at].instance->name, rest.taken[at]});
  return grants;
}

bool can_make_any(const ParallelEnvironment& pe, const std::vector<SlotRange>& ranges) {
  return pe.rule != AllocationRule::fixed ||
         std::any_of(ranges.begin(), ranges.end(), [&](const SlotRange& range) {
           return range.high / pe.per_host * pe.per_host >= range.low;
         });
}

} // namespace almanac
