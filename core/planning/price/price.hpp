// What a reservation, or a change of one, would cost others: two forecasts, with it and without
// (spec/beyond.md section 2).
#pragma once

#include "core/planning/price/forecast.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// A task that starts at another time, or not at all.
struct MovedStart {
  TaskId task;
  JobNumber number;
  std::string user, name;
  Instant without;
  Instant with; ///< never(): not before the horizon
  Duration delay() const { return with - without; }
};

struct Price {
  std::int64_t later = 0, earlier = 0, not_started = 0; ///< tasks
  Duration later_sum, later_most, earlier_sum;
  std::vector<MovedStart> most_delayed; ///< ten at the most, the latest in front
  std::vector<JobNumber> moved_holds;   ///< of jobs, ascending
  /// Slot-seconds; of a change before and in its new window, and what it adds to the charge.
  std::int64_t idle_before = 0, displaced = 0, charge = 0;
  bool is_complete = false;
};

class Pricing {
public:
  /// How far it looks at the most.
  static constexpr Duration horizon{30 * 86400};
  static constexpr std::size_t most_named = 10;

  /// `records`: of the state in which it would be granted, or changed.
  Pricing(const RecordSet& records, const Caller& caller, const Reserve& command, Instant now);
  Pricing(const RecordSet& records, const Caller& caller, const AlterReservation& command,
          Instant now);

  /// Why it would be refused; nothing is to be looked at then.
  const std::optional<Answer>& refusal() const { return refusal_; }
  /// What would be said of the grant.
  const Answer& grant() const { return grant_; }
  /// As it would be granted, or changed.
  const Reservation& reservation() const { return reservation_; }
  /// What a change would come to; nothing of a grant.
  const std::optional<Answer>& preview() const { return preview_; }
  /// Goes on to the next moment; false: both plans are the same from here on, or the horizon is
  /// reached.
  bool look();
  /// As far as it has looked.
  Price price() const;

private:
  Pricing(const RecordSet& records, ReservationKey own, Instant now);
  void begin(const RecordSet& records, const Caller& caller, const CommandBody& command);
  void add_slots(Instant until);

  struct Waiting {
    JobNumber number;
    std::string user, name;
  };
  MovedStart moved(const TaskId& id) const;

  Forecast without_, with_;
  std::map<JobKey, Waiting> waiting_; ///< at first: by the end they may be gone
  Instant begin_, now_, end_;
  std::optional<Answer> refusal_, preview_;
  Answer grant_;
  Reservation reservation_;
  std::optional<Shape> old_; ///< of a change
  std::vector<JobNumber> moved_holds_;
  std::int64_t idle_before_ = 0, displaced_ = 0;
  bool is_complete_ = false;
};

} // namespace almanac
