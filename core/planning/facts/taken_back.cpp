#include "core/planning/facts/taken_back.hpp"

#include "core/planning/facts/replacement.hpp"

#include <algorithm>
#include <utility>

namespace almanac::rules {

namespace {

std::int64_t slots_on(const std::vector<Grant>& grants, const InstanceName& instance) {
  const auto it = std::find_if(grants.begin(), grants.end(),
                               [&](const Grant& grant) { return grant.instance == instance; });
  return it == grants.end() ? 0 : it->slots;
}

std::vector<Grant> missing_on(const std::string& host, const Reservation& reservation) {
  std::vector<Grant> missing;
  for (const auto& grant : reservation.original) {
    const auto slots = grant.slots - slots_on(reservation.shape.grants, grant.instance);
    if (slots > 0 && grant.instance.host == host) missing.push_back({grant.instance, slots});
  }
  return missing;
}

} // namespace

std::vector<Grant> taken_back_on(const std::string& host, const Reservation& reservation,
                                 const std::function<bool(const InstanceName&)>& is_occupied) {
  const auto& original = reservation.original;
  const auto back = missing_on(host, reservation);
  if (back.empty()) return {};
  auto next = reservation.shape.grants;
  auto missing = slots_of(back);
  for (auto grant = next.rbegin(); grant != next.rend() && missing > 0; ++grant) {
    if (is_occupied(grant->instance)) continue;
    const auto others = grant->slots - slots_on(original, grant->instance);
    const auto slots = std::clamp<std::int64_t>(others, 0, missing);
    grant->slots -= slots, missing -= slots;
  }
  if (missing > 0) return {};
  const bool keeps_master = next.front().slots > 0;
  std::erase_if(next, [](const Grant& grant) { return grant.slots == 0; });
  if (keeps_master) return merged(std::move(next), back);
  if (back.front().instance != original.front().instance) return {};
  return merged(back, next);
}

} // namespace almanac::rules
