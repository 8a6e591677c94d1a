#include "core/planning/placement.hpp"
#include "core/planning/rules.hpp"
#include "core/text/values.hpp"

namespace almanac::rules {

namespace {

// Why no place of the cluster will do, those included that never will.
std::vector<std::string> missing(const State& state, const Job& job, Instant now) {
  Reasons reasons;
  auto wish = make_wish(state, job);
  if (!wish) return {wish.what()};
  if (job.reservation_key == 0)
    for (const auto& instance : state.configuration.instances())
      if (!instance.orphaned)
        if (auto reason = static_obstacle(state, instance, wish->demand)) reasons.add(*reason);
  if (place_now(state, job, *wish, nullptr, now, reasons))
    return {"fits now and starts with the next pass"};
  return reasons.list();
}

std::string held_text(const Hold& hold, Instant now) {
  std::string places;
  for (const auto& grant : hold.grants)
    places += (places.empty() ? "" : ", ") + std::to_string(grant.slots) +
              (grant.slots == 1 ? " slot on " : " slots on ") + grant.instance;
  return "held for it in " + print_duration(hold.window.start - now) + ": " + places +
         (hold.cause.empty() ? "" : "; later than before, because " + hold.cause);
}

} // namespace

std::vector<std::string> explain(const State& state, const Job& job, Instant now) {
  if (auto reason = obstacle(state, job, now); !reason.empty()) return {reason};
  if (state.counters().passes_off)
    return {"nothing is started: the master has crashed three times within five minutes; once the "
            "cause is found, stop it and start it again"};
  auto reasons = missing(state, job, now);
  for (const auto& hold : job.holds) reasons.push_back(held_text(hold, now));
  return reasons;
}

} // namespace almanac::rules
