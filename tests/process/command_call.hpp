// A command in a test: whose door it is, is the test's; it finds no cell, and prints into strings.
#pragma once

#include "tools/commands/context.hpp"

#include <sstream>

namespace almanac {

struct CommandCall {
  CommandCall(Door& door, std::string program, std::vector<std::string> arguments = {},
              const std::string& input = "")
      : in(input),
        context{std::move(program),
                std::move(arguments),
                in,
                out,
                err,
                door,
                "ann",
                "/",
                {{"SGE_ROOT", "/nowhere"}},
                [] { return Instant{1'000}; },
                [](const std::string&) { return std::optional<std::string>("users"); },
                {}} {}

  /// Calls it. The exit code, and what is printed on either stream.
  std::string text_of(int (*command)(Context&)) {
    const int code = command(context);
    return std::to_string(code) + " out: " + out.str() + "err: " + err.str();
  }

  std::istringstream in;
  std::ostringstream out, err;
  Context context;
};

} // namespace almanac
