#include "tools/commands/commands.hpp"
#include "tools/commands/plus_call.hpp"

#include "tools/commands/user_groups.hpp"
#include "tools/output/plus_reservations.hpp"

#include <iostream>

namespace almanac {

namespace {

PrepareReservation command_of(const PlusOptions& options) {
  PrepareReservation command;
  command.transaction = plus_transaction, command.hold_for = held_for(options);
  auto& request = command.request;
  request = options.request, request.users = options.users, request.start = *options.start;
  if (options.end) request.end = *options.end;
  if (options.length) request.duration = *options.length, request.has_duration = true;
  return command;
}

// What was granted is told, even where it can't be looked at any more.
int print_xml(Context& context, ReservationNumber number) {
  std::optional<door::ReservationView> found;
  const int code = find_for_plus(context, number, found);
  if (found) print_plus_xml(context.out, *found);
  return code;
}

} // namespace

int plus_reserve(Context& context) {
  int code = 0;
  const auto options = read_plus(context, "reserve", code);
  if (!options) return code;
  auto command = command_of(*options);
  if (auto found = find_groups(context, command.request); !found)
    return complain(context, found.what(), plus_exit::refused);
  ReservationNumber number;
  code = run_plus(context, std::move(command),
                  [&](const Answer& answer) { number = {answer.number}; });
  if (code != plus_exit::done) return code;
  if (options->as_xml) return print_xml(context, number);
  context.out << "R" << to_string(number) << "\n";
  return plus_exit::done;
}

} // namespace almanac
