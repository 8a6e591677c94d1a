#include "actors/master/usage_frames.hpp"

#include "core/job/job.hpp"
#include "core/job/task.hpp"
#include "core/reservation/reservation.hpp"
#include "core/text/numbers.hpp"
#include "core/utilization/usage_span.hpp"
#include "schema/codec.hpp"
#include "schema/store/spans.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace almanac {

namespace {

using store::Family;

// First what is kept of the past and goes on, then the tasks that run.
class UsageFrames : public AnswerFrames {
public:
  UsageFrames(std::shared_ptr<const Archive> snapshot, door::GetUsage query, Instant now)
      : archive_(std::move(snapshot)), query_(std::move(query)), now_(now) {
    const auto since =
        parse_number(archive_->get(Family::meta, store::usage_since_key).value_or("0"));
    during_.start = std::max(query_.from, Instant{since ? *since : 0});
    during_.end = query_.to.seconds > 0 ? std::min(query_.to, now_) : now_;
    during_.end = std::max(during_.end, during_.start);
    from_ = store::key_of_spans_after(during_.start);
  }

  std::optional<door::ReplyBody> next() override {
    if (is_over_) return std::nullopt;
    if (read_ > most_spans) {
      is_over_ = true;
      return Answer::refusal("more than " + std::to_string(most_spans) +
                             " runs of tasks and changes lie in that time: ask for less of it");
    }
    if (!tasks_follow_) tasks_follow_ = read_past();
    else if (read_tasks()) {
      is_over_ = true;
      return report();
    }
    return door::UsageReport{};
  }

private:
  // Whether there is no more to be read; `take` says of each row what it is.
  template <class Take> bool read(Family family, Take take) {
    std::size_t looked_at = 0;
    bool ends = true;
    archive_->scan_from(family, from_, [&](std::string_view key, std::string_view value) {
      if (looked_at++ == most_spans_in_a_frame) {
        from_ = key, ends = false;
        return false;
      }
      take(value);
      return true;
    });
    return ends;
  }

  bool read_past() {
    const bool ends = read(Family::usage, [this](std::string_view value) {
      if (const auto span = decode<UsageSpan>(value)) take(*span);
    });
    if (ends) from_.clear();
    return ends;
  }
  bool read_tasks() {
    return read(Family::tasks, [this](std::string_view value) {
      const auto task = decode<Task>(value);
      if (!task || task->state != TaskState::running || task->started >= now_) return;
      for (const auto& grant : task->grants)
        use({grant.instance, {task->started, now_}, grant.slots}, reservation_of(*task));
    });
  }

  void take(const UsageSpan& span) {
    if (!span.during.overlaps(during_)) return;
    const SlotSpan slots{
        span.instance, {span.during.start, std::min(span.during.end, now_)}, span.slots};
    switch (span.of) {
    case SpanOf::instance: ++read_, spans_.configured.push_back({slots, span.availability}); break;
    case SpanOf::reservation:
      ++read_, spans_.reserved.push_back({slots, span.reservation});
      payers_[span.reservation] = {span.owner, span.project, span.account}; // the latest
      if (span.given_up) given_up_.insert(span.reservation);
      break;
    case SpanOf::task: use(slots, span.reservation); break;
    case SpanOf::gap:
      ++read_, spans_.gaps.push_back({slots, span.reservation});
      payers_.try_emplace(span.reservation, Payer{span.owner, span.project, span.account});
    }
  }
  void use(SlotSpan slots, const ReservationId& reservation) {
    if (slots.during.overlaps(during_))
      ++read_, spans_.used.push_back({std::move(slots), reservation});
  }

  // Of a job that is there.
  ReservationId reservation_of(const Task& task) {
    if (task.attracted_by) return id_of(task.attracted_by);
    const auto known = of_jobs_.find(task.job);
    if (known != of_jobs_.end()) return known->second;
    const auto job = decoded<Job>(Family::jobs, store::stored_key(task.job));
    return of_jobs_[task.job] = job ? id_of(job->reservation_key) : ReservationId();
  }
  ReservationId id_of(ReservationKey key) const {
    if (!key) return {};
    const auto reservation = decoded<Reservation>(Family::reservations, store::stored_key(key));
    return reservation ? ReservationId{reservation->number, reservation->submitted}
                       : ReservationId();
  }
  template <class R> std::optional<R> decoded(Family family, const std::string& key) const {
    auto record = decode<R>(archive_->get(family, key).value_or(""));
    return record ? std::optional(std::move(*record)) : std::nullopt;
  }

  door::UsageReport report() const {
    const auto usage = usage_of(spans_, during_);
    std::map<ReservationId, ReservedNodes> nodes;
    if (query_.nodes) nodes = node_usage_of(spans_.reserved, spans_.used, during_);
    const std::set<std::int64_t> wanted(query_.reservations.begin(), query_.reservations.end());
    door::UsageReport report{during_, usage.cell, {}};
    for (const auto& [id, own] : usage.reservations) {
      if (!wanted.empty() && !wanted.contains(id.number.value)) continue;
      const auto payer = payers_.find(id);
      const auto& [owner, project, account] = payer == payers_.end() ? Payer() : payer->second;
      auto& reserved = nodes[id];
      report.reservations.push_back({id.number, id.submitted, owner, project, account, own,
                                     given_up_.contains(id), reserved.reserved_for,
                                     std::move(reserved.nodes)});
    }
    return report;
  }

  struct Payer {
    std::string owner, project, account;
  };

  std::shared_ptr<const Archive> archive_;
  door::GetUsage query_;
  Instant now_;
  Window during_;
  std::string from_; ///< the next key
  UsageSpans spans_;
  std::map<ReservationId, Payer> payers_;
  std::set<ReservationId> given_up_;
  std::map<JobKey, ReservationId> of_jobs_;
  std::size_t read_ = 0;
  bool tasks_follow_ = false, is_over_ = false;
};

} // namespace

std::shared_ptr<AnswerFrames> usage_frames(std::shared_ptr<const Archive> snapshot,
                                           door::GetUsage query, Instant now) {
  return std::make_shared<UsageFrames>(std::move(snapshot), std::move(query), now);
}

} // namespace almanac
