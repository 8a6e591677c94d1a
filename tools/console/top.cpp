#include "tools/console/views.hpp"

#include "core/text/values.hpp"
#include "core/text/table.hpp"

#include <chrono>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace almanac::console {

namespace {

// Counters of the actors, by "calendar.passes".
using Figures = std::map<std::string, std::int64_t>;

int read(Context& context, Figures& figures) {
  std::map<std::string, std::int64_t> ids;
  const int asked = ask<door::Actors>(context, door::ListActors{}, [&](door::Actors& frame) {
    for (const auto& actor : frame.actors) {
      ++figures["actors"];
      if (actor.name.empty()) ids[actor.kind] = actor.id;
    }
  });
  if (asked != 0) return asked;
  for (const auto* kind : {"calendar", "journal", "gate", "views"}) {
    const int inspected =
        ask<door::Output>(context, door::InspectActor{ids[kind], false}, [&](door::Output& output) {
          std::istringstream lines(output.content.content);
          for (std::string text; std::getline(lines, text);) {
            const auto colon = text.find(": ");
            if (colon == std::string::npos) continue;
            if (const auto number = parse_number(text.substr(colon + 2)))
              figures[std::string(kind) + "." + text.substr(0, colon)] = *number;
          }
        });
    if (inspected != 0) return inspected;
  }
  return 0;
}

// What is shown of two looks, `seconds` apart.
struct Row {
  const char* title;
  double value;
  int decimals;
};
std::vector<Row> rows(Figures& before, Figures& now, double seconds) {
  const auto grown = [&](const char* name) {
    return static_cast<double>(now[name] - before[name]);
  };
  const auto at = [&](const char* name) { return static_cast<double>(now[name]); };
  const auto share = [](double part, double of) { return of > 0 ? part / of : 0; };
  const auto passes = grown("calendar.passes");
  return {{"inputs/s", grown("calendar.sequence") / seconds, 1},
          {"commits/s", grown("journal.commits") / seconds, 1},
          {"inputs/commit", share(grown("calendar.sequence"), grown("journal.commits")), 1},
          {"pass slices/s", passes / seconds, 1},
          {"mean slice ms", share(grown("calendar.pass_us"), passes) / 1000, 3},
          {"longest slice ms", at("calendar.longest_pass_us") / 1000, 3},
          {"calendar's mailbox", at("calendar.mailbox"), 0},
          {"journal's mailbox", at("journal.mailbox"), 0},
          {"views' mailbox", at("views.mailbox"), 0},
          {"requests in flight", at("gate.in_flight"), 0},
          {"jobs", at("calendar.jobs"), 0},
          {"reservations", at("calendar.reservations"), 0},
          {"hosts", at("calendar.hosts"), 0},
          {"actors", at("actors"), 0}};
}

void print(Context& context, const std::vector<Row>& list, bool json) {
  if (json) {
    nlohmann::ordered_json object;
    for (const auto& row : list) object[row.title] = row.value;
    context.out << object.dump() << "\n";
    return;
  }
  for (const auto& row : list)
    context.out << line(left(row.title, 24) + right(fixed(row.value, row.decimals), 12));
  context.out << "\n";
}

} // namespace

int top(Context& context, std::int64_t every, std::int64_t times, bool json) {
  Figures before;
  if (const int asked = read(context, before); asked != 0) return asked;
  auto looked = std::chrono::steady_clock::now();
  for (; times != 0; times -= times > 0) {
    std::this_thread::sleep_for(std::chrono::seconds(every));
    Figures now;
    if (const int asked = read(context, now); asked != 0) return asked;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - looked;
    looked += std::chrono::duration_cast<std::chrono::steady_clock::duration>(passed);
    print(context, rows(before, now, passed.count()), json);
    context.out.flush();
    before = std::move(now);
  }
  return 0;
}

} // namespace almanac::console
