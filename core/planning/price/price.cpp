#include "core/planning/price/price.hpp"

#include "core/planning/questions/change_preview.hpp"

#include <algorithm>

namespace almanac {

namespace {

Planner planner_of(const RecordSet& records) {
  auto planner = Planner::restore(records);
  check(planner.ok(), "records of a planner make a planner");
  return std::move(*planner);
}

bool has_equal_windows(const std::vector<Hold>& a, const std::vector<Hold>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Hold& one, const Hold& other) { return one.window == other.window; });
}

std::vector<JobNumber> moved_holds(const State& without, const State& with) {
  std::vector<JobNumber> moved;
  for (const auto key : without.occupancy().jobs_with_holds.keys()) {
    const auto* before = without.job(key);
    const auto* after = with.job(key);
    if (!after || !has_equal_windows(before->holds, after->holds)) moved.push_back(before->number);
  }
  return moved;
}

std::int64_t overlap(Window a, Window b) {
  return std::max<std::int64_t>(0, std::min(a.end, b.end).seconds -
                                       std::max(a.start, b.start).seconds);
}

ReservationKey key_of(const RecordSet& records, ReservationNumber number) {
  for (const auto& reservation : records.reservations)
    if (reservation.number == number && !reservation.is_over()) return reservation.key;
  return {};
}

std::int64_t charge_of(const Shape& shape) {
  return shape.slots_with_spares() * shape.window.length().seconds;
}

} // namespace

Pricing::Pricing(const RecordSet& records, ReservationKey own, Instant now)
    : without_(planner_of(records), now, own),
      with_(planner_of(records), now, own),
      begin_(now),
      now_(now) {}

Pricing::Pricing(const RecordSet& records, const Caller& caller, const Reserve& command,
                 Instant now)
    : Pricing(records, ReservationKey{}, now) {
  if (!command.recurrence.rule.empty()) {
    refusal_ = Answer::refusal({AnswerCode::no_price_of_series, {}});
    return;
  }
  begin(records, caller, command);
}

Pricing::Pricing(const RecordSet& records, const Caller& caller, const AlterReservation& command,
                 Instant now)
    : Pricing(records, key_of(records, command.number), now) {
  if (command.rest || without_.state().series(command.number)) {
    refusal_ = Answer::refusal({AnswerCode::no_price_of_series, {}});
    return;
  }
  preview_ = rules::preview(without_.state(), caller, command, now);
  if (const auto* was = without_.state().reservation_by_number(command.number)) old_ = was->shape;
  begin(records, caller, command);
}

void Pricing::begin(const RecordSet& records, const Caller& caller, const CommandBody& command) {
  auto answer = with_.carry_out(caller, command);
  if (answer.exit_code != 0) {
    refusal_ = std::move(answer);
    return;
  }
  grant_ = std::move(answer);
  reservation_ = *with_.state().reservation_by_number({grant_.number});
  for (const auto& job : records.jobs)
    waiting_[job.key] = {job.number, job.owner.user, job.request->name};
  end_ = std::max(begin_, reservation_.shape.window.end);
  if (end_.is_never()) end_ = begin_ + horizon;      // a maintenance until it is deleted
  if (old_) end_ = std::max(end_, old_->window.end); // until then the old one is in the way
  without_.begin(), with_.begin();
  moved_holds_ = moved_holds(without_.state(), with_.state());
}

void Pricing::add_slots(Instant until) {
  const auto missing = without_.used_slots() - with_.used_slots();
  const auto& reserved = reservation_.shape.window;
  idle_before_ += missing * overlap({now_, until}, {begin_, reserved.start});
  displaced_ += missing * overlap({now_, until}, reserved);
}

bool Pricing::look() {
  const auto next = std::min(without_.next(), with_.next());
  const bool is_over = next.is_never() || next > begin_ + horizon;
  const bool is_same = now_ >= end_ && without_.condition() == with_.condition();
  if (is_same || is_over) {
    if (is_over && now_ < end_) add_slots(end_);
    is_complete_ = true;
    return false;
  }
  // The end is a moment, too: from there on both plans may be the same.
  const auto until = now_ < end_ ? std::min(next, end_) : next;
  add_slots(until);
  now_ = until;
  if (without_.next() <= now_) without_.go_on();
  if (with_.next() <= now_) with_.go_on();
  return true;
}

MovedStart Pricing::moved(const TaskId& id) const {
  const auto& job = waiting_.at(id.job);
  const auto found = with_.starts().find(id);
  return {id,
          job.number,
          job.user,
          job.name,
          without_.starts().at(id),
          found == with_.starts().end() ? Instant::never() : found->second};
}

Price Pricing::price() const {
  Price price;
  price.is_complete = is_complete_;
  price.moved_holds = moved_holds_;
  price.idle_before = idle_before_, price.displaced = displaced_;
  price.charge = charge_of(reservation_.shape) - (old_ ? charge_of(*old_) : 0);
  std::vector<std::pair<Duration, TaskId>> delays;
  for (const auto& [id, without] : without_.starts()) {
    const auto found = with_.starts().find(id);
    if (found == with_.starts().end()) {
      ++price.not_started;
      delays.emplace_back(Duration::endless(), id);
      continue;
    }
    const auto difference = found->second - without;
    if (difference.seconds > 0) {
      ++price.later;
      price.later_sum = price.later_sum + difference;
      price.later_most = std::max(price.later_most, difference);
      delays.emplace_back(difference, id);
    } else if (difference.seconds < 0) {
      ++price.earlier;
      price.earlier_sum = price.earlier_sum - difference;
    }
  }
  const auto named = std::min(delays.size(), most_named);
  std::partial_sort(delays.begin(), delays.begin() + static_cast<std::ptrdiff_t>(named),
                    delays.end(), [](const auto& a, const auto& b) {
                      return std::pair(b.first, a.second) < std::pair(a.first, b.second);
                    });
  for (std::size_t i = 0; i < named; ++i) price.most_delayed.push_back(moved(delays[i].second));
  return price;
}

} // namespace almanac
