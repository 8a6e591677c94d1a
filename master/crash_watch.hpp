// Remembers over crashes of the master: how many there were lately, and which request was in hand.
//
// A crash is an end by the process's own fault (SIGABRT, SIGSEGV, …): being killed from outside is
// none. All of it lies in DIR/run and is a help, not state: losing it does no harm.
#pragma once

#include "actors/ports/notebook.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <map>
#include <memory>
#include <string>

namespace almanac {

class CrashWatch : public Notebook {
public:
  /// Looks at how the process before this one ended, and watches this one. One in a process.
  static Result<std::unique_ptr<CrashWatch>> open(const std::string& directory, Instant now);
  ~CrashWatch() override;

  /// Three crashes within five minutes (design.md section 4).
  bool crashes_in_a_loop() const { return recent_crashes_ >= 3; }
  void note(std::string_view request) override;
  bool is_poison(const std::string& request) const override;
  int crashes_over(const std::string& prefix) const override;
  /// The process ends as it should: what was remembered is settled.
  void leave();

  struct Mark; ///< what is left of the process in its file

private:
  CrashWatch(std::string directory, Mark* mark) : directory_(std::move(directory)), mark_(mark) {}
  void look_back(Instant now);

  std::string directory_;
  Mark* mark_; ///< mapped from a file
  int recent_crashes_ = 0;
  std::map<std::string, int> suspects_;
};

} // namespace almanac
