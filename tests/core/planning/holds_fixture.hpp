// Jobs that hold places, and when these begin.
#pragma once

#include "planner_fixture.hpp"

namespace almanac {

class HoldsFixture : public PlannerFixture {
public:
  void licenses(std::int64_t count) {
    auto table = *planner.state().configuration().find(ObjectKind::complex, "");
    table.set("license", "lic INT <= YES YES 0 0");
    change(table);
    change({ObjectKind::exec_host,
            "global",
            {{"complex_values", "license=" + std::to_string(count)}}});
  }
  static JobRequest holding(const std::string& name, const std::string& limit,
                            const std::string& licenses = "") {
    auto request = job(name, limit);
    request.reserve = true;
    if (!licenses.empty()) request.resources.push_back({"license", licenses});
    return request;
  }
  static JobRequest on_slots(JobRequest request, const std::string& pe, std::int64_t slots) {
    request.pe = pe, request.slots = {{slots, slots}};
    return request;
  }
  /// Seconds from `now` to what is held for the job; -1 for nothing.
  std::int64_t held_in(std::int64_t number) const {
    const auto* found = find(number);
    return !found || found->holds.empty() ? -1 : (found->holds.front().window.start - now).seconds;
  }
  /// A job with priority that takes four of five licenses for 30 s, as in the seed's example.
  std::int64_t four_of_five_licenses(const std::string& params = "",
                                     const std::string& name = "L4") {
    hosts(1, 10);
    licenses(5);
    scheduler({{"max_reservation", "10"}});
    if (!params.empty()) scheduler({{"params", params}});
    auto first = holding(name, "30", "4");
    first.priority = 100;
    return submit(root, first);
  }
  std::string cause(std::int64_t number) const { return find(number)->holds.front().cause; }
};

} // namespace almanac
