// The occurrences of each series, and which series is to be looked at next.
#pragma once

#include "core/records/index.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace almanac {

class StandingSeries : public ComparedIndex<StandingSeries> {
public:
  using Index::changed;
  bool operator==(const StandingSeries&) const = default;
  void rebuild(const Records& records) override;
  void changed(const Reservation* before, const Reservation* after) override;
  void changed(const Series* before, const Series* after) override;

  /// Keys of its occurrences that are granted and not over, ascending.
  const std::set<ReservationKey>& occurrences(ReservationNumber series) const;
  /// What jobs mean that name the series: it, and what was made series of their own of its rest; none of
  /// them if they are gone.
  const std::set<ReservationNumber>& meant_by(ReservationNumber series) const;
  /// Occurrences that are over and not gone, since jobs are in them.
  const std::set<ReservationKey>& ending() const { return ending_; }
  /// When the first of all is due; never() if there is none.
  Instant next_due() const { return due_.empty() ? Instant::never() : due_.begin()->first; }
  /// Those that are due, in order of submission.
  std::vector<ReservationNumber> due(Instant now) const;
  /// Those with conflicts, in order of submission.
  std::vector<ReservationNumber> with_conflicts() const;

private:
  void mean(const Series* series, bool stands);

  std::map<ReservationNumber, std::set<ReservationKey>> occurrences_;
  std::map<ReservationNumber, std::set<ReservationNumber>> meant_by_;
  std::set<ReservationKey> ending_;
  std::set<std::pair<Instant, ReservationNumber>> due_;
  std::map<ReservationNumber, std::int64_t> orders_; ///< of submission
  std::set<std::pair<std::int64_t, ReservationNumber>> conflicting_;
};

} // namespace almanac
