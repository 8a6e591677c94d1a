// What goes on at the queue instances, for the report of what became of each slot-second: a span
// ends when the number of slots or the condition of an instance changes, or what is granted to a
// reservation on it. What tasks held follows from their accounting records. What is kept from who
// waits (gaps) is looked at now and then.
//
// Nothing is decided by it. It knows all spans that go on; the store has them, too, so the next start
// of the master goes on with them. What happens while no master is there is not known: what was goes
// on.
#pragma once

#include "actors/ports/archive.hpp"
#include "core/planning/decisions.hpp"
#include "core/planning/questions/gaps.hpp"
#include "core/planning/state.hpp"
#include "core/utilization/usage_span.hpp"

#include <map>
#include <string>
#include <vector>

namespace almanac {

class KeptSpans {
public:
  using Writes = std::vector<store::Write>;

  /// At the start of a master: what has changed since the store was written, if anything has.
  void begin(const State& state, const Archive& store, Instant now, Writes& writes);
  /// After an input that was decided: `state` with its changes, and what people hear of it.
  void follow(const State& state, const std::vector<Effect>& effects,
              const std::vector<Event>& events, Instant now, Writes& writes);

private:
  void look_at_all(const State& state, Instant now, Writes& writes);
  void look_at(const State& state, const QueueInstance& instance, Instant now, Writes& writes);
  void look_at(const Reservation* reservation, ReservationKey key, Instant now, Writes& writes);
  void look_at_gaps(const State& state, Instant now, Writes& writes);
  void close(const UsageSpan& span, std::int64_t of, Instant now, Writes& writes) const;

  std::map<InstanceName, UsageSpan> instances_;
  std::map<ReservationKey, std::vector<UsageSpan>> reservations_; ///< in the order of the grants
  std::map<std::string, UsageSpan> gaps_;                         ///< by their keys in the store
  Instant next_gaps_;                                             ///< when they are looked at again
  std::map<std::string, std::vector<std::size_t>>
      on_host_; ///< instances, by their place in the configuration
};

} // namespace almanac
