#include "tools/console/completion.hpp"

#include <set>

namespace almanac::console {

namespace {

// What a verb takes of each living actor; "" for nothing.
std::string word_for(const std::string& verb, const door::ActorView& actor) {
  const auto named = actor.kind + "/" + actor.name;
  if (verb == "actors") return actor.kind;
  if (verb == "show" || verb == "trace") return actor.name.empty() ? actor.kind : named;
  if (verb == "why") return actor.kind == "job" ? actor.name : "";
  if (verb == "calendar")
    return actor.kind == "host" || actor.kind == "queue-instance" || actor.kind == "reservation"
               ? actor.name
               : "";
  return "";
}

} // namespace

std::vector<std::string> completions(Context& context, const std::vector<std::string>& before,
                                     const std::string& begun) {
  static const std::vector<std::string> verbs{
      "actors", "calendar", "help", "hosts", "invariants", "journal", "quit",
      "quotas", "show",     "top",  "trace", "watch",      "why"};
  std::set<std::string> words;
  if (before.empty()) words.insert(verbs.begin(), verbs.end());
  else if (before.size() == 1)
    ask<door::Actors>(context, door::ListActors{}, [&](door::Actors& frame) {
      for (const auto& actor : frame.actors) words.insert(word_for(before.front(), actor));
    });
  std::vector<std::string> found;
  for (const auto& word : words)
    if (!word.empty() && word.starts_with(begun)) found.push_back(word);
  return found;
}

} // namespace almanac::console
