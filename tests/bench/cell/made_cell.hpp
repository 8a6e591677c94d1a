// A cell of any size, for benches: hosts as if their agents had just registered, jobs, reservations.
//
// It is made by a planner that is told what a real one would be told, so its records are such as
// the rules make. The same size and seed give the same records.
#pragma once

#include "core/planning/planner.hpp"

#include <cstdint>
#include <random>
#include <string>

namespace almanac {

/// What is made. Hosts are h0, h1, …, users u0, u1, …; the owner of each job is drawn, reservations
/// are the admin's.
struct CellSize {
  std::int64_t hosts = 100;
  std::int64_t slots = 4;        ///< of each host, in all.q
  std::int64_t users = 10;       ///< who own the jobs; 0: the admin does
  std::int64_t jobs = 0;         ///< that wait; no pass has looked at them
  std::int64_t classes = 1;      ///< of jobs, in turn; run times from 600 s on
  std::int64_t tasks = 1;        ///< of each job; it is an array if there are more
  bool holds = false;            ///< jobs are submitted with -R y
  std::int64_t reservations = 0; ///< of an hour and one to `slots` slots, at an hour that is drawn
  std::int64_t sets = 0;         ///< of resource quotas, each with 50 rules; nobody reaches a limit
  std::uint64_t seed = 1;
  Instant now{1'000'000}; ///< everything happens at this moment
};

/// What of the size cannot be made.
Outcome valid(const CellSize& size);

class MadeCell {
public:
  /// `size` is valid. The cell's master runs on `host`, which is its admin and submit host.
  explicit MadeCell(const CellSize& size, const std::string& admin = "root",
                    const std::string& host = "master");

  const Planner& planner() const { return planner_; }
  Instant now() const { return size_.now; }
  /// Its admin, on its master's host.
  const Caller& admin() const { return admin_; }

  Decisions tell(const ValidInput& input) { return planner_.handle(input, now()); }
  /// In the name of the admin.
  Answer command(CommandBody body) { return command(admin_, std::move(body)); }
  Answer command(const Caller& caller, CommandBody body);

  /// More jobs such as the size says. A refusal is a broken promise.
  void submit(std::int64_t jobs);
  /// From when on reservations are: for those of benches.
  Instant first_hour() const;

private:
  void reserve();
  std::int64_t draw(std::int64_t below);
  Caller draw_owner();

  CellSize size_;
  Caller admin_;
  std::mt19937_64 engine_;
  std::int64_t submitted_ = 0;
  Planner planner_;
};

} // namespace almanac
