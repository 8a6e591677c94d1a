#include "tools/commands/commands.hpp"

#include "core/request/reserve_options.hpp"
#include "tools/commands/user_groups.hpp"

#include <iostream>

namespace almanac {

namespace {
constexpr const char* usage = "usage: qrsub [options]\n";

// Behind the reasons, and before the line that is always the last one.
void add_alternatives(Context& context, const Reserve& command, Answer& answer) {
  if (answer.statements.empty() ||
      answer.statements.back().code != AnswerCode::no_suitable_queues_for_reservation)
    return;
  ask<Answer>(context, door::AskReserve{command, false, true}, [&](Answer& found) {
    if (found.exit_code == 0)
      answer.statements.insert(answer.statements.end() - 1, found.statements.begin(),
                               found.statements.end());
  });
}

int reserve(Context& context, const Reserve& command) {
  Answer answer;
  const int asked = ask<Answer>(context, door::RunCommand{command},
                                [&](Answer& given) { answer = std::move(given); });
  if (asked != 0) return asked;
  add_alternatives(context, command, answer);
  return print_answer(context, answer);
}

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
  if (!parsed->verify) return reserve(context, Reserve{parsed->request});
  int code = 0;
  const int asked = ask<Answer>(context, door::AskReserve{{parsed->request}, parsed->price},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace almanac
