#include "tools/commands/qconf_change.hpp"

#include "core/answer/gridengine.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"
#include "tools/commands/file_lines.hpp"
#include "tools/commands/object_file.hpp"
#include "tools/commands/official_hosts.hpp"

#include <vector>

namespace almanac {

namespace {

void use_official_hosts_in(const Context& context, ConfigureCommand& command) {
  if (auto* one = std::get_if<Configure>(&command)) use_official_hosts(context, one->change);
  else
    for (auto& change : std::get<ConfigureAll>(command).changes)
      if (change.object.kind != ObjectKind::quota_set) use_official_hosts(context, change);
}

// A file without its lines that have a name only, which are left empty; and what is said of these.
struct SoundLines {
  std::string text;
  std::vector<Statement> refusals;
};

SoundLines sound_lines(const std::string& text) {
  SoundLines sound;
  bool continued = false;
  for (const auto& line : split(text, '\n')) {
    const auto trimmed = trim(line);
    const bool is_name = !continued && !trimmed.empty() && !trimmed.starts_with('#') &&
                         trimmed.find_first_of(" \t\\") == std::string_view::npos;
    if (is_name) {
      auto& refusal = sound.refusals.emplace_back(
          Statement::said("attribute \"" + excerpt(trimmed) + "\" has no value"));
      refusal.trouble = true;
    } else {
      sound.text += line;
    }
    sound.text += '\n';
    continued = trimmed.ends_with('\\');
  }
  return sound;
}

// Of the trial of what is sound in a file: it is refused for the rest of it in any case.
void refuse(Answer& answer, std::vector<Statement> refusals, bool only_tries) {
  auto& said = answer.statements;
  std::erase_if(said, [](const Statement& one) { return !one.trouble; });
  said.insert(said.begin(), refusals.begin(), refusals.end());
  if (only_tries) answer.say({AnswerCode::change_would_be_refused, {}});
  answer.exit_code = 1;
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

int change_from_text(Context& context, ChangeVerb verb, ObjectKind kind, const ObjectText& file,
                     const std::string& name) {
  const auto sound =
      kind == ObjectKind::complex ? SoundLines{file.text, {}} : sound_lines(file.text);
  auto object = read_object(kind, sound.text);
  if (!object) {
    for (const auto& refusal : sound.refusals)
      complain(context, file.path + ": " + gridengine::text_of(refusal));
    return complain(context, file.path + ": " + object.what());
  }
  if (!name.empty()) object->name = name;
  const bool only_tries = context.only_tries;
  context.only_tries = only_tries || !sound.refusals.empty();
  const int code =
      change_configuration(context, Configure{{verb, std::move(*object), {}}}, [&](Answer& answer) {
        if (!sound.refusals.empty()) refuse(answer, sound.refusals, only_tries);
        add_lines_of_file(answer, file.path, file.text);
      });
  context.only_tries = only_tries;
  return code;
}

int refuse_others_than_managers(Context& context) {
  // What nobody may change: others than managers hear first that they may change nothing.
  const Configure of_nobody{{ChangeVerb::erase, {ObjectKind::orphan, "", {}}, {}}};
  int code = 0;
  const int asked = ask<Answer>(context, door::AskConfigure{of_nobody}, [&](Answer& answer) {
    const bool may = !answer.statements.empty() &&
                     answer.statements.front().code == AnswerCode::orphans_are_not_configured;
    // What would come of the change is said at the end, and only where -w v asks for it.
    std::erase_if(answer.statements, [](const Statement& one) {
      return one.code == AnswerCode::change_would_be_refused;
    });
    if (!may) code = print_answer(context, std::move(answer));
  });
  return asked != 0 ? asked : code;
}

} // namespace almanac
