#include "tools/commands/qconf_change.hpp"

#include "tools/commands/official_hosts.hpp"

namespace almanac {

namespace {

void use_official_hosts_in(const Context& context, ConfigureCommand& command) {
  if (auto* one = std::get_if<Configure>(&command)) use_official_hosts(context, one->change);
  else
    for (auto& change : std::get<ConfigureAll>(command).changes)
      if (change.object.kind != ObjectKind::quota_set) use_official_hosts(context, change);
}

} // namespace

int change_configuration(Context& context, ConfigureCommand command,
                         const std::function<void(Answer&)>& amend) {
  use_official_hosts_in(context, command);
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

int refuse_others_than_managers(Context& context) {
  // What nobody may change: others than managers hear first that they may change nothing.
  const Configure of_nobody{{ChangeVerb::erase, {ObjectKind::orphan, "", {}}, {}}};
  int code = 0;
  const int asked = ask<Answer>(context, door::AskConfigure{of_nobody}, [&](Answer& answer) {
    const bool may = !answer.statements.empty() &&
                     answer.statements.front().code == AnswerCode::orphans_are_not_configured;
    if (!may) code = print_answer(context, std::move(answer));
  });
  return asked != 0 ? asked : code;
}

} // namespace almanac
