// A program of the site that the daemon runs and waits for: a mailer, a hook.
#pragma once

#include "core/base/attribute.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct SiteProgram {
  std::vector<std::string> words; ///< its path and its arguments; no shell reads them
  std::optional<std::vector<Attribute>> environment; ///< nothing: the daemon's
  std::string input;                                 ///< on its standard input
  int patience_ms = 60'000; ///< then SIGTERM, and some seconds later SIGKILL, to its process group
  std::size_t most_output = 0; ///< bytes that are kept of what it writes
  bool as_nobody = false;      ///< where the daemon is root
};
struct SiteProgramEnd {
  std::string failure; ///< a sentence; "": it exited with 0
  std::string output;  ///< of both streams
  std::string errors;  ///< what of it came on standard error
};

/// Returns when it has ended. Any thread.
SiteProgramEnd run_program(const SiteProgram& program);

} // namespace almanac
