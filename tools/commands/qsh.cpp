#include "tools/commands/commands.hpp"

#include <iostream>

namespace almanac {

int qsh(Context& context) {
  if (context.arguments == std::vector<std::string>{"-help"}) {
    context.out << "usage: qsh\n   an X terminal as a job: not offered\n";
    return 0;
  }
  return complain(context, "an X terminal as a job is not offered");
}

} // namespace almanac
