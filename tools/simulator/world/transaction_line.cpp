#include "tools/simulator/world/transaction_line.hpp"

#include "core/request/reserve_options.hpp"
#include "core/text/values.hpp"
#include "tools/commands/context.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

// -nodes N: whole hosts; with -node-slots K so many slots on each. They are taken out of the words.
Outcome take_nodes(std::vector<std::string>& words, ReservationRequest& request) {
  const auto take = [&](const char* name, std::int64_t& into) -> Outcome {
    const auto at = std::find(words.begin(), words.end(), name);
    if (at == words.end()) return Done{};
    const auto number =
        at + 1 == words.end() ? Result<std::int64_t>(Error{""}) : parse_number(at[1]);
    if (!number) return Error{std::string(name) + " needs a number"};
    into = *number;
    words.erase(at, at + 2);
    return Done{};
  };
  if (auto taken = take("-nodes", request.nodes); !taken) return taken;
  if (auto taken = take("-node-slots", request.node_slots); !taken) return taken;
  request.whole_nodes = request.nodes > 0 && request.node_slots == 0;
  return Done{};
}

Result<CommandBody> prepare(const std::vector<std::string>& words, Instant now) {
  static const std::map<std::string, ReservationVerb> verbs{{"change", ReservationVerb::change},
                                                            {"cancel", ReservationVerb::cancel},
                                                            {"destroy", ReservationVerb::destroy}};
  const Error unclear{"prepare NAME SECONDS [key|change|cancel|destroy NUMBER] [preempts] "
                      "[-nodes N [-node-slots K]] [options of qrsub]"};
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
  std::vector<std::string> rest(options, words.end());
  const bool preempts = !rest.empty() && rest.front() == "preempts";
  if (preempts) rest.erase(rest.begin());
  ReservationRequest nodes;
  if (auto taken = take_nodes(rest, nodes); !taken) return taken.error();
  auto parsed =
      parse_reservation(rest, [&](const DateTime& date) { return to_instant(date, now); });
  if (!parsed) return parsed.error();
  command.request = std::move(parsed->request);
  command.request.nodes = nodes.nodes, command.request.node_slots = nodes.node_slots;
  command.request.whole_nodes = nodes.whole_nodes && !command.number;
  command.request.preempts = preempts;
  return CommandBody(std::move(command));
}

// give-up cancel|destroy R1 ...
Result<CommandBody> give_up(const std::vector<std::string>& words) {
  if (words.size() < 3 || (words[1] != "cancel" && words[1] != "destroy"))
    return Error{"give-up cancel|destroy ID..."};
  return CommandBody(RemoveReservations{{words.begin() + 2, words.end()},
                                        {},
                                        words[1] == "cancel" ? ReservationVerb::cancel
                                                             : ReservationVerb::destroy});
}

} // namespace

std::optional<Result<CommandBody>> transaction_line(const std::vector<std::string>& words,
                                                    Instant now) {
  if (words.front() == "prepare") return prepare(words, now);
  if (words.front() == "give-up") return give_up(words);
  const bool commits = words.front() == "commit";
  if (!commits && words.front() != "abort") return std::nullopt;
  const auto number = words.size() == 3 ? parse_number(words[2]) : Error{""};
  if (!number) return Result<CommandBody>(Error{words.front() + " NAME NUMBER"});
  return Result<CommandBody>(CommandBody(SettleReservation{words[1], {*number}, commits}));
}

} // namespace almanac
