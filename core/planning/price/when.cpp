#include "core/planning/price/when.hpp"

#include "core/matching/earliest.hpp"
#include "core/matching/suitability.hpp"
#include "core/planning/acting.hpp"
#include "core/planning/wanted_job.hpp"
#include "core/policy/standing.hpp"

#include <utility>
#include <vector>

namespace almanac {

namespace {

Planner planner_of(const RecordSet& records) {
  auto planner = Planner::restore(records);
  check(planner.ok(), "records of a planner make a planner");
  return std::move(*planner);
}

} // namespace

StartForecast::StartForecast(const RecordSet& records, const AskWhen& asked, Instant now)
    : forecast_(planner_of(records), now), begin_(now) {
  grant_what_is_held();
  begin(asked);
}

void StartForecast::grant_what_is_held() {
  std::vector<std::pair<Caller, SettleReservation>> commits;
  for (const auto& reservation : forecast_.state().reservations())
    if (reservation.phase == ReservationPhase::proposed &&
        !reservation.proposed.front().awaits_site())
      commits.emplace_back(requester(reservation), SettleReservation{"", reservation.number, true});
  for (const auto& [who, commit] : commits) (void)forecast_.carry_out(who, commit);
}

void StartForecast::begin(const AskWhen& asked) {
  const auto& state = forecast_.state();
  // No JSV is asked about it, as it is not submitted.
  const Submit command{asked.query.request, "", 0, state.configuration().global().jsv_url};
  if (auto why = host_obstacle(state.configuration(), asked.caller, command)) {
    refusal_ = Answer::refusal(*why);
    return;
  }
  const auto user = rules::acting_for(state.configuration(), asked.caller, asked.query.whom);
  if (!user) {
    refusal_ = user.error();
    return;
  }
  const auto wanted = rules::wanted_job(state, *user, command, begin_);
  if (!wanted) {
    refusal_ = wanted.error();
    return;
  }
  if (!suitable(state, wanted->demand, wanted->request, begin_).assignment) {
    refusal_ = Answer::refusal({AnswerCode::fits_never, {}});
    return;
  }
  auto submitted = forecast_.carry_out(*user, command);
  if (submitted.exit_code != 0) {
    refusal_ = std::move(submitted);
    return;
  }
  const auto* job = state.job_by_number({submitted.number});
  check(job != nullptr, "a job that was submitted is there");
  task_ = {job->key, 0};
  forecast_.begin();
}

std::optional<Instant> StartForecast::start() const {
  const auto found = forecast_.starts().find(task_);
  if (found == forecast_.starts().end()) return std::nullopt;
  return found->second;
}

bool StartForecast::look() {
  if (refusal_ || start()) return false;
  const auto next = forecast_.next();
  if (next.is_never() || next > begin_ + horizon) return false;
  forecast_.go_on();
  return !start();
}

// Where jobs without a limit are in the way, nothing ends any more: as for a hold, they are taken
// to end after default_duration.
Answer StartForecast::answer() const {
  if (refusal_) return *refusal_;
  Answer answer;
  if (const auto at = start()) {
    answer.say({AnswerCode::would_start_at, {{"at", *at}}});
    return answer;
  }
  const auto& state = forecast_.state();
  const auto* job = state.job(task_.job);
  const auto wanted = job ? make_class_request(state, *job)
                          : Result<ClassRequest, Statement>(Statement{AnswerCode::said, {}});
  if (forecast_.next().is_never() && wanted)
    if (const auto place = place_earliest(state, *wanted, forecast_.now() + Duration{1})) {
      answer.say({AnswerCode::would_start_at, {{"at", place->window.start}}});
      return answer;
    }
  answer.say({AnswerCode::would_start_later_than, {{"at", forecast_.now()}}});
  return answer;
}

} // namespace almanac
