// Hooks of reservations as processes of this machine, with the rights of the master's own user.
#pragma once

#include "actors/ports/hook_runner.hpp"

namespace almanac {

/// A program that others than root and this process's user could have written or put there is not run, nor
/// is one with such a file among its arguments: the script of "/bin/sh /site/hook.sh".
class HookProgram : public HookRunner {
public:
  static constexpr std::size_t most_output = 64 * 1024;

  HookOutcome run(const HookRun& run) override;
  std::string distrust(const std::vector<std::string>& words) const override;
};

} // namespace almanac
