#include "tools/simulator/replay/replay.hpp"

#include "core/planning/planner.hpp"

#include <map>
#include <queue>

namespace almanac {

namespace {

constexpr std::int64_t epoch = 1'000'000; // the planner's time at the trace's beginning

std::string policy_params(const std::string& policy) {
  if (policy == "fcfs") return "BACKFILL=none";
  if (policy == "easy-sjbf") return "BACKFILL=shortest";
  if (policy == "cons-scratch") return "HOLDS=fresh";
  return "BACKFILL=priority";
}

std::string most_holds(const std::string& policy) {
  if (policy == "fcfs") return "0";
  return policy.starts_with("easy") ? "1" : "9999999";
}

RecordSet cluster(const ReplaySettings& settings) {
  auto records = Planner::initial_records("root", "trace");
  std::string hosts;
  for (std::int64_t i = 0; i < settings.nodes; ++i) {
    const auto name = "n" + std::to_string(i);
    records.objects.push_back(template_of(ObjectKind::exec_host, name));
    HostState host;
    host.name = name, host.phase = HostPhase::up;
    records.hosts.push_back(host);
    hosts += name + " ";
  }
  for (auto& object : records.objects) {
    if (object.kind == ObjectKind::host_group) object.set("hostlist", hosts);
    if (object.kind == ObjectKind::cluster_queue)
      object.set("slots", std::to_string(settings.slots));
    if (object.kind == ObjectKind::global_configuration) object.set("max_aj_tasks", "0");
    if (object.kind != ObjectKind::scheduler_configuration) continue;
    object.set("params", "DURATION_OFFSET=0," + policy_params(settings.policy));
    object.set("max_reservation", most_holds(settings.policy));
    object.set("weight_urgency", "0");              // first come, first served
    object.set("schedule_interval", "1000000:0:0"); // nothing but events counts
    object.set("load_formula", "0");                // machines in the order of their names
  }
  return records;
}

class Replay {
public:
  Replay(const std::vector<TracedJob>& trace, const ReplaySettings& settings)
      : settings_(settings), planner_(*Planner::restore(cluster(settings))) {
    for (const auto& traced : trace) {
      if (traced.size > settings.nodes * settings.slots) continue;
      ReplayedJob job{traced, false, false, -1, -1};
      const auto nth = static_cast<std::int64_t>(jobs_.size()) + 1;
      job.reserved =
          nth * settings.reserved_percent / 100 != (nth - 1) * settings.reserved_percent / 100;
      jobs_.push_back(job);
    }
  }

  std::vector<ReplayedJob> run() {
    while (!next_time().is_never()) {
      now_ = std::max(now_, next_time());
      do {
        open_and_close();
        end_tasks();
        submit_due();
        pass();
      } while (!ends_.empty() && ends_.top().first <= now_);
    }
    return std::move(jobs_);
  }

private:
  Instant next_time() const {
    auto next = Instant::never();
    if (next_submission_ < jobs_.size()) next = {epoch + jobs_[next_submission_].traced.submit};
    if (!ends_.empty()) next = std::min(next, ends_.top().first);
    if (!openings_.empty()) next = std::min(next, openings_.begin()->first);
    return std::min(next, planner_.state().waiting().next_hold_start());
  }

  void handle(const ValidInput& input) {
    for (const auto& effect : planner_.handle(input, now_).effects)
      if (const auto* task = std::get_if<TaskPtr>(&effect)) note(**task);
  }

  Answer command(CommandBody body) {
    const auto asked = validated(Command{user_, std::move(body)});
    if (const auto* refusal = std::get_if<Answer>(&asked)) return *refusal;
    return *planner_.handle(std::get<0>(asked), now_).answer;
  }

  // A decision to start is carried out at once.
  void note(const Task& task) {
    if (task.state == TaskState::sent) started_.push_back({task.job, task.number, task.attempt});
  }

