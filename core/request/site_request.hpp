// What a line of the metascheduler's interface asks for: the commands and questions that there are
// (spec/metascheduler.md sections 3 and 7).
//
// Whatever a value is, the result is valid by itself (valid.hpp), or the line is refused with the
// name of a token.
#pragma once

#include "core/base/result.hpp"
#include "core/request/command.hpp"
#include "core/request/site_line.hpp"
#include "core/request/start_search.hpp"

#include <string>
#include <variant>

namespace almanac {

/// STATUS and CHALLENGE of a reservation; HELLO.
struct SiteStatusOf {
  ReservationNumber reservation;
};
struct SiteChallenge {
  ReservationNumber reservation;
};
struct SiteHello {};

using SiteMeaning =
    std::variant<WhenQuery, StartsQuery, ReserveEarliest, PrepareReservation, SettleReservation,
                 DeleteReservations, SiteStatusOf, SiteChallenge, SiteHello>;

struct SiteRequest {
  SiteMeaning meaning;
  std::string user; ///< USER; "": the caller
};

/// The meaning of a line that was read without a refusal. `transaction`: the name that a
/// transaction has without TXID.
Result<SiteRequest, SiteRefusal> site_request(const SiteLine& line, const std::string& transaction);

/// The token by which a line asks for this resource, where the master finds its value bad.
std::string_view token_of_resource(const SiteLine& line, std::string_view resource);

/// "3600S", "2H:WALL", "10D:CPU": the length and whether CPU time is meant. Nothing where the unit
/// is missing, or it is not 1 second to 100 years.
struct TimeNeeded {
  Duration time;
  bool is_cpu = false;
};
std::optional<TimeNeeded> parse_time_needed(std::string_view text);
/// "EARLIEST=t,LATEST=t,ENDBY=t,DAYS=mon-fri+sun,HOURS=8-18", any of them, each once.
std::optional<StartSearch> parse_time_spec(std::string_view text);

} // namespace almanac
