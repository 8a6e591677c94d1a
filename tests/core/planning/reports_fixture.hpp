// What the reporting file is told, line by line.
#pragma once

#include "core/reservation/reporting_line.hpp"
#include "planner_fixture.hpp"

#include <utility>

namespace almanac {

using Lines = std::vector<std::string>;

class ReportsFixture : public PlannerFixture {
public:
  /// Whether the test looks at records of this kind.
  virtual bool is_looked_at(ReportKind kind) const = 0;

  Decisions handle(const Input& input) override {
    auto decisions = PlannerFixture::handle(input);
    for (const auto& effect : decisions.effects)
      if (const auto* record = std::get_if<ReportingRecord>(&effect)) {
        EXPECT_EQ(record->sequence, ++last) << "none is missing, none is there twice";
        if (is_looked_at(record->kind)) lines.push_back(reporting_line(*record));
      }
    return decisions;
  }
  /// What has come since the last call.
  Lines told() { return std::exchange(lines, {}); }

  void report(const std::string& params) { global({{"reporting_params", params}}); }
  void restart() {
    auto restored = Planner::restore(planner.state().records().copy());
    ASSERT_TRUE(restored.ok());
    planner = std::move(*restored);
    tell(Restarted{}), pass();
  }

  std::int64_t last = 0;
  Lines lines;
};

} // namespace almanac
