// All commands in one program: the name under which it is called chooses.
#include "core/text/words.hpp"
#include "tools/commands/process.hpp"

#include <iostream>

int main(int argc, char** argv) {
  using namespace almanac;
  const std::string called = argv[0];
  const auto name = called.substr(called.rfind('/') + 1);
  if (const auto command = find_command(name))
    return run_as_process(name, {argv + 1, argv + argc}, command);
  std::cerr << "Call it as one of: " << join(command_names(), " ") << "\n";
  return 1;
}
