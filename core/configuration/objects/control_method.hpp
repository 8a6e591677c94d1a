// starter_method, suspend_method, resume_method and terminate_method of a queue: what is done instead
// of running a job's shell, or of sending SIGSTOP, SIGCONT and SIGKILL (spec/objects.md section 1,
// spec/cli.md section 9.5).
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// One of the two, or nothing where the usual signal is sent.
struct ControlMethod {
  int signal = 0;                 ///< 0: none
  std::vector<std::string> words; ///< a command, with $variables in it; empty: none
  bool is_usual() const { return signal == 0 && words.empty(); }
};

/// NONE, a signal as "SIGTERM", "TERM" or "15", or an absolute path with arguments. It is run as the
/// owner of the job, so no user@ may stand in front.
Result<ControlMethod> parse_control_method(std::string_view text);

/// The path that runs jobs, and its arguments: no signal. Nothing for NONE.
Result<std::vector<std::string>> parse_starter_method(std::string_view text);

inline constexpr int highest_signal = 64;
/// The number of a signal of Linux: "KILL", "SIGKILL", "9", in any letter case as in Grid Engine; 0 if
/// there is none.
int signal_called(std::string_view text);

} // namespace almanac
