// One attempt to run one task: what agents, facts and orders call it by.
#pragma once

#include "core/base/describe.hpp"

#include <compare>
#include <cstdint>

namespace almanac {

struct Attempt {
  JobKey job;
  std::int64_t task = 0;
  std::int64_t attempt = 0;
  TaskId id() const { return {job, task}; }
  auto operator<=>(const Attempt&) const = default;
};
template <class V> void describe(V& visit, Attempt& a) {
  visit("job", a.job);
  visit("task", a.task);
  visit("attempt", a.attempt);
}

} // namespace almanac
