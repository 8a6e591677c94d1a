// A cell of a property that is watched as a live master watches what it decides.
#pragma once

#include "core/monitor/monitor.hpp"
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

#include <memory>
#include <string>

namespace almanac {

template <class Fixture> class WatchedCell : public Fixture {
  void TestBody() override {}

public:
  /// From now on.
  void watch() {
    records_ = std::make_unique<Records>();
    RC_ASSERT(records_->restore(this->planner.state().records().copy()).ok());
    monitor_ = std::make_unique<Monitor>(*records_);
    monitor_->rebuild(*records_);
    records_->follow(*monitor_);
  }
  Decisions handle(const Input& input) override {
    auto decisions = Fixture::handle(input);
    if (!monitor_) return decisions;
    records_->apply(decisions.effects);
    monitor_->settle();
    return decisions;
  }
  /// What does not hold any more; "": all holds.
  std::string broken() const { return monitor_->violation() ? monitor_->violation()->text() : ""; }

private:
  std::unique_ptr<Records> records_;
  std::unique_ptr<Monitor> monitor_;
};

} // namespace almanac
