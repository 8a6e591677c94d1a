#include "core/matching/allocation.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace almanac {

Allocation::Allocation(const ParallelEnvironment& pe, std::vector<Offer> offers,
                       std::size_t hosts_of_cell, SharedSlots shared, MastersHost masters_host)
    : rule_(pe.rule),
      per_host_(pe.per_host),
      offers_(std::move(offers)),
      shared_(std::move(shared)),
      next_(offers_.size(), none) {
  chain(hosts_of_cell);
  for (auto& host : hosts_) {
    settle(host);
    put_master_first(host);
    if (rule_ == AllocationRule::pe_slots) host = with_master(host); // each is looked at by itself
  }
  const auto first = find_masters_host(masters_host);
  has_first_ = first != hosts_.end();
  if (has_first_) {
    *first = with_master(*first);
    std::rotate(hosts_.begin(), first, first + 1);
    std::erase_if(hosts_, [](const Host& host) { return host.first == none; });
  } else if (rule_ != AllocationRule::fixed)
    hosts_.clear(); // or its number may be made up otherwise
}

std::vector<Allocation::Host>::iterator Allocation::find_masters_host(MastersHost which) {
  auto best = hosts_.end();
  std::int64_t most = -1;
  for (auto at = hosts_.begin(); at != hosts_.end(); ++at) {
    const auto host = with_master(*at);
    if (!can_have_master(host) || !gives_its_number(host)) continue;
    if (which == MastersHost::first) return at;
    if (const auto more = host.slots - at->slots; more > most) best = at, most = more;
  }
  return best;
}

// What its instances offer, as far as the host has it and the rule takes it.
void Allocation::settle(Host& host) const {
  host.slots = host.first == none ? 0 : std::min(host.offered, offers_[host.first].on_host);
  if (rule_ == AllocationRule::fixed) host.slots = host.slots >= per_host_ ? per_host_ : 0;
}

// As the host of the first slot, with the instance that can take nothing else.
Allocation::Host Allocation::with_master(Host host) {
  if (host.only_master == none) return host;
  next_[host.only_master] = host.first;
  host.first = std::exchange(host.only_master, none);
  if (host.last == none) host.last = host.first;
  ++host.offered;
  settle(host);
  return host;
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
    if (position == none) position = hosts_.size(), hosts_.emplace_back();
    add_to(hosts_[position], i);
  }
}

void Allocation::add_to(Host& host, std::size_t offer) {
  auto& added = offers_[offer];
  if (!added.can_be_slave) {
    added.slots = std::min<std::int64_t>(added.slots, 1);
    if (added.can_be_master && host.only_master == none) host.only_master = offer;
    return;
  }
  (host.first == none ? host.first : next_[host.last]) = offer;
  host.last = offer;
  host.offered += added.slots;
}

