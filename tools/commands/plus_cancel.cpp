// plus_cancel and plus_destroy: a reservation is given up, and kept as a record or removed.
#include "tools/commands/commands.hpp"
#include "tools/commands/plus_call.hpp"

namespace almanac {

namespace {

int give_up(Context& context, std::string_view command, ReservationVerb verb) {
  int code = 0;
  const auto options = read_plus(context, command, code);
  if (!options) return code;
  if (options->holds)
    return run_plus_with_key(
        context,
        PrepareReservation{plus_transaction, options->number, verb, {}, held_for(*options)},
        options->key_file);
  RemoveReservations removal;
  removal.verb = verb;
  if (options->number) removal.targets = {to_string(options->number)};
  else removal.users = {options->owner};
  return run_plus_with_key(context, std::move(removal), options->key_file);
}

} // namespace

int plus_cancel(Context& context) { return give_up(context, "cancel", ReservationVerb::cancel); }
int plus_destroy(Context& context) { return give_up(context, "destroy", ReservationVerb::destroy); }

} // namespace almanac
