#include "tools/commands/commands.hpp"
#include "tools/commands/interactive_job.hpp"

namespace almanac {

int qlogin(Context& context) {
  return run_interactive(context, {"usage: qlogin [options]\n", "QLOGIN", false, true});
}

} // namespace almanac
