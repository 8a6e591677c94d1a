#include "tools/commands/commands.hpp"

#include "core/request/reserve_options.hpp"
#include "tools/commands/user_groups.hpp"

#include <iostream>

namespace almanac {

namespace {
constexpr const char* usage = "usage: qralter [options] ar_id\n"
                              "   ar_id                     id, or R<id>\n";

std::string usage_text() { return usage + print_usage(reserve_alteration_usage()); }
} // namespace

int qralter(Context& context) {
  auto parsed = parse_alteration(
      context.arguments, [&](const DateTime& date) { return to_instant(date, context.now()); });
  if (!parsed) {
    if (parsed.what().starts_with("Wrong date"))
      context.err << "\nInvalid format of date/hour-minute field.\n";
    return complain(context, parsed.what());
  }
  if (parsed->help) {
    context.out << usage_text();
    return 0;
  }
  auto& command = parsed->command;
  if (command.options.empty()) {
    context.err << usage_text() << "ERROR! no option argument\n";
    return 1;
  }
  if (auto found = find_groups(context, command.request); !found) {
    context.err << "error: " << found.what() << "\n";
    return 1;
  }
  if (!parsed->verify) return run_command(context, command);
  int code = 0;
  const int asked = ask<Answer>(context, door::AskAlterReservation{command, parsed->price},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace almanac
