#include "tools/commands/commands.hpp"

#include "core/request/reserve_options.hpp"
#include "tools/commands/user_groups.hpp"

#include <iostream>

namespace almanac {

namespace {
constexpr const char* usage = "usage: qrsub [options]\n";
} // namespace

int qrsub(Context& context) {
  if (context.arguments.empty()) {
    context.err << usage << print_usage(reserve_usage()) << "ERROR! no option argument\n";
    return 1;
  }
  auto parsed = parse_reservation(
      context.arguments, [&](const DateTime& date) { return to_instant(date, context.now()); });
  if (!parsed) {
    if (parsed.what().starts_with("Wrong date"))
      context.err << "\nInvalid format of date/hour-minute field.\n";
    return complain(context, parsed.what());
  }
  if (parsed->help) {
    context.out << usage << print_usage(reserve_usage());
    return 0;
  }
  if (auto found = find_groups(context, parsed->request); !found) {
    context.err << "error: " << found.what() << "\n";
    return 1;
  }
  if (!parsed->verify) return run_command(context, Reserve{parsed->request});
  int code = 0;
  const int asked = ask<Answer>(context, door::AskReserve{{parsed->request}},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace almanac
