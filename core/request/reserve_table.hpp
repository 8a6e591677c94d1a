// The options of qrsub and qralter, a row each: how one is written and read, and what its fields
// may hold. The command, the check of what comes to a door, and -help come from these rows
// (spec/reservations.md section 6).
//
// No column has a default.
#pragma once

#include "core/base/column.hpp"
#include "core/request/findings.hpp"
#include "core/request/read_columns.hpp"
#include "core/reservation/offer_token.hpp"
#include "core/request/series_options.hpp"
#include "core/reservation/reservation_request.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct ReserveOptions {
  ReservationRequest request;
  SeriesOptions series;                   ///< -repeat and what goes with it
  bool verify = false;                    ///< -w v and -w p
  bool price = false;                     ///< -w p
  bool override_holds = false;            ///< -override-holds
  JobNumber from_job{};                   ///< -from-job
  bool explain = false;                   ///< -explain
  Duration offer_for{};                   ///< -offer
  std::vector<std::string> offer_kinds{}; ///< likewise
  std::optional<OfferToken> accepted{};   ///< -accept
  bool names_running = false;             ///< -running
  bool force = false;                     ///< -f
  bool help = false;
};

/// An option that is read. One that is there twice in a source adds to a list, and replaces
/// everything else; lists begin anew with each source, so that the later one wins.
struct ReserveReading {
  ReserveOptions& into;
  const GivenOption& option;
  const ToInstant& date;
  const OptionsOf& options_of;
  std::vector<std::string>& read; ///< names of the options of this source, as far as it was read

  ReservationRequest& request() const { return into.request; }
  const std::string& value() const { return option.values.front(); }
  const ToInstant& to_instant() const { return date; }
  Error wrong(const std::string& why) const { return option.wrong(why); }
  bool is_first() const; ///< of this name in its source
};
template <> struct ReadingOf<ReservationRequest> { using Type = ReserveReading; };

struct ReserveOption {
  Column<std::string_view> name;   ///< with its dash
  Column<std::string_view> values; ///< the words that follow it, as the usage calls them
  Column<std::string_view> help;   ///< of the usage
  Column<Outcome (*)(const ReserveReading& reading)> read;
  /// Beside what every text and list has to be.
  Column<void (*)(Findings& findings, const ReservationRequest& request)> check;
};

std::span<const ReserveOption> reserve_table();
/// The row of this name, or nullptr.
const ReserveOption* find_reserve_option(std::string_view name);

/// Reads the options of one source, or of a file that is named in it.
Outcome read_reserve_options(ReserveOptions& into, const std::vector<GivenOption>& options,
                             const ToInstant& date, const OptionsOf& options_of,
                             std::vector<std::string>& read);

/// The usage's lines.
std::vector<UsageLine> reserve_usage();

} // namespace almanac
