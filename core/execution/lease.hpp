// The lease of a host, as the master counts it: for how long its agent has not been heard, and what
// follows from that.
//
// 1. A host is suspect as soon as its session ends, and unknown once it was silent for max_unheard.
//    That is said once for each silence. After a start of the master agents have ten seconds more to
//    find it.
// 2. Whether a task may run elsewhere is counted from the last renewal that was granted (fence.hpp),
//    and asked only while the host is unknown.
//
// Seconds are told one after the other, and only while there is no session: too few of them at the
// most.
#pragma once

#include "core/base/time.hpp"

namespace almanac {

class Lease {
public:
  /// An agent has registered.
  void agent_came();
  /// The agent that is here may go on for another while.
  void renewed() { since_renewal_ = {}; }
  /// Its session has ended, and nothing was heard in it for the last `silent` seconds.
  void agent_left(Duration silent);
  /// The planner has heard of somebody who is gone again: the silence begins anew.
  void begin_anew();

  /// Another second without an agent.
  void pass_second();
  /// Whether the host is unknown from now on; false again afterwards.
  bool becomes_unknown(Duration max_unheard);
  /// Whether to look at the fences of its tasks: now and then, since whether a task may run
  /// elsewhere depends on its other hosts, too.
  bool is_time_for_fences();
  /// Whether a task with this fence has surely ended on the host.
  bool is_past(Duration fence) const;

  Duration silent() const { return silent_; }

private:
  Duration silent_, since_renewal_;
  int seconds_without_look_ = 0; ///< at fences
  bool is_unknown_ = false;
  bool was_here_ = false; ///< an agent, since this master was started
};

} // namespace almanac
