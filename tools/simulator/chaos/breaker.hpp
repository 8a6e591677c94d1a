// Brings faults to a simulated cluster, and takes them back after a while.
#pragma once

#include "tools/simulator/chaos/chaos.hpp"
#include "tools/simulator/chaos/mischief.hpp"
#include "tools/simulator/world/virtual_world.hpp"

#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace almanac {

/// The simulator counts in milliseconds.
inline constexpr std::int64_t second = 1000;

class Breaker {
public:
  Breaker(VirtualWorld& world, const std::vector<std::string>& hosts, const FaultRates& rates,
          std::mt19937_64& chance);
  /// Those who come with the faults that are no accidents.
  void let_in(Mischief& mischief) { mischief_ = &mischief; }

  /// Brings what is due at this point between two messages; the fault that came, if one did.
  std::optional<Fault> look(bool request_in_flight);
  /// No more faults; everything that is broken is repaired.
  void heal();

private:
  std::size_t dice(std::size_t sides) { return chance_() % sides; }
  std::int64_t between(std::int64_t least, std::int64_t most);
  void plan();
  void later(std::int64_t in_ms, std::function<void()> repair);
  std::string some_host() { return hosts_[dice(hosts_.size())]; }

  bool take_down(const std::string& who, const char* verb, std::int64_t for_ms);
  bool pause(const std::string& who, std::int64_t for_ms);
  bool weather(Faults faults);
  bool cut(bool both_ways);
  bool slow_down(const std::string& host);
  bool spoil(MemoryJournal::Fate fate);
  bool send_client();
  bool corrupt(const std::string& host);
  bool bring(Fault fault);

  VirtualWorld& world_;
  Mischief* mischief_ = nullptr;
  const std::vector<std::string>& hosts_;
  std::vector<Fault> faults_; ///< each as often as its rate says
  std::mt19937_64& chance_;
  std::multimap<std::int64_t, std::function<void()>> repairs_;
  std::set<std::string> paused_;
  std::int64_t next_ = 0;
  int wait_ = 0;
  bool wants_request_ = false; ///< it comes while a client waits for an answer
  bool off_ = false;
};

} // namespace almanac
