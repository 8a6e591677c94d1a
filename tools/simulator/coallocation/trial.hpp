// One co-allocation in virtual time, from a seed: the coordinator, its log, and the lines between
// it and some sites. Lines are lost, late, or come twice, and the coordinator is killed between any
// two of its steps.
//
// Sites know nothing of each other, so one may be ahead of the trial: what it says comes later.
#pragma once

#include "core/coallocation/chance.hpp"
#include "core/coallocation/coallocation.hpp"
#include "tools/simulator/coallocation/trial_end.hpp"
#include "tools/simulator/coallocation/trial_site.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

struct TrialFaults {
  std::int64_t lost = 0, late = 0, doubled = 0; ///< lines, of a thousand
  std::int64_t own_kills = 0;                   ///< at each point, of a thousand
  std::int64_t decided_kills = 0;               ///< at each point once it is decided, of a thousand
  std::int64_t longest_absence_ms = 0;          ///< of the coordinator
  std::int64_t long_absences = 0; ///< of a thousand: it is away for one to two hours instead
  std::int64_t until_ms = 0;      ///< after the beginning; then all goes well
  std::int64_t own_kill_at = -1;  ///< the point at which the coordinator is killed; -1: none
};

class Trial {
public:
  using Event = std::function<void()>;
  /// Told of what happens, for people.
  using OnEvent = std::function<void(std::int64_t now_ms, const std::string& text)>;

  Trial(CoallocationPlan plan, std::uint64_t seed, std::int64_t begins_ms, TrialFaults faults);

  /// In the order of the plan; the site outlives the trial.
  void add(TrialSite& site) { sites_.push_back(&site); }
  void tell(OnEvent on_event) { on_event_ = std::move(on_event); }
  /// Something else happens by then.
  void after(std::int64_t ms, Event event);

  /// Until the coordinator is done, and for as long as any hold may last. It is a problem where it
  /// is not done after 100,000 s, or where it waits for nothing any more.
  void run();

  TrialEnd end() const;
  /// What was wrong on the way; empty: nothing.
  const std::string& problem() const { return problem_; }
  std::int64_t points() const { return points_; } ///< at which the coordinator could be killed
  std::int64_t kills() const { return kills_; }
  /// A decision was taken up when the sites had forgotten what they did (M5.8).
  bool is_late() const { return is_late_; }
  std::int64_t lines() const { return lines_; }
  std::int64_t now_ms() const { return now_ms_; }

private:
  using Place = std::pair<std::int64_t, std::int64_t>; ///< when, and in which order

  bool happens(std::int64_t of_thousand);
  void complain(const std::string& what);
  void say(const std::string& text) const;
  void at(std::int64_t ms, Event event);

  void begin(Coallocation machine);
  bool is_killed_here();
  void restart();
  void follow(CoallocationStep step);
  void write(const CoallocationRecord& record);
  void be_over();
  void wake();
  void check_commit(const LineToSite& request);

  void send(const LineToSite& request);
  void arrive(const LineToSite& request, std::int64_t number, std::int64_t life);
  void hear(std::size_t site, const std::vector<std::string>& lines);
  void give_up(std::size_t site, std::int64_t number, std::int64_t life);
  std::int64_t delay_ms();

  CoallocationPlan plan_;
  Chance chance_;
  TrialFaults faults_;
  std::int64_t begins_ms_, now_ms_;
  std::vector<TrialSite*> sites_;
  OnEvent on_event_;
  std::map<Place, Event> queue_;
  std::int64_t order_ = 0, lines_ = 0, points_ = 0, kills_ = 0;
  std::int64_t life_ = 0; ///< of the coordinator: what an earlier one waits for comes to nobody
  std::int64_t wake_ = no_time_ms;
  std::set<std::int64_t> open_; ///< lines that wait for an answer
  std::optional<Coallocation> machine_;
  std::optional<std::string> log_;
  std::optional<CoallocationOutcome> outcome_;
  std::int64_t told_ms_ = 0;
  std::string problem_;
  bool is_late_ = false, is_decided_ = false, is_resumed_ = false, has_committed_ = false;
};

} // namespace almanac
