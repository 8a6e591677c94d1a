// When a job would start that is submitted now: QUERY of metaschedulers (spec/metascheduler.md M4.3
// to M4.5, M4.18).
//
// It is a forecast: the job comes to the end of the pending list with its user's attributes and its
// real priority, and nothing else comes but time. Reservations that are held are taken to be
// committed (M4.1). Nothing is promised by it.
#pragma once

#include "core/planning/price/forecast.hpp"

#include <optional>

namespace almanac {

class StartForecast {
public:
  /// How far it looks at the most.
  static constexpr Duration horizon{30 * 86400};

  /// `records`: of the state in which it would be submitted.
  StartForecast(const RecordSet& records, const AskWhen& asked, Instant now);

  /// Goes on to the next moment; false: it is known when the job starts, or nothing more can be
  /// seen.
  bool look();
  /// As far as it has looked: when it starts, that it never can, or before when it does not.
  Answer answer() const;

private:
  void begin(const AskWhen& asked);
  void grant_what_is_held();
  std::optional<Instant> start() const;

  Forecast forecast_;
  Instant begin_;
  TaskId task_;
  std::optional<Answer> refusal_;
};

} // namespace almanac
