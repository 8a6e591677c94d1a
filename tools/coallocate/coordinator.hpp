// Drives co-allocations: sends what they ask for, brings them what comes, and writes down what they
// decide. All sites of all of them are served at once, by one thread. It waits in poll(), for the
// log, and for files and programs where a way to a site begins (site_way.hpp); names of hosts are
// looked up by others (name_lookup.hpp).
#pragma once

#include "core/coallocation/coallocation.hpp"
#include "tools/coallocate/decision_log.hpp"
#include "tools/coallocate/plan_file.hpp"
#include "tools/coallocate/site_way.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace almanac {

class Coordinator {
public:
  /// Told of each end, before the log forgets it. After an error the log keeps it.
  using OnEnd = std::function<Outcome(const std::string& id, const CoallocationOutcome&)>;
  /// Told of each line and each silence, for people.
  using OnEvent = std::function<void(const std::string& text)>;

  /// `ending`: can be read when this process is to end; -1: it is not told.
  Coordinator(DecisionLog& log, OnEnd on_end, OnEvent on_event, int ending = -1);
  ~Coordinator();

  void add(Coallocation machine, PlanFile file, PlanSource source);
  /// How many are not over.
  std::size_t count() const { return runs_.size(); }
  /// Goes on until the one that was added last is over. Others that are not stay in the log, and so
  /// does all of it where the log cannot be written, an end cannot be told, or this process is to end:
  /// that is the error.
  Outcome run_last();
  /// Goes on until all are over.
  Outcome run_all();

private:
  struct Site {
    SitePlace place;
    std::unique_ptr<SiteWay> way; ///< nullptr: to be opened
    AnswerReader reader;
    std::int64_t deadline_ms = no_time_ms; ///< of the line that is under way
  };
  struct Run {
    Coallocation machine;
    PlanSource source;
    std::vector<Site> sites;
  };
  struct Silence {
    Run* run;
    std::size_t site;
    std::string why;
  };

  void end_ways();
  Outcome run_until(const std::function<bool()>& is_done);
  Outcome wait_and_work();
  Outcome follow(Run& run, CoallocationStep step);
  void send(Run& run, const LineToSite& line);
  Outcome work(Run& run, std::size_t site);
  Outcome take_line(Run& run, std::size_t site, const std::string& line);
  Outcome fail(Run& run, std::size_t site, const std::string& why);
  Outcome pass_time();
  Outcome settle(Run& run);
  std::int64_t next_ms() const;
  void tell(const Run& run, std::size_t site, std::string text) const;

  DecisionLog& log_;
  OnEnd on_end_;
  OnEvent on_event_;
  int ending_;
  std::vector<std::unique_ptr<Run>> runs_;
  std::deque<Silence> silences_; ///< found while lines were sent
};

/// Milliseconds since 1970 that go on while the clock is set.
std::int64_t now_ms();

} // namespace almanac
