#include "tools/simulator/coallocation/coallocate.hpp"

#include "actors/trust/keyring.hpp"
#include "core/base/fingerprint.hpp"
#include "tools/simulator/coallocation/cell_site.hpp"
#include "tools/simulator/coallocation/trial.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace almanac {

namespace {

constexpr const char* asking_user = "ann";
constexpr std::int64_t faults_ms = 300'000; // then all goes well, and comes to an end

// Short times, so that much happens within a hold. `now`: by the clock of the coordinator.
CoallocationPlan plan_of(Chance& chance, std::size_t sites, Instant now) {
  CoallocationPlan plan;
  while (plan.sites.size() < sites) {
    const auto hosts = 1 + chance.up_to(1), slots = 1 + chance.up_to(1);
    plan.sites.push_back({"s" + std::to_string(plan.sites.size()), asking_user,
                          "NODES=" + std::to_string(hosts) + ";SLOTS=" + std::to_string(slots)});
  }
  plan.duration = Duration{20 + chance.up_to(100)};
  plan.latest = now + Duration{400};
  plan.skew = Duration{chance.up_to(1) * chance.up_to(40)};
  plan.answer_within = Duration{5}, plan.margin = Duration{4}, plan.hold = Duration{25};
  plan.lead = Duration{30};
  plan.odd_clock = OddClock::shifted;
  return plan;
}

TrialFaults faults_of(Chance& chance) {
  TrialFaults faults;
  faults.lost = chance.up_to(80), faults.late = chance.up_to(80), faults.doubled = chance.up_to(80);
  faults.own_kills = chance.up_to(1) * chance.up_to(30);
  faults.longest_absence_ms = 1 + chance.up_to(60'000);
  faults.until_ms = faults_ms;
  return faults;
}

// The coordinator comes back when the cells have forgotten what they did (M5.8), and what is reserved
// is over by then, or is not.
void make_late(Chance& chance, CoallocationPlan& plan, TrialFaults& faults) {
  faults.decided_kills = 100, faults.long_absences = 900;
  if (chance.up_to(2) > 0) plan.duration = plan.duration + Duration{4 * 3600};
}

// Within half a second mostly, which counts as equal; some are wrong.
std::int64_t clock_of(Chance& chance) {
  return chance.up_to(7) == 0 ? chance.up_to(60'000) - 30'000 : chance.up_to(1000) - 500;
}

CellSettings cell_of(Chance& chance, std::int64_t kills, std::int64_t absence_ms) {
  CellSettings settings;
  settings.user = asking_user;
  settings.hosts = static_cast<int>(2 + chance.up_to(1));
  settings.ahead_ms = clock_of(chance);
  settings.kills = kills, settings.spoiled = kills / 4;
  settings.longest_absence_ms = absence_ms;
  settings.until_ms = faults_ms;
  return settings;
}

class Cells {
public:
  explicit Cells(const OnCoallocationEvent& on_event) : on_event_(on_event) {}

  Outcome begin(Chance& chance, std::size_t count) {
    const auto kills = chance.up_to(250), absence_ms = 1 + chance.up_to(60'000);
    for (std::size_t i = 0; i < count; ++i) {
      const auto seed = chance.next();
      cells_.push_back(std::make_unique<CellSite>(seed, cell_of(chance, kills, absence_ms)));
      if (auto begun = cells_.back()->begin(); !begun) return begun;
      begins_ms_ = std::max(begins_ms_, cells_.back()->now_ms());
    }
    for (const auto& cell : cells_) cell->begin_trial(begins_ms_);
    return Done{};
  }

  void join(Trial& trial, Chance& chance, const CoallocationPlan& plan) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      auto& cell = *cells_[i];
      trial.add(cell);
      if (on_event_)
        cell.tell([this, name = plan.sites[i].name](std::int64_t ms, const std::string& text) {
          on_event_(ms - begins_ms_, name, text);
        });
      for (auto left = chance.up_to(4); left > 0; --left) cell.let_others_work(begins_ms_);
      for (auto left = chance.up_to(6); left > 0; --left)
        trial.after(chance.up_to(60'000),
                    [&cell, &trial] { cell.let_others_work(trial.now_ms()); });
    }
  }

  void check() {
    for (const auto& cell : cells_) cell->check_store();
  }

  void count(CoallocationCount& sum) const {
    sum.sites = static_cast<std::int64_t>(cells_.size());
    for (const auto& cell : cells_) {
      sum.site_kills += cell->kills();
      sum.holds += static_cast<std::int64_t>(cell->holds().size());
      sum.trace = digest_with(sum.trace, cell->trace());
    }
  }

  std::int64_t begins_ms() const { return begins_ms_; }

private:
  const OnCoallocationEvent& on_event_;
  std::vector<std::unique_ptr<CellSite>> cells_;
  std::int64_t begins_ms_ = 0;
};

CoallocationCount counted(const Trial& trial, const Cells& cells) {
  CoallocationCount sum;
  const auto end = trial.end();
  sum.ends[name_of(end.outcome)] = 1;
  sum.lines = trial.lines(), sum.own_kills = trial.kills();
  sum.late = trial.is_late() ? 1 : 0;
  sum.virtual_seconds = (trial.now_ms() - cells.begins_ms()) / 1000;
  if (end.outcome)
    for (const auto& site : end.outcome->sites)
      sum.without_key += site.state == SiteState::committed && site.grant.key.empty();
  cells.count(sum);
  return sum;
}

Result<CoallocationCount> run(std::uint64_t seed, const OnCoallocationEvent& on_event) {
  Chance chance(seed);
  Cells cells(on_event);
  const auto count = 2 + chance.up_to(3);
  if (auto begun = cells.begin(chance, static_cast<std::size_t>(count)); !begun)
    return begun.error();
  auto plan = plan_of(chance, static_cast<std::size_t>(count), Instant{cells.begins_ms() / 1000});
  auto faults = faults_of(chance);
  if (chance.up_to(7) == 0) make_late(chance, plan, faults);
  Trial trial(plan, chance.next(), cells.begins_ms(), faults);
  if (on_event)
    trial.tell([&](std::int64_t ms, const std::string& text) {
      on_event(ms - cells.begins_ms(), "coordinator", text);
    });
  cells.join(trial, chance, plan);
  trial.run();
  cells.check();
  if (!trial.problem().empty()) return Error{trial.problem()};
  if (auto why = complaint_of(plan, trial.end()); !why.empty()) return Error{why};
  return counted(trial, cells);
}

} // namespace

void CoallocationCount::add(const CoallocationCount& other) {
  for (const auto& [end, times] : other.ends) ends[end] += times;
  sites += other.sites, lines += other.lines;
  site_kills += other.site_kills, own_kills += other.own_kills, late += other.late;
  holds += other.holds, without_key += other.without_key;
  virtual_seconds += other.virtual_seconds;
  trace = digest_with(trace, other.trace);
}

// About one in three ends with none, one in six is stopped, one in thirty is mixed.
std::string never_seen(const CoallocationCount& sum, std::uint64_t trials) {
  constexpr std::uint64_t some = 50, many = 1000;
  std::vector<std::string> expected;
  if (trials >= some) expected = {"all", "none"};
  if (trials >= many) expected.insert(expected.end(), {"mixed", "stopped"});
  for (const auto& end : expected)
    if (!sum.ends.contains(end)) return "the end \"" + end + "\"";
  if (trials < some) return {};
  if (trials >= many && sum.late == 0) return "a decision that is taken up after an hour";
  if (sum.site_kills == 0) return "a kill of a master";
  return sum.own_kills == 0 ? "a kill of the coordinator" : "";
}

Result<CoallocationCount> coallocate(std::uint64_t seed, const OnCoallocationEvent& on_event) {
  remember_signatures();
  try {
    return run(seed, on_event);
  } catch (const Broken& broken) {
    return Error{"a cell breaks " + broken.violation.text()};
  }
}

} // namespace almanac
