#include "core/host/seat_contest.hpp"

namespace almanac {

namespace {

// An agent that lost its link comes for its seat once in six seconds at the most.
constexpr Duration contest_period{10};
constexpr int takeovers_of_one = 2;

} // namespace

Rival SeatContest::rival(Instant now) {
  if (last_ + contest_period <= now) *this = {};
  last_ = now;
  return heard_ || takeovers_ >= takeovers_of_one ? Rival::lively : Rival::there;
}

void SeatContest::sent_away(Instant now) {
  if (!sent_away_) sent_away_ = now;
}

void SeatContest::taken_over() {
  ++takeovers_;
  sent_away_.reset(), heard_ = false;
}

// What was on its way when the second one came proves nothing.
void SeatContest::heard(Instant now) {
  if (sent_away_ && now > *sent_away_ + Duration{1}) heard_ = true;
}

} // namespace almanac
