#include "tools/commands/commands.hpp"

#include "core/request/reserve_alterations.hpp"
#include "core/request/reserve_options.hpp"
#include "core/text/words.hpp"
#include "tools/commands/named_reservation.hpp"
#include "tools/commands/official_hosts.hpp"
#include "tools/commands/reservation_key.hpp"
#include "tools/commands/time_zones.hpp"
#include "tools/commands/user_groups.hpp"

#include <iostream>

namespace almanac {

namespace {
constexpr const char* usage = "usage: qralter [options] ar_id\n"
                              "   ar_id                     id, R<id> or name\n";

// Whether it is for a series the master knows.
Outcome add_recurrence(const Context& context, SeriesOptions options, AlterReservation& command) {
  NamedZone zone;
  if (!options.zone.empty()) {
    auto found = find_zone(context, options.zone);
    if (!found) return found.error();
    zone = std::move(*found);
  }
  if (equal_ignoring_case(options.start, "asap")) options.start.clear();
  auto recurrence = changed_recurrence(options, std::move(zone.zone), context.now());
  if (!recurrence) return recurrence.error();
  command.recurrence = std::move(*recurrence);
  return Done{};
}

std::string usage_text() { return usage + print_usage(reserve_alteration_usage()); }
} // namespace

int qralter(Context& context) {
  auto parsed = parse_alteration(
      context.arguments, [&](const DateTime& date) { return to_instant(date, context.now()); },
      find_reservation_by_name(context));
  if (!parsed) {
    if (parsed.what().starts_with("Wrong date"))
      context.err << "\nInvalid format of date/hour-minute field.\n";
    const int code = complain(context, parsed.what());
    tell_form(context, parsed.what());
    return code;
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
  if (auto done = add_recurrence(context, parsed->series, command); !done)
    return complain(context, done.what());
  if (auto found = find_groups(context, command.request); !found) {
    context.err << "error: " << found.what() << "\n";
    return 1;
  }
  use_official_hosts(context, command.request);
  if (!parsed->verify) return run_command_with_key(context, command, parsed->key_file);
  int code = 0;
  const int asked = ask<Answer>(context, door::AskAlterReservation{command, parsed->price},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace almanac
