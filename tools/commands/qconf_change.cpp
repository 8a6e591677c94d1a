#include "tools/commands/qconf_change.hpp"

namespace almanac {

int change_configuration(Context& context, ConfigureCommand command) {
  if (!context.only_tries)
    return std::visit(
        [&](auto& body) { return run_command(context, CommandBody(std::move(body))); }, command);
  int code = 0;
  const int asked = ask<Answer>(context, door::AskConfigure{std::move(command)},
                                [&](Answer& answer) { code = print_answer(context, answer); });
  return asked != 0 ? asked : code;
}

} // namespace almanac
