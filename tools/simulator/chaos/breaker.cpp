#include "tools/simulator/chaos/breaker.hpp"

namespace almanac {

Breaker::Breaker(VirtualWorld& world, const std::vector<std::string>& hosts,
                 const FaultRates& rates, std::mt19937_64& chance)
    : world_(world), hosts_(hosts), chance_(chance) {
  for (const auto& [fault, rate] : rates) faults_.insert(faults_.end(), rate, fault);
  plan();
}

std::optional<Fault> Breaker::look(bool request_in_flight) {
  const auto now = world_.clock().milliseconds;
  while (!repairs_.empty() && repairs_.begin()->first <= now) {
    const auto repair = repairs_.begin()->second;
    repairs_.erase(repairs_.begin());
    repair();
  }
  if (off_ || faults_.empty() || now < next_) return std::nullopt;
  if (wants_request_ && !request_in_flight) return std::nullopt;
  if (wait_-- > 0) return std::nullopt;
  const auto fault = faults_[dice(faults_.size())];
  plan();
  return bring(fault) ? std::optional(fault) : std::nullopt;
}

void Breaker::heal() {
  off_ = true;
  for (auto& [at, repair] : repairs_) repair();
  repairs_.clear();
  if (mischief_) mischief_->end();
  world_.set_faults({});
  world_.mend();
  world_.journal().full = false;
  world_.journal().next_fate = MemoryJournal::Fate::durable;
}

std::int64_t Breaker::between(std::int64_t least, std::int64_t most) {
  return (least + static_cast<std::int64_t>(dice(static_cast<std::size_t>(most - least + 1)))) *
         second;
}

void Breaker::plan() {
  next_ = world_.clock().milliseconds + between(2, 30);
  wait_ = static_cast<int>(dice(40)); // messages of that moment
  wants_request_ = dice(2) == 0;
}

void Breaker::later(std::int64_t in_ms, std::function<void()> repair) {
  repairs_.emplace(world_.clock().milliseconds + in_ms, std::move(repair));
}

bool Breaker::take_down(const std::string& who, const char* verb, std::int64_t for_ms) {
  if (!world_.is_up(who) || paused_.contains(who)) return false;
  if (!world_.stage(verb, who)) return false;
  later(for_ms, [this, who] {
    if (!world_.is_up(who)) check(world_.stage("start", who).ok(), "what is down can start");
  });
  return true;
}

bool Breaker::pause(const std::string& who, std::int64_t for_ms) {
  if (!world_.is_up(who) || !paused_.insert(who).second) return false;
  check(world_.stage("stop", who).ok(), "what is up can be paused");
  later(for_ms, [this, who] {
    paused_.erase(who);
    if (world_.is_up(who)) check(world_.stage("continue", who).ok(), "it goes on");
  });
  return true;
}

bool Breaker::weather(Faults faults) {
  world_.set_faults(faults);
  later(between(5, 40), [this] { world_.set_faults({}); });
  return true;
}

bool Breaker::cut(bool both_ways) {
  const auto host = some_host();
  const auto other = dice(3) == 0 ? some_host() : std::string();
  if (host == other) return false;
  world_.cut(host, other);
  if (both_ways || dice(2) == 0) world_.cut(other, host);
  later(between(3, 60), [this] { world_.mend(); });
  return true;
}

bool Breaker::slow_down(const std::string& host) {
  constexpr std::int64_t least_ms = 20, most_ms = 300;
  if (!world_.slow_down(host, least_ms + static_cast<std::int64_t>(dice(most_ms - least_ms))))
    return false;
  later(between(5, 60), [this, host] { world_.slow_down(host, 0); });
  return true;
}

// A batch of a master that is down would spoil the work of the next one, at once.
bool Breaker::spoil(MemoryJournal::Fate fate) {
  if (!world_.is_up("")) return false;
  world_.journal().next_fate = fate;
  return true;
}

bool Breaker::send_client() {
  constexpr std::array<int, 4> at_once{1, 1, 20, 300};
  mischief_->begin_client(at_once[dice(at_once.size())]);
  later(between(2, 10), [this] { mischief_->end_client(); });
  return true;
}

bool Breaker::corrupt(const std::string& host) {
  if (!world_.is_up(host) || paused_.contains(host)) return false;
  std::vector<Lie> lies;
  for (std::size_t i = 0; i < lie_names.size(); ++i) lies.push_back(static_cast<Lie>(i));
  mischief_->begin_agent(host, std::move(lies));
  later(between(3, 15), [this, host] { mischief_->end_agent(host); });
  return true;
}

bool Breaker::bring(Fault fault) {
  switch (fault) {
  case Fault::delay: return weather({.late_per_mille = 300});
  case Fault::loss: return weather({.lost_per_mille = 100});
  case Fault::duplication: return weather({.doubled_per_mille = 200});
  case Fault::partition: return cut(true);
  case Fault::one_way: return cut(false);
  case Fault::master_crash: return take_down("", "kill", between(1, 20));
  case Fault::agent_crash: return take_down(some_host(), "kill", between(1, 20));
  case Fault::host_crash: return take_down(some_host(), "crash", between(20, 90));
  case Fault::pause: return pause(dice(4) ? some_host() : std::string(), between(1, 30));
  case Fault::stale_agent: return take_down(some_host(), "kill", between(60, 180));
  case Fault::clock_jump: world_.clock().ahead_ms += between(1, 30); return true;
  case Fault::full_disk:
    world_.journal().full = true;
    later(between(5, 30), [this] { world_.journal().full = false; });
    return true;
  case Fault::torn_write: return spoil(MemoryJournal::Fate::lost);
  case Fault::failing_fsync: return spoil(MemoryJournal::Fate::unsure);
  case Fault::reordering: return weather({.jitter_ms = 500});
  case Fault::slow_host: return slow_down(some_host());
  case Fault::hostile_client: return mischief_ && send_client();
  case Fault::hostile_agent: return mischief_ && corrupt(some_host());
  }
  return false;
}

} // namespace almanac
