#include "tools/simulator/world/transaction_line.hpp"

#include "core/request/reserve_options.hpp"
#include "core/text/values.hpp"
#include "tools/commands/context.hpp"

#include <map>

namespace almanac {

namespace {

Result<CommandBody> prepare(const std::vector<std::string>& words, Instant now) {
  static const std::map<std::string, ReservationVerb> verbs{{"change", ReservationVerb::change},
                                                            {"cancel", ReservationVerb::cancel},
                                                            {"destroy", ReservationVerb::destroy}};
  const Error unclear{"prepare NAME SECONDS [key|change|cancel|destroy NUMBER] [options of qrsub]"};
  if (words.size() < 3) return unclear;
  const auto seconds = parse_number(words[2]);
  if (!seconds) return unclear;
  PrepareReservation command;
  command.transaction = words[1], command.hold_for = {*seconds};
  auto options = words.begin() + 3;
  if (words.size() > 4 && verbs.contains(words[3])) {
    const auto number = parse_number(words[4]);
    if (!number) return unclear;
    command.verb = verbs.at(words[3]), command.number = {*number};
    options += 2;
  } else if (words.size() > 3 && words[3] == "key") {
    command.with_key = true;
    ++options;
  }
  auto parsed = parse_reservation({options, words.end()},
                                  [&](const DateTime& date) { return to_instant(date, now); });
  if (!parsed) return parsed.error();
  command.request = std::move(parsed->request);
  return CommandBody(std::move(command));
}

} // namespace

std::optional<Result<CommandBody>> transaction_line(const std::vector<std::string>& words,
                                                    Instant now) {
  if (words.front() == "prepare") return prepare(words, now);
  const bool commits = words.front() == "commit";
  if (!commits && words.front() != "abort") return std::nullopt;
  const auto number = words.size() == 3 ? parse_number(words[2]) : Error{""};
  if (!number) return Result<CommandBody>(Error{words.front() + " NAME NUMBER"});
  return Result<CommandBody>(CommandBody(SettleReservation{words[1], {*number}, commits}));
}

} // namespace almanac
