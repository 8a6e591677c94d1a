// Who runs the hooks of reservations.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/time.hpp"

#include <string>
#include <vector>

namespace almanac {

struct HookRun {
  std::vector<std::string> words; ///< a program and its arguments
  std::vector<Attribute> environment;
  std::string input;
  Duration timeout;
};
struct HookOutcome {
  std::string failure;  ///< a sentence; "": it has succeeded
  std::string output;   ///< of both streams, cut
  std::string errors{}; ///< what of it came on standard error
};

class HookRunner {
public:
  virtual ~HookRunner() = default;
  /// Returns when it has ended, or was ended since its time was over. Several threads may call.
  virtual HookOutcome run(const HookRun& run) = 0;
  /// Why it would not run this program with these arguments, as things are; "" if it would. Several threads
  /// may call.
  virtual std::string distrust(const std::vector<std::string>& /*words*/) const { return ""; }
};

} // namespace almanac
