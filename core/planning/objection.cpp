#include "core/planning/objection.hpp"

#include "core/request/valid.hpp"

namespace almanac {

std::optional<Answer> objection(const CommandBody& body) {
  const auto outcome = valid(body);
  if (outcome) return std::nullopt;
  if (!std::holds_alternative<Submit>(body)) return Answer::refusal(outcome.what());
  return Answer{1, 0, {{"Unable to run job: " + outcome.what() + ".", true}, {"Exiting.", true}}};
}

std::optional<Answer> objection(const Command& command) {
  if (const auto known = valid(command.caller); !known) return Answer::refusal(known.what());
  return objection(command.body);
}

} // namespace almanac