  void open_and_close() {
    while (!openings_.empty() && openings_.begin()->first <= now_) {
      const auto reservation = openings_.begin()->second;
      openings_.erase(openings_.begin());
      handle(ReservationDue{reservation});
    }
  }

  void end_tasks() {
    while (!ends_.empty() && ends_.top().first <= now_) {
      const auto attempt = ends_.top().second;
      ends_.pop();
      handle(TaskEnded{attempt, {}});
      places_.erase(attempt.job);
    }
  }

  void submit_due() {
    for (; next_submission_ < jobs_.size() &&
           epoch + jobs_[next_submission_].traced.submit <= now_.seconds;
         ++next_submission_)
      submit(next_submission_);
  }

  void submit(std::size_t place) {
    auto& job = jobs_[place];
    const auto limit = settings_.actual ? job.traced.run_time : job.traced.estimate;
    JobRequest request;
    request.name = "j";
    request.resources = {{"h_rt", std::to_string(limit)}};
    request.pe = "fill", request.slots = {{job.traced.size, job.traced.size}};
    request.reserve = settings_.policy != "fcfs";
    if (job.reserved) request.reservation = {reserve(job, limit)};
    if (job.refused) return;
    const auto answer = command(Submit{std::move(request), ""});
    check(answer.number > 0, "a job of a trace is accepted");
    places_[planner_.state().job_by_number({answer.number})->key] = place;
  }

  // The number of a reservation for the job; 0 and `refused` if there is no room.
  std::int64_t reserve(ReplayedJob& job, std::int64_t limit) {
    ReservationRequest request;
    request.start = now_ + Duration{settings_.lead};
    request.duration = {std::max<std::int64_t>(1, limit)}, request.has_duration = true;
    request.pe = "fill", request.slots = {{job.traced.size, job.traced.size}};
    const auto number = command(Reserve{request}).number;
    job.refused = number == 0;
    if (const auto* made = planner_.state().reservation_by_number({number})) {
      openings_.emplace(made->shape.window.start, made->key);
      openings_.emplace(made->shape.window.end, made->key);
    }
    return number;
  }

  void pass() {
    for (bool more = true; more;) {
      const auto decisions = planner_.handle(Pass{}, now_);
      more = decisions.pass_wanted;
      for (const auto& effect : decisions.effects)
        if (const auto* task = std::get_if<TaskPtr>(&effect)) note(**task);
    }
    for (const auto& attempt : started_) begin(attempt);
    started_.clear();
  }

  void begin(const Attempt& attempt) {
    auto& job = jobs_[places_.at(attempt.job)];
    const auto length =
        settings_.actual ? job.traced.run_time : std::min(job.traced.run_time, job.traced.estimate);
    job.start = now_.seconds - epoch;
    job.end = job.start + length;
    ends_.push({now_ + Duration{length}, attempt});
    handle(TaskStarted{attempt});
  }

  struct Later {
    bool operator()(const std::pair<Instant, Attempt>& a,
                    const std::pair<Instant, Attempt>& b) const {
      return b < a;
    }
  };

  ReplaySettings settings_;
  Planner planner_;
  Caller user_{"root", "root", 0, 0, "trace"};
  Instant now_{epoch};
  std::vector<ReplayedJob> jobs_;
  std::size_t next_submission_ = 0;
  std::map<JobKey, std::size_t> places_; ///< of jobs that are not finished, by key
  std::vector<Attempt> started_;
  std::priority_queue<std::pair<Instant, Attempt>, std::vector<std::pair<Instant, Attempt>>, Later>
      ends_;
  std::multimap<Instant, ReservationKey> openings_; ///< starts and ends of reservations
};

} // namespace

Result<std::vector<ReplayedJob>> replay_trace(const std::vector<TracedJob>& trace,
                                              const ReplaySettings& settings) {
  if (settings.nodes < 1 || settings.slots < 1 || settings.slots > most_slots)
    return Error{"a cluster has at least one node of at least one slot"};
  return Replay(trace, settings).run();
}

} // namespace almanac