// The instance that can take the master gives the host's first slots.
void Allocation::put_master_first(Host& host) {
  if (host.first == none || offers_[host.first].can_be_master) return;
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
std::int64_t Allocation::available(std::int64_t wanted) const {
  auto rest = all();
  std::int64_t most = 0;
  if (rule_ != AllocationRule::pe_slots) most = fill(most_slots, rest);
  else
    for (const auto& host : hosts_)
      if (can_have_master(host)) {
        most = std::max(most, take(host, host.slots, rest));
        give_back(host, rest);
      }
  if (shared_.shares.empty() || most + slots_each_time() > wanted) return most;
  return std::max(most, exchanged(wanted).slots);
}

std::vector<Grant> Allocation::largest(const std::vector<SlotRange>& ranges,
                                       std::int64_t most) const {
  for (auto slots = most; slots >= 1; --slots) {
    if (!contains(ranges, slots)) continue;
    if (rule_ == AllocationRule::fixed && slots % per_host_ != 0) continue;
    auto rest = all();
    if (spread(slots, rest) == slots) return grants(rest);
    if (shared_.shares.empty() || exchanged(most).slots < slots) continue;
    return grants(trimmed(exchanged(most), slots));
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
  if (!has_first_) return 0;
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

// In the order of the hosts, that of the master first.
std::vector<Grant> Allocation::grants(const Rest& rest) const {
  std::vector<Grant> grants;
  std::size_t master = none;
  for (const auto& host : hosts_)
    for (auto at = host.first; at != none; at = next_[at]) {
      if (rest.taken[at] == 0) continue;
      if (master == none && offers_[at].can_be_master) master = grants.size();
      grants.push_back({offers_[at].instance->name, rest.taken[at]});
    }
  if (master == none || master == 0) return grants;
  std::rotate(grants.begin(), grants.begin() + static_cast<std::ptrdiff_t>(master),
              grants.begin() + static_cast<std::ptrdiff_t>(master) + 1);
  std::stable_partition(grants.begin() + 1, grants.end(), [&](const Grant& grant) {
    return grant.instance.host == grants.front().instance.host;
  });
  return grants;
}

// ---- where those behind need what the first in order would take ---------------------------------

const Allocation::Ways& Allocation::exchanged(std::int64_t wanted) const {
  if (exchanged_) return *exchanged_;
  auto& best = *(exchanged_ = Ways());
  const auto times = std::max<std::int64_t>(0, wanted) / slots_each_time();
  if (rule_ != AllocationRule::pe_slots) exchange_in(ways_of(hosts_), times, best);
  else
    for (const auto& host : hosts_)
      if (can_have_master(host) && next_[host.first] != none && best.slots < wanted)
        exchange_in(ways_of({host}), times, best);
  return best;
}

void Allocation::exchange_in(Ways ways, std::int64_t wanted, Ways& best) const {
  auto times = exchange(ways.choices, wanted);
  if (!times) return;
  ways.times = std::move(*times);
  for (const auto often : ways.times) ways.slots += often * slots_each_time();
  if (ways.slots > best.slots) best = std::move(ways);
}

Allocation::Ways Allocation::ways_of(const std::vector<Host>& hosts) const {
  Ways ways;
  ways.choices.limits = shared_.left;
  for (const auto& host : hosts)
    if (host.slots > 0) add_ways(host, ways);
  return ways;
}

// A slot of each instance; of a fixed number all, as the instances of the host can make it up.
void Allocation::add_ways(const Host& host, Ways& ways) const {
  const bool shares_host = next_[host.first] != none;
  const bool is_fixed = rule_ == AllocationRule::fixed;
  if (shares_host) ways.choices.limits.push_back(is_fixed ? 1 : host.slots);
  std::vector<Ways::Part> found;
  Ways::Part part;
  if (is_fixed) split(host.first, per_host_, part, found);
  else
    for (auto at = host.first; at != none; at = next_[at]) found.push_back({{at, 1}});
  for (const auto& one : found)
    add_way(one, is_fixed ? 1 : std::min(host.slots, offers_[one.front().first].slots), shares_host,
            ways);
}

void Allocation::split(std::size_t offer, std::int64_t slots, Ways::Part& part,
                       std::vector<Ways::Part>& found) const {
  constexpr std::size_t most_splits = 64;
  if (slots == 0) found.push_back(part);
  if (slots == 0 || offer == none) return;
  for (auto here = std::min(slots, offers_[offer].slots); here >= 0; --here) {
    if (found.size() >= most_splits) return;
    if (here > 0) part.emplace_back(offer, here);
    split(next_[offer], slots - here, part, found);
    if (here > 0) part.pop_back();
  }
}

void Allocation::add_way(const Ways::Part& part, std::int64_t most, bool shares_host,
                         Ways& ways) const {
  auto& choice = ways.choices.choices.emplace_back();
  choice.most = most;
  choice.can_be_master = false;
  std::map<std::uint32_t, std::int64_t> draws;
  for (const auto& [offer, slots] : part) {
    choice.can_be_master = choice.can_be_master || offers_[offer].can_be_master;
    for (const auto share : shared_.shares[offer]) draws[share] += slots;
  }
  if (shares_host) draws[static_cast<std::uint32_t>(ways.choices.limits.size() - 1)] = 1;
  choice.draws.assign(draws.begin(), draws.end());
  ways.parts.push_back(part);
}

// Of what was taken so many slots: the last in order go without, but for the master's.
Allocation::Rest Allocation::trimmed(const Ways& ways, std::int64_t slots) const {
  auto rest = all();
  std::size_t master = 0;
  while (ways.times[master] == 0 || !ways.choices.choices[master].can_be_master) ++master;
  auto excess = (ways.slots - slots) / slots_each_time();
  for (auto i = ways.times.size(); i-- > 0;) {
    const auto without = std::min(excess, ways.times[i] - (i == master ? 1 : 0));
    excess -= without;
    for (const auto& [offer, each] : ways.parts[i])
      rest.taken[offer] += (ways.times[i] - without) * each;
  }
  return rest;
}

bool can_make_any(const ParallelEnvironment& pe, const std::vector<SlotRange>& ranges) {
  return pe.rule != AllocationRule::fixed ||
         std::any_of(ranges.begin(), ranges.end(), [&](const SlotRange& range) {
           return range.high / pe.per_host * pe.per_host >= range.low;
         });
}

} // namespace almanac
