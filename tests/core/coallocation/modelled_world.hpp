// A coordinator, its log, sites, and the lines between them, in virtual time from one seed: lines
// are lost or late, and whoever may be killed is killed between any two of them.
#pragma once

#include "core/coallocation/coallocation.hpp"
#include "tests/core/coallocation/modelled_site.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace almanac {

struct ModelFaults {
  std::int64_t lost = 0, late = 0;            ///< lines, of a thousand
  std::int64_t site_kills = 0, own_kills = 0; ///< at each point, of a thousand
  std::int64_t longest_absence_ms = 0;
  std::int64_t until_ms = 0;     ///< after which all goes well
  std::int64_t own_kill_at = -1; ///< the point at which the coordinator is killed
  std::int64_t site_kill_at =
      -1; ///< the point at which the site is killed that gets or sends a line
};

class ModelledWorld {
public:
  static constexpr std::int64_t begins_ms = 1'700'000'000'123;

  ModelledWorld(CoallocationPlan plan, std::uint64_t seed, ModelFaults faults)
      : plan_(std::move(plan)), chance_(seed), faults_(faults) {}

  void add(ModelledSite site) { sites_.push_back({std::move(site), 0}); }

  /// Until the coordinator is done, and for as long as any hold may last.
  void run() {
    begin(Coallocation(plan_, "t77", chance_.next()));
    while (!queue_.empty() && now_ms_ < begins_ms + 100'000'000) {
      const auto next = queue_.begin();
      const auto event = next->second;
      now_ms_ = std::max(now_ms_, next->first.first);
      queue_.erase(next);
      event();
    }
    let_time_pass(now_ms_ + (plan_.hold.seconds + 1) * 1000);
  }

  const std::optional<CoallocationOutcome>& outcome() const { return outcome_; }
  const std::vector<std::string>& problems() const { return problems_; }
  std::int64_t points() const { return points_; } ///< at which somebody could be killed
  const ModelledSite& site(std::size_t place) const { return sites_.at(place).model; }
  std::int64_t count(ModelledSite::State state) const {
    std::int64_t sum = 0;
    for (const auto& site : sites_) sum += site.model.count(state);
    return sum;
  }
  bool decided() const { return decided_; }
  std::int64_t killed() const { return life_; }

private:
  struct Site {
    ModelledSite model;
    std::int64_t down_until_ms = 0;
  };
  using Event = std::function<void()>;

  bool happens(std::int64_t of_thousand) {
    return now_ms_ < begins_ms + faults_.until_ms && chance_.up_to(999) < of_thousand;
  }
  void after(std::int64_t ms, Event event) {
    queue_.emplace(std::pair{now_ms_ + ms, order_++}, std::move(event));
  }
  void let_time_pass(std::int64_t to_ms) {
    for (auto& site : sites_) site.model.let_lapse(to_ms);
  }

  // ---- the coordinator ----

  void begin(Coallocation machine) {
    machine_ = std::move(machine);
    follow(machine_->begin(now_ms_));
  }

  /// Whether the coordinator was killed here.
  bool killed_here() {
    const bool now = points_++ == faults_.own_kill_at || happens(faults_.own_kills);
    if (!now) return false;
    machine_.reset(), ++life_, wake_ = no_time_ms;
    after(chance_.up_to(faults_.longest_absence_ms), [this] { restart(); });
    return true;
  }

  void restart() {
    if (!log_) {
      after(0, [] {});
      return;
    }
    const auto record = parse_coallocation(*log_);
    if (!record) return problems_.push_back(record.what());
    resumed_ = true;
    begin(Coallocation(plan_, *record, chance_.next()));
  }

  void follow(CoallocationStep step) {
    if (step.record) {
      if (killed_here()) return; // before it is durable
      log_ = print_coallocation(*step.record);
      decided_ |= step.record->verdict == CoallocationVerdict::commit;
      if (killed_here()) return;
      return follow(machine_->written(now_ms_));
    }
    for (const auto& request : step.requests) {
      if (killed_here()) return;
      send(request);
    }
    if (machine_->is_over()) {
      if (killed_here()) return; // before anybody has heard of it
      outcome_ = machine_->outcome();
      log_.reset(), machine_.reset(), ++life_;
      return;
    }
    wake();
  }

