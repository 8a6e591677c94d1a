#include "actors/master/quota_views.hpp"

#include "core/matching/instance_obstacles.hpp"
#include "core/policy/quota_plans.hpp"
#include "core/policy/quota_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace almanac {

namespace {

constexpr std::size_t rows_in_a_frame = 400;
constexpr std::size_t most_planned = 50; // steps and holders of a counter

door::QuotaFilterView view_of(QuotaFilter filter, const QuotaScope& scope,
                              const std::string& member) {
  if (!member.empty()) return {filter, {member}, {}};
  return {filter, scope.included, scope.excluded};
}

door::QuotaView view_of(QuotaRow& row) {
  door::QuotaView view;
  view.rule = std::move(row.label);
  for (std::size_t filter = 0; filter < quota_filters; ++filter)
    if (const auto& scope = row.rule->scopes.at(filter); scope.given)
      view.filters.push_back(
          view_of(static_cast<QuotaFilter>(filter), scope, row.member.at(filter)));
  view.resource = std::move(row.resource), view.limit = std::move(row.limit);
  view.is_counted = row.is_counted, view.used = std::move(row.used);
  view.asked = std::move(row.asked), view.left = std::move(row.left);
  view.is_per_slot = row.is_per_slot, view.fits = row.fits;
  view.is_per_host = row.is_per_host, view.held = std::move(row.held);
  return view;
}

void add_plan(door::QuotaView& view, QuotaPlan& plan) {
  for (auto& [at, amount] : plan.steps) view.steps.push_back({at, std::move(amount)});
  for (auto& [job, task, amount, window] : plan.holders)
    view.holders.push_back({job, task, std::move(amount), window});
  view.more_steps = plan.more_steps, view.more_holders = plan.more_holders;
}

std::size_t size_of(const door::QuotaView& view) {
  constexpr std::size_t of_text = 24;
  std::size_t size = 10 * of_text;
  for (const auto& filter : view.filters)
    for (const auto* words : {&filter.included, &filter.excluded})
      for (const auto& word : *words) size += of_text + word.size();
  return size + (view.steps.size() + view.holders.size()) * 3 * of_text;
}

// What is sent of a row is made when its turn comes: a rule may list thousands of hosts, and many
// rows are of one rule.
class QuotaFrames : public AnswerFrames {
public:
  QuotaFrames(std::vector<QuotaRow> rows, std::vector<QuotaPlan> plans)
      : rows_(std::move(rows)), plans_(std::move(plans)) {}

  std::optional<door::ReplyBody> next() override {
    if (std::exchange(begun_, true) && at_ == rows_.size()) return std::nullopt;
    constexpr auto enough = door::largest_frame / 2;
    door::Quotas frame;
    for (std::size_t size = 0;
         at_ < rows_.size() && frame.rows.size() < rows_in_a_frame && size < enough; ++at_) {
      frame.rows.push_back(view_of(rows_[at_]));
      if (at_ < plans_.size()) add_plan(frame.rows.back(), plans_[at_]);
      size += size_of(frame.rows.back());
    }
    return frame;
  }

private:
  std::vector<QuotaRow> rows_;
  std::vector<QuotaPlan> plans_; ///< of each row, or none at all
  std::size_t at_ = 0;
  bool begun_ = false;
};

const Job* find_job(const Records& records, JobNumber number) {
  const auto& jobs = records.all<Job>();
  const auto found = std::find_if(
      jobs.begin(), jobs.end(), [&](const auto& entry) { return entry.second->number == number; });
  return found == jobs.end() ? nullptr : found->second.get();
}

// Where the job asks to be, apart from load, use and trouble.
std::function<bool(const QueueInstance&)> asked_places(const Records& records, const Job& job) {
  const auto& configuration = records.configuration();
  auto demand = demand_of_job(configuration, *job.request, job.owner);
  if (!demand) return [](const QueueInstance&) { return true; };
  return [&, demand = std::move(*demand)](const QueueInstance& instance) {
    const auto* host = records.find<HostState>(instance.name.host);
    return (demand.queues.empty() || is_among(configuration, demand.queues, instance)) &&
           lets_users_in(configuration, instance, demand) &&
           lets_project_in(configuration, instance, demand) &&
           unmet_value(configuration, host ? host->facts : HostFacts(), instance, demand).empty();
  };
}

} // namespace

std::shared_ptr<AnswerFrames> answer_quotas(const Records& records, const QuotaCounters& counters,
                                            const Caller& caller, const door::GetQuotas& query,
                                            Instant now) {
  if (query.job) {
    const auto* job = find_job(records, query.job);
    if (!job)
      return ready_frames({Answer::refusal(
          Statement{AnswerCode::no_such_job_here, {{"job", to_string(query.job)}}})});
    return std::make_shared<QuotaFrames>(
        quota_rows_met(records, counters, *job, asked_places(records, *job), now),
        std::vector<QuotaPlan>());
  }
  auto selection = query.selection;
  if (selection.users.empty()) selection.users = {caller.user};
  auto rows = quota_rows(records, counters, caller, selection, now);
  auto plans = query.plan ? quota_plans(records, counters, rows, now, most_planned)
                          : std::vector<QuotaPlan>();
  return std::make_shared<QuotaFrames>(std::move(rows), std::move(plans));
}

} // namespace almanac
