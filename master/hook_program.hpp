// Hooks of reservations as processes of this machine, with the rights of the master's own user.
#pragma once

#include "actors/ports/hook_runner.hpp"

namespace almanac {

/// Why others than root and this process's user could have written the file, or put it there; "" if
/// not.
std::string distrust_of_file(const std::string& path);

/// A program that others than root and that user could have written or put there is not run.
class HookProgram : public HookRunner {
public:
  static constexpr std::size_t most_output = 64 * 1024;

  HookOutcome run(const HookRun& run) override;
  std::string distrust(const std::string& program) const override;
};

} // namespace almanac
