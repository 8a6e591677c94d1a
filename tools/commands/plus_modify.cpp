#include "tools/commands/commands.hpp"
#include "tools/commands/plus_call.hpp"

#include "tools/commands/user_groups.hpp"

namespace almanac {

namespace {

PrepareReservation command_of(const PlusOptions& options) {
  PrepareReservation command;
  command.transaction = plus_transaction, command.number = options.number;
  command.verb = ReservationVerb::change, command.hold_for = held_for(options);
  auto& request = command.request;
  request.nodes = options.request.nodes, request.users = options.users;
  if (options.start) request.start = *options.start;
  if (options.end) request.end = *options.end;
  if (options.length) request.duration = *options.length, request.has_duration = true;
  return command;
}

} // namespace

int plus_modify(Context& context) {
  int code = 0;
  const auto options = read_plus(context, "modify", code);
  if (!options) return code;
  auto command = command_of(*options);
  if (auto found = find_groups(context, command.request); !found)
    return complain(context, found.what(), plus_exit::refused);
  return run_plus_with_key(context, std::move(command), options->key_file);
}

} // namespace almanac
