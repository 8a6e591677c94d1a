#include "tools/commands/qconf_change.hpp"

namespace almanac {

int change_configuration(Context& context, ConfigureCommand command,
                         const std::function<void(Answer&)>& amend) {
  int code = 0;
  const auto print = [&](Answer& answer) {
    if (amend) amend(answer);
    code = print_answer(context, answer);
  };
  const auto made = [](ConfigureCommand& asked) {
    return std::visit([](auto& body) { return CommandBody(std::move(body)); }, asked);
  };
  context.is_judged = true;
  const int asked = context.only_tries
                        ? ask<Answer>(context, door::AskConfigure{std::move(command)}, print)
                        : ask<Answer>(context, door::RunCommand{made(command)}, print);
  return asked != 0 ? asked : code;
}

} // namespace almanac
