// Four hosts, h1 to h4 of four slots each, and reservations on them.
#pragma once

#include "planner_fixture.hpp"

namespace almanac {

class FourHostsFixture : public PlannerFixture {
public:
  void SetUp() override { hosts(4, 4); }

  std::string spares(std::int64_t number) const {
    return text_of(reservation(number).shape.spares);
  }
  /// Time goes on, and each reservation looks at the clock.
  void later(std::int64_t seconds) {
    now = now + Duration{seconds};
    for (const auto& [key, one] : Table<Reservation>(planner.state().records().all<Reservation>()))
      tell(ReservationDue{key});
    pass();
  }
};

} // namespace almanac
