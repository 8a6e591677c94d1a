// plus_commit and plus_abort: what is held becomes final, or is undone.
#include "tools/commands/commands.hpp"
#include "tools/commands/plus_call.hpp"

namespace almanac {

namespace {

// Whatever is held, also by another interface (spec/metascheduler.md section 7).
int settle(Context& context, std::string_view command, bool commits) {
  int code = 0;
  const auto options = read_plus(context, command, code);
  if (!options) return code;
  return run_plus(context, SettleReservation{"", options->number, commits});
}

} // namespace

int plus_commit(Context& context) { return settle(context, "commit", true); }
int plus_abort(Context& context) { return settle(context, "abort", false); }

} // namespace almanac
