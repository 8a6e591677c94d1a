// How this process starts a program as its child: with a group of its own, its streams where they
// are given, and nothing else that is open here. No shell reads its words.
#pragma once

#include "actors/process/descriptor.hpp"
#include "core/base/attribute.hpp"
#include "core/base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace almanac {

/// Its end for reading does not block.
struct Pipe {
  Descriptor reads, writes;
};
std::optional<Pipe> new_pipe();

struct ProgramStart {
  std::vector<std::string> words;                    ///< its path and its arguments
  std::optional<std::vector<Attribute>> environment; ///< nothing: that of this process
  bool as_nobody = false;                            ///< where this process is root
  std::uint64_t most_data = 0; ///< bytes of memory that it may fill; 0: no limit
  int input = -1, output = -1, errors = -1;
};

/// Its process, which leads a group. The error names the program. Any thread may call.
Result<pid_t> start_program(const ProgramStart& program);

} // namespace almanac
