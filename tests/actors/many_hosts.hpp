// A planner with so many hosts that it takes some slices to say why job 1 waits.
#pragma once

#include "core/planning/planner.hpp"

#include <string>
#include <utility>

namespace almanac {

inline Planner planner_of_many_hosts() {
  auto planner = *Planner::restore(Planner::initial_records("root", "master"));
  planner.set_checking(false);
  const auto decide = [&](CommandBody body) {
    auto valid = validated(Command{{"root", "root", 0, 0, "master"}, std::move(body)});
    planner.handle(std::get<Valid<Command>>(valid), {1});
  };
  for (int i = 0; i < 200; ++i) decide(AddHost{"h" + std::to_string(i), 1});
  JobRequest job;
  job.name = "waits";
  decide(Submit{job, ""});
  return planner;
}

} // namespace almanac
