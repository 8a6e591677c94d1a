// The ends of tasks on their way to the master, with those of their processes of qrsh -inherit.
//
// The first host's agent knows of all of them, wherever they run. They end with the job's own process:
// here they are killed, elsewhere with the part. Until their ends are known that of the task is held,
// so that accounting has a record, or the use, of each (spec/cli.md section 11). It is held for
// `patience` at most: a host that is silent keeps no slots.
#pragma once

#include "actors/agent/call_numbers.hpp"
#include "actors/agent/master_session.hpp"
#include "actors/ports/launcher.hpp"

#include <chrono>
#include <cstdint>
#include <map>

namespace almanac {

class TaskEnds {
public:
  static constexpr auto patience = std::chrono::seconds(5);

  /// All of them outlive it.
  TaskEnds(Launcher& launcher, MasterSession& master, const CallNumbers& calls)
      : launcher_(launcher), master_(master), calls_(calls) {}

  /// What became of a task that is in the list: the master hears it now (0 is returned), or its end
  /// is held under the number returned, and given up after `patience`.
  std::int64_t take(const session::TaskReport& report);
  /// One of its processes: with the last one the master hears of the task's end.
  void process_ended(const Attempt& attempt);
  /// The master hears of it without those that nothing was heard of. Nothing if it is told already.
  void give_up(std::int64_t number);
  void forget(const Attempt& attempt) { held_.erase(attempt); }

private:
  struct Held {
    std::int64_t number = 0;
    session::TaskReport report;
  };
  void tell(std::map<Attempt, Held>::iterator held);

  Launcher& launcher_;
  MasterSession& master_;
  const CallNumbers& calls_;
  std::int64_t last_ = 0;
  std::map<Attempt, Held> held_;
};

} // namespace almanac
