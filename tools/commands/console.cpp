#include "tools/commands/commands.hpp"

#include "core/text/pattern.hpp"
#include "core/text/words.hpp"
#include "tools/output/table.hpp"

#include <iostream>

namespace almanac {

namespace {
constexpr const char* usage =
    R"(usage: almanac-console list [kind] | show id|kind/name [--json] | why job
   list [kind]               living actors of the master: id, kind, name, age
   show id|kind/name         the state of one of them
   why job                   what keeps a job waiting, and with what it would start now
   --json                    with show: as JSON
   --help                    print this help
)";

int list(Context& context, const std::string& kind, std::vector<door::ActorView>* into) {
  return ask<door::Actors>(context, door::ListActors{}, [&](door::Actors& frame) {
    if (into) {
      *into = frame.actors;
      return;
    }
    context.out << line(right("id", 8) + "  " + left("kind", 16) + left("name", 32) +
                        right("age", 8));
    for (const auto& actor : frame.actors)
      if (kind.empty() || matches_pattern(kind, actor.kind))
        context.out << line(right(std::to_string(actor.id), 8) + "  " + left(actor.kind, 16) +
                            left(actor.name, 32) + right(std::to_string(actor.age) + "s", 8));
  });
}

int show(Context& context, const std::string& wanted, bool json) {
  std::vector<door::ActorView> actors;
  if (const int asked = list(context, "", &actors); asked != 0) return asked;
  for (const auto& actor : actors) {
    if (wanted != std::to_string(actor.id) && wanted != actor.kind + "/" + actor.name &&
        wanted != actor.kind)
      continue;
    return ask<door::Output>(context, door::InspectActor{actor.id, json},
                             [&](door::Output& output) { context.out << output.content.content; });
  }
  return complain(context, "no actor \"" + wanted + "\" lives here; see almanac-console list");
}

} // namespace

int almanac_console(Context& context) {
  auto arguments = context.arguments;
  const bool json = std::erase(arguments, "--json") > 0;
  if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-help") {
    (arguments.empty() ? context.err : context.out) << usage;
    return arguments.empty() ? 1 : 0;
  }
  const auto& verb = arguments.front();
  if (verb == "list" && arguments.size() <= 2)
    return list(context, arguments.size() == 2 ? arguments[1] : "", nullptr);
  if (verb == "show" && arguments.size() == 2) return show(context, arguments[1], json);
  if (verb == "why" && arguments.size() == 2) {
    auto number = parse_number(arguments[1]);
    if (!number) return complain(context, "why: " + number.what());
    int code = 0;
    const int asked = ask<Answer>(context, door::AskWhy{*number, true},
                                  [&](Answer& answer) { code = print_answer(context, answer); });
    return asked != 0 ? asked : code;
  }
  context.err << usage;
  return complain(context, "\"" + join(arguments, " ") + "\" is not understood");
}

} // namespace almanac
