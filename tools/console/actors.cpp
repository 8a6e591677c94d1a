#include "tools/console/views.hpp"

#include "core/monitor/invariants.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/table.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

namespace almanac::console {

namespace {

using Json = nlohmann::ordered_json;

int fetch(Context& context, std::vector<door::ActorView>& list) {
  return ask<door::Actors>(context, door::ListActors{}, [&](door::Actors& frame) {
    list.insert(list.end(), frame.actors.begin(), frame.actors.end());
  });
}

} // namespace

int actors(Context& context, const std::string& kind, bool json) {
  std::vector<door::ActorView> list;
  if (const int asked = fetch(context, list); asked != 0) return asked;
  std::erase_if(list,
                [&](auto& actor) { return !kind.empty() && !matches_pattern(kind, actor.kind); });
  if (json) {
    auto all = Json::array();
    for (const auto& actor : list)
      all.push_back(
          {{"id", actor.id}, {"kind", actor.kind}, {"name", actor.name}, {"age", actor.age}});
    context.out << all.dump(2) << "\n";
    return 0;
  }
  context.out << line(right("id", 8) + "  " + left("kind", 16) + left("name", 32) +
                      right("age", 8));
  for (const auto& actor : list)
    context.out << line(right(std::to_string(actor.id), 8) + "  " + left(actor.kind, 16) +
                        left(actor.name, 32) + right(std::to_string(actor.age) + "s", 8));
  return 0;
}

int show(Context& context, const std::string& wanted, bool json) {
  std::vector<door::ActorView> list;
  if (const int asked = fetch(context, list); asked != 0) return asked;
  for (const auto& actor : list) {
    if (wanted != std::to_string(actor.id) && wanted != actor.kind + "/" + actor.name &&
        wanted != actor.kind)
      continue;
    return ask<door::Output>(
        context, door::InspectActor{actor.id, json},
        [&](door::Output& output) { context.out << printable(output.content.content, "\n"); });
  }
  return complain(context, "there is no actor \"" + wanted + "\"; see almanac-console actors");
}

int invariants(Context& context, bool json) {
  auto list = Json::array();
  for (int number = 1; number <= static_cast<int>(last_invariant); ++number) {
    const auto invariant = static_cast<Invariant>(number);
    const bool live = is_seen_in_records(invariant);
    if (json)
      list.push_back({{"number", number}, {"sentence", sentence(invariant)}, {"live", live}});
    else
      context.out << line(right(std::to_string(number), 3) + "  " + sentence(invariant) +
                          (live ? "" : " (only simulations see it)"));
  }
  context.out << (json ? list.dump(2) : "") << "\n";
  return json ? 0 : show(context, "views", false);
}

} // namespace almanac::console
