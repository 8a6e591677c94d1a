#include "core/records/standing_series.hpp"

#include "core/records/records.hpp"

namespace almanac {

void StandingSeries::rebuild(const Records& records) {
  *this = {};
  for (const auto& one : Listing<Reservation>(records.all<Reservation>())) changed(nullptr, &one);
  for (const auto& one : Listing<Series>(records.all<Series>())) changed(nullptr, &one);
}

void StandingSeries::changed(const Reservation* before, const Reservation* after) {
  const auto counts = [](const Reservation* one) {
    return one && one->series && one->is_granted();
  };
  if (counts(before)) {
    const auto of = occurrences_.find(before->series);
    of->second.erase(before->key);
    if (of->second.empty()) occurrences_.erase(of);
  }
  if (counts(after)) occurrences_[after->series].insert(after->key);
  const auto has_jobs = [](const Reservation* one) {
    return one && one->series && one->is_over() && one->phase != ReservationPhase::expired;
  };
  if (has_jobs(after)) ending_.insert(after->key);
  else if (has_jobs(before)) ending_.erase(before->key);
}

void StandingSeries::mean(const Series* series, bool stands) {
  if (!series) return;
  auto names = series->origins;
  names.push_back(series->number);
  for (const auto name : names) {
    auto& meant = meant_by_[name];
    if (stands) meant.insert(series->number);
    else meant.erase(series->number);
    if (meant.empty()) meant_by_.erase(name);
  }
}

void StandingSeries::changed(const Series* before, const Series* after) {
  mean(before, false), mean(after, true);
  if (before) {
    due_.erase({before->due, before->number});
    orders_.erase(before->number);
    conflicting_.erase({before->order, before->number});
  }
  if (!after) return;
  due_.emplace(after->due, after->number);
  orders_.emplace(after->number, after->order);
  if (!after->conflicts.empty()) conflicting_.emplace(after->order, after->number);
}

const std::set<ReservationKey>& StandingSeries::occurrences(ReservationNumber series) const {
  static const std::set<ReservationKey> none;
  const auto it = occurrences_.find(series);
  return it == occurrences_.end() ? none : it->second;
}

const std::set<ReservationNumber>& StandingSeries::meant_by(ReservationNumber series) const {
  static const std::set<ReservationNumber> none;
  const auto it = meant_by_.find(series);
  return it == meant_by_.end() ? none : it->second;
}

std::vector<ReservationNumber> StandingSeries::due(Instant now) const {
  std::set<std::pair<std::int64_t, ReservationNumber>> ordered;
  for (const auto& [at, number] : due_) {
    if (at > now) break;
    ordered.emplace(orders_.at(number), number);
  }
  std::vector<ReservationNumber> numbers;
  for (const auto& [order, number] : ordered) numbers.push_back(number);
  return numbers;
}

std::vector<ReservationNumber> StandingSeries::with_conflicts() const {
  std::vector<ReservationNumber> numbers;
  for (const auto& [order, number] : conflicting_) numbers.push_back(number);
  return numbers;
}

} // namespace almanac
