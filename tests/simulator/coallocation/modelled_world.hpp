// A trial between modelled sites. Each is killed before it takes a line or after it has, and its
// answer is lost then.
#pragma once

#include "core/coallocation/chance.hpp"
#include "tests/simulator/coallocation/modelled_site.hpp"
#include "tools/simulator/coallocation/trial.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

struct ModelFaults {
  TrialFaults trial;
  std::int64_t site_kills = 0;    ///< at each point, of a thousand
  std::int64_t long_absences = 0; ///< of sites, of a thousand: for one to two hours
  std::int64_t site_kill_at =
      -1; ///< the point at which the site is killed that gets or sends a line
};

class ModelledWorld {
public:
  static constexpr std::int64_t begins_ms = 1'700'000'000'123, hour_ms = 3'600'000;

  ModelledWorld(const CoallocationPlan& plan, std::uint64_t seed, const ModelFaults& faults)
      : plan_(plan),
        kills_(std::make_unique<Kills>(Kills{faults, Chance(~seed)})),
        trial_(std::make_unique<Trial>(plan, seed, begins_ms, faults.trial)) {}

  void add(ModelledSite site) {
    sites_.push_back(std::make_unique<Place>(std::move(site), *kills_));
    trial_->add(*sites_.back());
  }
  void run() { trial_->run(); }

  std::string complaint() const {
    return trial_->problem().empty() ? complaint_of(plan_, trial_->end()) : trial_->problem();
  }
  std::optional<CoallocationOutcome> outcome() const { return trial_->end().outcome; }
  const Trial& trial() const { return *trial_; }
  std::int64_t site_points() const { return kills_->points; } ///< at which a site could be killed

private:
  struct Kills {
    ModelFaults faults;
    Chance chance;
    std::int64_t points = 0;

    bool happens(std::int64_t now_ms) {
      if (points++ == faults.site_kill_at) return true;
      return now_ms < begins_ms + faults.trial.until_ms && chance.up_to(999) < faults.site_kills;
    }
  };

  class Place : public TrialSite {
  public:
    Place(ModelledSite model, Kills& kills) : model_(std::move(model)), kills_(kills) {}

    std::optional<Reply> answer(const std::string& line, std::int64_t now_ms) override {
      if (down_until_ms_ > now_ms || is_killed_here(now_ms)) return std::nullopt;
      auto lines = model_.answer(line, now_ms);
      note();
      if (is_killed_here(now_ms)) return std::nullopt;
      return Reply{std::move(lines), now_ms};
    }
    void pass_time(std::int64_t to_ms) override { model_.let_lapse(to_ms), note(); }
    const std::vector<SiteHold>& holds() const override { return holds_; }

  private:
    void note() { holds_ = model_.holds(); }
    bool is_killed_here(std::int64_t now_ms) {
      if (!kills_.happens(now_ms)) return false;
      const auto& faults = kills_.faults;
      const bool is_long =
          faults.long_absences > 0 && kills_.chance.up_to(999) < faults.long_absences;
      const auto least = is_long ? hour_ms : 0;
      const auto more = is_long ? hour_ms : faults.trial.longest_absence_ms;
      down_until_ms_ = now_ms + least + kills_.chance.up_to(more);
      return true;
    }

    ModelledSite model_;
    Kills& kills_;
    std::vector<SiteHold> holds_;
    std::int64_t down_until_ms_ = 0;
  };

  CoallocationPlan plan_;
  std::unique_ptr<Kills> kills_;
  std::vector<std::unique_ptr<Place>> sites_;
  std::unique_ptr<Trial> trial_;
};

} // namespace almanac
