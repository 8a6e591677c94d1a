#include "core/records/counters.hpp"

#include <string>

namespace almanac {

Outcome valid(const Counters& counters) {
  constexpr auto most = std::int64_t{1} << 62;
  for (const auto count :
       {counters.last_key, counters.last_job_number, counters.last_reservation_number,
        counters.last_accounting, counters.last_letter, counters.last_report, counters.lost_from,
        counters.lost_to, counters.last_settled})
    if (count < 0 || count > most)
      return Error{"the counters: " + std::to_string(count) + " is not a number to count on from"};
  if (counters.skipped < 0 || counters.skipped > believable_loss)
    return Error{"the counters: " + std::to_string(counters.skipped) + " keys can't be skipped"};
  return Done{};
}

} // namespace almanac
