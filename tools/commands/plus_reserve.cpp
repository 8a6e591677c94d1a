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

// The reservation was made. A script that is not told so might try again, and have two of them.
void print(Context& context, ReservationNumber number, bool as_xml) {
  std::optional<door::ReservationView> found;
  if (as_xml) find_for_plus(context, number, found);
  if (found) print_plus_xml(context.out, *found);
  else context.out << "R" << to_string(number) << "\n";
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
  print(context, number, options->as_xml);
  return plus_exit::done;
}

} // namespace almanac
