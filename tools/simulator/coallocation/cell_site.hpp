// A site of a trial that is a whole simulated cell: its lines go the way of gmeta, through door and
// planner, and its master is killed between any two messages and comes back from its store.
//
// Throws Broken where an invariant of the cell breaks, where a hold is there a second after its end
// while there is a master, and where one that was over when the master began is there after it has
// answered a line.
#pragma once

#include "core/coallocation/chance.hpp"
#include "tools/simulator/chaos/witness.hpp"
#include "tools/simulator/coallocation/hold_watch.hpp"
#include "tools/simulator/coallocation/trial_site.hpp"
#include "tools/simulator/world/virtual_world.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct CellSettings {
  std::string user;                    ///< who may reserve there, for the coordinator
  int hosts = 2;                       ///< of two slots each
  std::int64_t ahead_ms = 0;           ///< its clock, of that of the trial
  std::int64_t kills = 0, spoiled = 0; ///< of a thousand lines: a kill comes soon; a batch is lost
  std::int64_t longest_absence_ms = 0; ///< of its master
  std::int64_t until_ms = 0;           ///< of faults, after the beginning of the trial
};

class CellSite : public TrialSite {
public:
  using OnEvent = std::function<void(std::int64_t now_ms, const std::string& text)>;

  CellSite(std::uint64_t seed, CellSettings settings);

  /// Before the trial, which begins when the last of its cells is there.
  Outcome begin();
  void begin_trial(std::int64_t at_ms);
  std::int64_t now_ms() { return world_.clock().milliseconds; }
  void tell(OnEvent on_event) { on_event_ = std::move(on_event); }

  std::optional<Reply> answer(const std::string& line, std::int64_t now_ms) override;
  void pass_time(std::int64_t to_ms) override;
  const std::vector<SiteHold>& holds() const override { return watch_.holds(); }

  /// Others reserve, take back or submit.
  void let_others_work(std::int64_t at_ms);
  /// Once nothing goes on any more: all that is stored is sound, and the journal leads to it.
  void check_store();

  std::int64_t kills() const { return kills_; }
  std::uint64_t trace() const { return world_.trace(); }

private:
  bool happens(std::int64_t of_thousand);
  void plan_faults();
  void between_messages();
  void go_down();
  void come_back();
  void check_holds(std::int64_t by_ms) const;
  void run_as_other(const std::vector<std::string>& words);
  void say(const std::string& text);

  static constexpr std::int64_t not_planned = -1;

  CellSettings settings_;
  Chance chance_;
  VirtualWorld world_;
  HoldWatch watch_;
  std::optional<Witness> witness_;
  OnEvent on_event_;
  std::int64_t faults_end_ms_ = 0;
  std::int64_t kill_in_ = not_planned; ///< messages
  std::int64_t up_since_ms_ = 0, comes_back_ms_ = 0;
  std::int64_t kills_ = 0;
  bool is_way_lost_ = false; ///< of the answer to the line that is being worked on
  int others_ = 0;           ///< reservations of others that were asked for
};

} // namespace almanac
