// People who submit, reserve and delete while everything breaks, and what they were told.
#pragma once

#include "tools/simulator/chaos/chaos.hpp"
#include "tools/simulator/chaos/reservation_changes.hpp"
#include "tools/simulator/world/virtual_world.hpp"

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace almanac {

class Clients {
public:
  /// `user`: who they are; "" is root. `chance` decides what they do.
  Clients(VirtualWorld& world, const ChaosSettings& settings, std::string user,
          std::mt19937_64& chance, std::uint64_t seed);

  /// One thing that somebody types; a reservation is changed in several.
  void work();
  /// An operator takes back all suspensions and holds; false where there never were any.
  bool let_all_go_on();
  /// Whether somebody waits for an answer.
  bool is_waiting() const { return is_waiting_; }
  /// Adds what they were told to the result.
  void count(ChaosResult& result) const;
  /// Once all has come to rest: what is accounted is what they were told. Throws Broken.
  /// `ill_fated`: names of jobs that may have run more than once.
  void check_accounts(const std::set<std::string>& ill_fated);

private:
  struct Job {
    std::size_t tasks = 1;
    bool answered = false, may_vanish = false, may_run_again = false;
  };
  using Ended = std::map<std::string, std::map<std::int64_t, int>>; ///< by name and task: how often

  std::size_t dice(std::size_t sides) { return (*chance_)() % sides; }
  std::string number(std::size_t sides) { return std::to_string(1 + dice(sides)); }
  World::Output type(const std::vector<std::string>& words);
  World::Output perform(CommandBody body);
  void reserve();
  void reserve_nodes();
  void change_nodes();
  void settle_nodes();
  void close_a_host();
  void change_reservation();
  void remove();
  void control();
  std::map<std::string, Job>::iterator one_of_late();
  void submit(const std::string& reservation = "");
  Ended accounted() const;
  void check_account(const std::string& name, const Job& job,
                     const std::map<std::int64_t, int>& tasks, bool is_ill_fated) const;

  VirtualWorld& world_;
  const ChaosSettings& settings_;
  std::string user_;
  std::mt19937_64* chance_;
  ReservationChanges changes_;
  const bool alters_;      ///< also by qralter: some worlds, so that seeds mean what they did
  const bool wishes_;      ///< for more than a window and slots: others, likewise
  const bool controls_;    ///< also suspend, hold and reschedule what runs: others, likewise
  const bool takes_nodes_; ///< also reserve as plus_reserve and gmeta do: a third of all, likewise
  std::map<std::string, Job> jobs_; ///< by name: each has one of its own
  std::string reservation_;         ///< the last that was granted
  std::string nodes_;               ///< the last by hosts that was granted or held
  std::int64_t granted_ = 0, accepted_ = 0, refused_ = 0, unanswered_ = 0;
  int submitted_ = 0;
  bool is_waiting_ = false;
};

} // namespace almanac
