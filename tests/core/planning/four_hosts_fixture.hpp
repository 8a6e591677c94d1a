// Four hosts, h1 to h4 of four slots each, and where reservations lie on them.
#pragma once

#include "planner_fixture.hpp"

namespace almanac {

class FourHostsFixture : public PlannerFixture {
public:
  void SetUp() override { hosts(4, 4); }

  const Reservation& ar(std::int64_t number) const {
    return *planner.state().reservation_by_number({number});
  }
  /// "h1=4 h2=2"
  static std::string text_of(const std::vector<Grant>& grants) {
    std::string text;
    for (const auto& grant : grants)
      text += (text.empty() ? "" : " ") + grant.instance.host + "=" + std::to_string(grant.slots);
    return text;
  }
  std::string places(std::int64_t number) const { return text_of(ar(number).shape.grants); }
  std::string spares(std::int64_t number) const { return text_of(ar(number).shape.spares); }
};

} // namespace almanac
