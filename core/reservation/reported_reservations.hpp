// Reservations as a reporting file tells of them (spec/reservations.md section 13.2): who had which nodes,
// for how long, and how long jobs were there.
//
// Only what has ended is known: the nodes stand in the file once they are given back.
#pragma once

#include "core/base/result.hpp"
#include "core/utilization/node_usage.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct ReportedReservation {
  ReservationId id;
  std::string owner;
  bool given_up = false; ///< it was canceled or deleted
  ReservedNodes reserved;
};

class ReportedReservations {
public:
  /// What lies in the window counts.
  explicit ReportedReservations(Window window) : window_(window) {}

  /// A line of a reporting file, or of an accounting file. What does not concern reservations is
  /// passed over; the error says why it is no such line.
  Outcome take(std::string_view line);

  /// By number. Those with nothing in the window are left out.
  std::vector<ReportedReservation> found() const;

private:
  using Fields = std::vector<std::string>;
  struct Facts {
    std::string owner;
    Window window;
    bool given_up = false;
  };

  Outcome take_record(const std::string& kind, const Fields& fields);
  Outcome take_job(const std::string& line);

  Window window_;
  std::map<ReservationId, Facts> facts_;
  std::vector<OccupiedSpan> reserved_, used_;
};

} // namespace almanac
