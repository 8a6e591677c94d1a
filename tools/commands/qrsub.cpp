#include "tools/commands/commands.hpp"

#include "core/request/reserve_options.hpp"
#include "core/text/pattern.hpp"
#include "tools/commands/default_options.hpp"
#include "tools/commands/official_hosts.hpp"
#include "tools/commands/time_zones.hpp"
#include "tools/commands/user_groups.hpp"

#include <algorithm>
#include <iostream>

namespace almanac {

namespace {
constexpr const char* usage = "usage: qrsub [options]\n";

bool has_no_place(const Answer& answer) {
  if (answer.statements.empty()) return false;
  const auto last = answer.statements.back().code;
  return last == AnswerCode::no_suitable_queues_for_reservation ||
         last == AnswerCode::no_start_before;
}

// Behind the reasons, and before the line that is always the last one.
void add_alternatives(Context& context, const Reserve& command, Answer& answer) {
  if (!command.recurrence.rule.empty() || !has_no_place(answer)) return;
  ask<Answer>(context, door::AskReserve{command, false, true}, [&](Answer& found) {
    if (found.exit_code == 0)
      answer.statements.insert(answer.statements.end() - 1, found.statements.begin(),
                               found.statements.end());
  });
}

// A script does not take an offer for a grant.
constexpr int offered = 2;

bool makes_offer(const Answer& answer) {
  return answer.exit_code == 0 && !answer.statements.empty() &&
         answer.statements.front().code == AnswerCode::offer_made;
}

// Whether only others may use it. What is on a list, only the master knows.
bool leaves_out(const std::vector<std::string>& users, const std::string& owner) {
  return !users.empty() && std::none_of(users.begin(), users.end(), [&](const auto& entry) {
    return entry.starts_with('@') || entry.starts_with('!') || matches_pattern(entry, owner);
  });
}

int reserve(Context& context, const Reserve& command) {
  Answer answer;
  const int asked = ask<Answer>(context, door::RunCommand{command},
                                [&](Answer& given) { answer = std::move(given); });
  if (asked != 0) return asked;
  add_alternatives(context, command, answer);
  const int code = print_answer(context, answer);
  if (code == 0 && leaves_out(command.request.users, context.user))
    tell_person(context, "-u does not name " + context.user + ": your own jobs can't run in it");
  return makes_offer(answer) ? offered : code;
}

int accept(Context& context, const OfferToken& token) {
  int code = 0;
  const SettleReservation command{token.transaction, token.number, true};
  const int asked = ask<Answer>(context, door::RunCommand{command}, [&](Answer& answer) {
    for (auto& statement : answer.statements)
      if (statement.code == AnswerCode::nothing_held)
        statement.code = AnswerCode::no_such_offer, statement.details = {{"token", token.text()}};
    code = print_answer(context, answer);
  });
  return asked != 0 ? asked : code;
}

// What Grid Engine's master finds has no command before it.
int complain_of_reservation(Context& context, const std::string& what) {
  if (!what.starts_with("\"advance_reservation\" ")) return complain(context, what);
  context.err << what << "\n";
  return 1;
}

Outcome add_recurrence(const Context& context, SeriesOptions options, Reserve& command) {
  if (options.rule.empty()) return Done{};
  auto zone = find_zone(context, options.zone);
  if (!zone) return zone.error();
  options.zone = zone->name;
  auto recurrence = recurrence_of(options, std::move(zone->zone), context.now());
  if (!recurrence) return recurrence.error();
  command.recurrence = std::move(*recurrence);
  return Done{};
}

Result<ReserveOptions> read_words(Context& context) {
  const auto& rules = reserve_option_rules();
  const auto defaults =
      read_default_files(context, "sge_ar_request", DefaultFiles::cell_and_home, rules);
  if (!defaults) return defaults.error();
  return parse_reservation(
      context.arguments, [&](const DateTime& date) { return to_instant(date, context.now()); },
      options_of_files(context, rules), *defaults);
}

} // namespace

int qrsub(Context& context) {
  if (context.arguments.empty()) {
    context.err << usage << print_usage(reserve_usage()) << "ERROR! no option argument\n";
    return 1;
  }
  auto parsed = read_words(context);
  if (!parsed) {
    if (parsed.what().starts_with("Wrong date"))
      context.err << "\nInvalid format of date/hour-minute field.\n";
    const int code = complain_of_reservation(context, parsed.what());
    tell_form(context, parsed.what());
    return code;
  }
  if (parsed->help) {
    context.out << usage << print_usage(reserve_usage());
    return 0;
  }
  if (parsed->accepted) return accept(context, *parsed->accepted);
  if (auto found = find_groups(context, parsed->request); !found) {
    context.err << "error: " << found.what() << "\n";
    tell_person(context, "users and their groups are looked up on this host: " + context.host);
    return 1;
  }
  use_official_hosts(context, parsed->request);
  Reserve command{parsed->request,  parsed->override_holds, parsed->explain,
                  parsed->from_job, parsed->offer_for,      parsed->offer_kinds};
  command.force = parsed->force;
  if (auto done = add_recurrence(context, parsed->series, command); !done)
    return complain(context, done.what());
  if (!parsed->verify) return reserve(context, command);
  int code = 0;
  const int asked = ask<Answer>(context, door::AskReserve{command, parsed->price},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace almanac
