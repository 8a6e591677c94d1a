#include "core/policy/priority.hpp"

#include "core/base/wide.hpp"
#include "core/configuration/configuration.hpp"
#include "core/text/pattern.hpp"

#include <algorithm>

namespace almanac {

namespace {

std::int64_t weighted(std::int64_t weight, std::int64_t normal) {
  return clamped(static_cast<Wide>(weight) * normal / fixed_point::unit);
}

// What is asked for, in units of the complex: a DOUBLE counts with its fraction.
Wide units(const Complex& complex, std::int64_t amount) {
  return complex.type == ValueType::decimal ? Wide(amount) : Wide(amount) * fixed_point::unit;
}

} // namespace

std::int64_t Urgency::sum() const {
  return clamped(Wide(resources) + Wide(waiting) + Wide(deadline));
}

std::int64_t assumed_slots(const Configuration& configuration, const JobRequest& request) {
  if (request.slots.empty()) return 1;
  const auto low = lowest(request.slots), high = highest(request.slots);
  if (low == high) return low;
  for (const auto& [name, pe] : configuration.parallel_environments()) {
    if (!matches_expression(request.pe, name)) continue;
    const auto top = high >= most_slots ? pe.slots : high;
    switch (pe.urgency_slots) {
    case UrgencySlots::least: return low;
    case UrgencySlots::most: return top;
    case UrgencySlots::fixed: return pe.fixed_urgency_slots;
    case UrgencySlots::average: {
      Wide sum = 0, count = 0;
      for (const auto& range : request.slots) {
        const auto last = std::min(range.high, top);
        if (last < range.low) continue;
        sum += Wide(range.low + last) * (last - range.low + 1) / 2;
        count += last - range.low + 1;
      }
      return count == 0 ? low : clamped(sum / count);
    }
    }
  }
  return low;
}

namespace {

// An amount of a complex for each of these slots.
std::int64_t urgency_of_amount(const Complex& complex, std::int64_t slots, Wide asked) {
  if (complex.urgency == 0) return 0;
  return clamped(Wide(clamped(Wide(complex.urgency) * slots)) * asked / fixed_point::unit);
}

std::int64_t urgency_of_request(const Complex& complex, std::int64_t slots,
                                const std::string& value) {
  if (complex.urgency == 0) return 0;
  if (complex.is_text()) return complex.urgency;
  const auto amount = complex.amount(value);
  return amount ? urgency_of_amount(complex, slots, units(complex, *amount)) : 0;
}

} // namespace

std::int64_t resource_urgency(const Configuration& configuration, const JobRequest& request,
                              const Attribute& asked) {
  const auto* complex = configuration.complexes().find(asked.name);
  return complex ? urgency_of_request(*complex, assumed_slots(configuration, request), asked.value)
                 : 0;
}

std::int64_t resource_urgency(const Configuration& configuration, const JobRequest& request) {
  const auto& complexes = configuration.complexes();
  const auto slots = assumed_slots(configuration, request);
  Wide sum = 0;
  if (const auto* complex = complexes.find("slots"))
    sum = urgency_of_amount(*complex, slots, fixed_point::unit);
  for (const auto& [name, value] : request.resources)
    if (const auto* complex = complexes.find(name))
      sum = clamped(sum + urgency_of_request(*complex, slots, value));
  return clamped(sum);
}

Urgency urgency_of(const Configuration& configuration, const Job& job, Instant now) {
  const auto& scheduler = configuration.scheduler();
  Urgency urgency;
  urgency.resources = resource_urgency(configuration, job.request);
  urgency.waiting = clamped(Wide(scheduler.weight_waiting_time) *
                            std::max<std::int64_t>(0, (now - job.submitted).seconds));
  if (job.request->deadline.seconds > 0) {
    const auto left = (job.request->deadline - now).seconds;
    urgency.deadline = left <= 0 ? scheduler.weight_deadline
                                 : scheduler.weight_deadline / std::max<std::int64_t>(left, 1);
  }
  return urgency;
}

void UrgencyRange::include(std::int64_t urgency) {
  lowest_ = any_ ? std::min(lowest_, urgency) : urgency;
  highest_ = any_ ? std::max(highest_, urgency) : urgency;
  any_ = true;
}

std::int64_t UrgencyRange::normal(std::int64_t urgency) const {
  if (!any_ || lowest_ == highest_) return fixed_point::unit / 2;
  const auto inside = std::clamp(urgency, lowest_, highest_);
  return clamped((Wide(inside) - lowest_) * fixed_point::unit / (Wide(highest_) - lowest_));
}

Priority priority_of(const Configuration& configuration, const Job& job, const PriorityScale& scale,
                     Instant now) {
  const auto& scheduler = configuration.scheduler();
  Priority priority;
  priority.urgency = urgency_of(configuration, job, now);
  priority.posix = (job.request->priority + 1024) * fixed_point::unit / 2048;
  priority.normal_urgency = scale.urgencies.normal(priority.urgency.sum());
  if (scale.tickets) priority.tickets = scale.tickets->of(Party::of(job));
  priority.normal_tickets =
      scale.tickets ? scale.tickets->normal(priority.tickets.sum()) : fixed_point::unit / 2;
  priority.value = weighted(scheduler.weight_priority, priority.posix) +
                   weighted(scheduler.weight_urgency, priority.normal_urgency) +
                   weighted(scheduler.weight_ticket, priority.normal_tickets);
  return priority;
}

} // namespace almanac
