#include "core/policy/job_order.hpp"

#include "core/configuration/configuration.hpp"
#include "core/policy/priority.hpp"
#include "core/text/numbers.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace almanac {

namespace {

constexpr auto last = std::numeric_limits<std::int64_t>::max();

std::int64_t place_in(const OrderList& list, const std::string& name) {
  const auto it = list.find(name);
  return it == list.end() ? last : it->second;
}

// The best place of the host itself and of all domains that it lies in.
std::int64_t place_of_host(const OrderList& list, const std::string& host) {
  const auto name = lower(host);
  auto best = place_in(list, name);
  for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
    best = std::min(best, place_in(list, name.substr(dot + 1)));
  return best;
}

std::optional<ParallelEnvironment> environment_of(const Configuration& configuration,
                                                  const JobRequest& request) {
  if (!request.allocation_rule.empty())
    return allocation_pe(allocation_pe_name(request.allocation_rule));
  for (const auto& [name, environment] : configuration.parallel_environments())
    if (matches_expression(request.pe, name)) return environment;
  return std::nullopt;
}

// Nodes as far as the request says: a fixed number of slots a host says it, and so does one host for all
// of them. Round robin takes as many hosts as it can, fill up as few.
std::int64_t nodes_of(const Configuration& configuration, const JobRequest& request,
                      std::int64_t slots) {
  if (request.slots.empty()) return 1;
  auto environment = environment_of(configuration, request);
  if (!environment) return 1;
  if (!request.pe_rule.empty() && !environment->set_rule(request.pe_rule)) return 1;
  switch (environment->rule) {
  case AllocationRule::pe_slots:
  case AllocationRule::fill_up: return 1;
  case AllocationRule::round_robin: return slots;
  case AllocationRule::fixed: {
    const auto per_host = std::max<std::int64_t>(1, environment->per_host);
    return slots / per_host + (slots % per_host != 0);
  }
  }
  return 1;
}

// Endless is the largest number there is.
std::int64_t seconds_of(const JobRequest& request) { return asked_limit(request).seconds; }

} // namespace

// ---- queues -----------------------------------------------------------------------------------

QueueSequence::QueueSequence(const Configuration& configuration) {
  std::int64_t count = 0;
  for (const auto& [name, queue] : configuration.queues()) {
    const auto it = queue.values.find("seq_no");
    const auto seq_no =
        it == queue.values.end() ? Result<std::int64_t>(0) : parse_number(it->second.fallback);
    places_.emplace(name, Place{seq_no ? *seq_no : 0, count++});
  }
}

std::int64_t QueueSequence::seq_no(const std::string& queue) const {
  const auto it = places_.find(queue);
  return it == places_.end() ? last : it->second.seq_no;
}

std::int64_t QueueSequence::place_of_name(const std::string& queue) const {
  const auto it = places_.find(queue);
  return it == places_.end() ? last : it->second.of_name;
}

bool QueueSequence::comes_before(const std::string& a, const std::string& b) const {
  return std::pair(seq_no(a), place_of_name(a)) < std::pair(seq_no(b), place_of_name(b));
}

// ---- jobs -------------------------------------------------------------------------------------

JobOrder::JobOrder(const SortKeys& keys, const Configuration& configuration)
    : keys_(keys), configuration_(configuration), queues_(configuration) {
  const auto stage = std::find_if(keys.jobs.begin(), keys.jobs.end(), is_grouping);
  if (stage == keys.jobs.end()) {
    of_jobs_ = keys.jobs;
    return;
  }
  stage_ = *stage == JobSortKey::by_queue ? Stage::by_queue : Stage::round_robin;
  of_queues_.assign(keys.jobs.begin(), stage);
  of_jobs_.assign(std::next(stage), keys.jobs.end());
  counts_jobs_ = std::any_of(of_queues_.begin(), of_queues_.end(),
                             [](JobSortKey key) { return key != JobSortKey::queue_priority; });
}

bool JobOrder::knows_queues() const {
  return stage_ != Stage::none ||
         std::find(of_jobs_.begin(), of_jobs_.end(), JobSortKey::queue_priority) != of_jobs_.end();
}

void JobOrder::count(const Job& job, const std::string& queue) {
  Values values;
  for (const auto key : of_queues_) values.push_back(value_of(key, job, queue));
  auto& best = best_[queue];
  if (best.empty() || values < best) best = std::move(values);
}

std::int64_t JobOrder::value_of(JobSortKey key, const Job& job, const std::string& queue) const {
  const auto slots = [&] { return assumed_slots(configuration_, job.request); };
  const auto nodes = [&] { return nodes_of(configuration_, job.request, slots()); };
  switch (key) {
  case JobSortKey::job_priority: return -job.request->priority;
  case JobSortKey::submit_time: return job.submitted.seconds;
  case JobSortKey::least_cpus: return slots();
  case JobSortKey::most_cpus: return -slots();
  case JobSortKey::least_nodes: return nodes();
  case JobSortKey::most_nodes: return -nodes();
  case JobSortKey::least_time: return seconds_of(job.request);
  case JobSortKey::most_time: return -seconds_of(job.request);
  case JobSortKey::queue_priority: return queues_.seq_no(queue);
  case JobSortKey::owners_name: return place_in(keys_.owners, job.owner.user);
  case JobSortKey::owners_group: return place_in(keys_.groups, job.owner.group);
  case JobSortKey::owners_host: return place_of_host(keys_.hosts, job.owner.host);
  case JobSortKey::queue_round_robin:
  case JobSortKey::by_queue: return 0;
  }
  return 0;
}

JobOrder::Values JobOrder::place_of(const std::string& queue) const {
  Values values;
  if (const auto it = best_.find(queue); it != best_.end()) values = it->second;
  else
    for (const auto key : of_queues_)
      values.push_back(key == JobSortKey::queue_priority ? queues_.seq_no(queue) : last);
  if (queue.empty()) std::fill(values.begin(), values.end(), last);
  values.push_back(queues_.place_of_name(queue));
  return values;
}

JobRank JobOrder::rank_of(const Job& job, const std::string& queue) const {
  Values values;
  if (stage_ == Stage::by_queue) values = place_of(queue);
  for (const auto key : of_jobs_) values.push_back(value_of(key, job, queue));
  values.push_back(job.submitted.seconds);
  JobRank rank{values.front(), {}};
  rank.rest.assign(std::next(values.begin()), values.end());
  return rank;
}

std::map<std::string, std::int64_t> JobOrder::turns() const {
  std::vector<std::pair<Values, std::string>> order;
  for (const auto& [name, queue] : configuration_.queues())
    order.emplace_back(place_of(name), name);
  std::sort(order.begin(), order.end());
  std::map<std::string, std::int64_t> turns;
  for (const auto& [place, name] : order)
    turns.emplace(name, static_cast<std::int64_t>(turns.size()));
  return turns;
}

} // namespace almanac