  void wake() {
    const auto at = machine_->wake_at_ms();
    if (at == no_time_ms || at == wake_) return;
    wake_ = at;
    after(std::max<std::int64_t>(0, at - now_ms_), [this, life = life_, at] {
      if (life != life_ || at != wake_) return;
      wake_ = no_time_ms;
      follow(machine_->time_passed(now_ms_));
    });
  }

  void check_commit(const std::string& line) {
    if (!line.starts_with("COMMIT")) return;
    const auto record = log_ ? parse_coallocation(*log_) : Result<CoallocationRecord>(Error{});
    if (!record || (record->verdict != CoallocationVerdict::commit &&
                    record->verdict != CoallocationVerdict::release))
      problems_.push_back("COMMIT is sent without a durable decision");
    if (resumed_ || commits_++ > 0) return;
    for (const auto& site : sites_)
      for (const auto& grant : site.model.grants())
        if (grant.state == ModelledSite::State::held &&
            std::min(grant.until, grant.start) * 1000 <=
                now_ms_ + plan_.margin.seconds * 1000 - 2000)
          problems_.push_back(
              "the first COMMIT is sent too late"); // M5.6; two seconds for the clocks
  }

  void send(const LineToSite& request) {
    check_commit(request.line);
    const auto number = ++requests_;
    open_.insert(number);
    if (!happens(faults_.lost)) {
      const auto delay = delay_ms();
      after(delay, [this, request, number, life = life_] { arrive(request, number, life); });
    }
    after(plan_.answer_within.seconds * 1000, [this, request, number, life = life_] {
      if (life != life_ || open_.erase(number) == 0) return;
      if (!killed_here()) follow(machine_->silent(request.site, "no answer came", now_ms_));
    });
  }

  // ---- a site ----

  bool site_killed_here(Site& site) {
    const bool now = site_points_++ == faults_.site_kill_at || happens(faults_.site_kills);
    if (now) site.down_until_ms = now_ms_ + chance_.up_to(faults_.longest_absence_ms);
    return now;
  }

  void arrive(const LineToSite& request, std::int64_t number, std::int64_t life) {
    auto& site = sites_.at(request.site);
    if (site.down_until_ms > now_ms_ || site_killed_here(site)) return;
    const auto lines = site.model.answer(request.line, now_ms_);
    if (site_killed_here(site) || happens(faults_.lost)) return;
    after(delay_ms(), [this, request, number, life, lines] {
      if (life != life_ || open_.erase(number) == 0) return;
      if (killed_here()) return;
      AnswerReader reader;
      for (const auto& line : lines) {
        auto answer = reader.take(line);
        if (!answer) return problems_.push_back(answer.what() + ": " + line);
        if (*answer) return follow(machine_->answered(request.site, **answer, now_ms_));
      }
      problems_.push_back("half an answer");
    });
  }

  std::int64_t delay_ms() {
    const auto usual = 5 + chance_.up_to(200);
    return happens(faults_.late) ? usual + chance_.up_to(3 * plan_.answer_within.seconds * 1000)
                                 : usual;
  }

public:
  std::int64_t site_points() const { return site_points_; }

private:
  CoallocationPlan plan_;
  Chance chance_;
  ModelFaults faults_;
  std::vector<Site> sites_;
  std::int64_t now_ms_ = begins_ms;
  std::map<std::pair<std::int64_t, std::int64_t>, Event> queue_;
  std::int64_t order_ = 0, life_ = 0, requests_ = 0, points_ = 0, site_points_ = 0, commits_ = 0;
  std::int64_t wake_ = no_time_ms;
  std::set<std::int64_t> open_; ///< requests that wait for an answer
  std::optional<Coallocation> machine_;
  std::optional<std::string> log_;
  std::optional<CoallocationOutcome> outcome_;
  std::vector<std::string> problems_;
  bool decided_ = false, resumed_ = false;
};

} // namespace almanac
