// Scenarios: what users type and what happens to machines, with what is to be seen.
//
//     # a remark                          ## a remark that --explain prints
//     hosts n1 n2 slots=2                 the cluster; first of all
//     file job.sh … end file              a file in the scenario's folder
//     file common/sched_conf … end file   a file of the cell's folder common/ that the planner goes by
//                                     (real masters look every five seconds)
//     $ qsub job.sh                       a command line, and below it what it prints
//     Your job 1 ("job.sh") has been *    (* matches anything, ... any lines, "(nothing)" no line;
//                                         nothing below: not looked at)
//     -> 1                                its exit code, 0 if this line is missing
//     eventually 10s $ qstat …            the same, tried again until it fits
//     $ prepare NAME SECONDS …           a change of a reservation in two phases (transaction_line.hpp)
//     as alice                            who types from here on
//     wait 2s    kill|start|stop|continue agent n1    kill|start master
//     mischief client 300              so many requests of "mallory" that no command sends, at once
//     mischief agent n2 reports loads  somebody has n2's keys and says such things
//     (hostile_agent.hpp)
//                                      until "kill agent n2"; both in the simulator only
//     on processes / on simulator / everywhere        what follows is for one world only
//
// {+5s} becomes the date five seconds from now, {dir} the scenario's folder, {offer} the token of the
// last offer of qrsub.
#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/request/command.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Where a scenario is played: real processes or the simulator.
class World {
public:
  struct Output {
    int code = 0;
    std::string text; ///< standard output and error, as they came
  };
  virtual ~World() = default;
  virtual const char* name() const = 0; ///< "processes" or "simulator"
  virtual Outcome begin(const std::vector<std::string>& hosts, std::int64_t slots) = 0;
  virtual Output run(const std::string& user, const std::vector<std::string>& words) = 0;
  /// What no command sends yet; printed as a command would.
  virtual Output perform(const std::string& user, CommandBody body) = 0;
  /// kill, start, stop, continue; "" as host means the master.
  virtual Outcome stage(const std::string& verb, const std::string& host) = 0;
  /// People who mean harm: the words of a line that begins with "mischief". Most worlds have none.
  virtual Outcome mischief(const std::vector<std::string>&) {
    return Error{"nobody means harm in this world"};
  }
  /// Such a file of the cell (core/configuration/objects/site_file.hpp) has this text; "": there is
  /// none.
  virtual Outcome put_site_file(const std::string& name, const std::string& text) = 0;
  virtual void wait(Duration duration) = 0;
  virtual Instant now() const = 0;
  virtual std::string directory() const = 0;
  /// Ends everything and checks what must hold at the end.
  virtual Outcome finish() = 0;
};

struct PlayOptions {
  bool explain = false; ///< tell what happens
  bool rewrite = false; ///< the file says what came, where it was not what the file said
};

/// A date as users type it for -a: CCYYMMDDhhmm.SS, local time.
std::string typed_date(Instant at);

/// Plays a scenario; the error names its line, what was expected and what came.
Outcome play(const std::string& path, World& world, const PlayOptions& options);

} // namespace almanac
