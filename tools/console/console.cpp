#include "tools/commands/commands.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/console/views.hpp"

#include <algorithm>
#include <iostream>
#include <optional>

namespace almanac {

namespace {

constexpr const char* usage =
    R"(usage: almanac-console [--json] [command]
   actors [kind]             living actors of the master: id, kind, name, age
   show id|kind/name         the state of one of them
   why job                   what keeps a job waiting, and with what it would start now
   hosts                     hosts with their state, load, and the slots that are taken
   calendar [name] [hours]   what is booked of each queue instance from now on, as a picture:
                             running jobs, holds of waiting ones, and reservations; name is a
                             host, queue, queue instance or reservation
   quotas [users]            limits of quota sets with what is used of them, what is planned from
                             now on, and who has it; of these users, or of all
   invariants                what must always hold, and whether it does
   journal [last] [seconds]  the last inputs of the master, and those of the next seconds
   journal tail [last]       the last inputs, and all that come until it is interrupted
   trace job|kind/name [seconds]
                             the messages that an actor gets from now on: kind and name as actors
                             lists them; for a job (its number is enough), reservation/number or
                             host/name also the inputs that name it, and what it becomes by them
   top [every] [times]       rates, times of passes and lengths of mailboxes, every so many seconds
   watch [kind...] [--after cursor] [--list] [--once]
                             what changes from now on, or since a cursor that an earlier line
                             began with: cursor, event, id and state; kinds are job, ar, host,
                             instance and the objects of qconf (cqueue, hgroup, pe, centry, ...);
                             --list: what there is comes first; --once: up to now
   --json                    as JSON; journal, trace, watch and top print one value a line
   --help                    print this help
Without a command, at a terminal, it asks for commands, with history and completion.
)";

constexpr std::int64_t without_end = -1;

// The word at `at` as a number from `least` on, `fallback` where there is none.
std::optional<std::int64_t> number_at(Context& context, const std::vector<std::string>& words,
                                      std::size_t at, std::int64_t fallback, std::int64_t least) {
  if (words.size() <= at) return fallback;
  constexpr std::int64_t most = 9'999'999; // the highest number of a job
  const auto number = parse_number(words[at]);
  if (number && *number >= least && *number <= most) return *number;
  complain(context, words.front() + ": \"" + words[at] + "\" is not a number from " +
                        std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

int calendar(Context& context, const std::vector<std::string>& words, bool json) {
  const auto hours = number_at(context, words, 2, 24, 1);
  return hours ? console::calendar(context, words.size() > 1 ? words[1] : "", *hours, json) : 1;
}

int why(Context& context, const std::vector<std::string>& words, bool json) {
  const auto job = number_at(context, words, 1, 0, 1);
  return job ? console::why(context, {*job}, json) : 1;
}

int journal(Context& context, const std::vector<std::string>& words, bool json) {
  if (words.size() > 1 && words[1] == "tail") {
    const auto last = number_at(context, words, 2, 10, 1);
    return last ? console::journal(context, *last, without_end, json) : 1;
  }
  const auto last = number_at(context, words, 1, 20, 1);
  const auto seconds = last ? number_at(context, words, 2, 0, 0) : std::nullopt;
  return seconds ? console::journal(context, *last, *seconds, json) : 1;
}

// An id of a reservation is known as R12, too.
std::string plain_id(const std::string& name) {
  constexpr std::string_view kind = "reservation/";
  const auto number =
      name.starts_with(kind) ? parse_reservation_id(name.substr(kind.size())) : Error{};
  return number ? std::string(kind) + to_string(*number) : name;
}

int trace(Context& context, const std::vector<std::string>& words, bool json) {
  const auto seconds = number_at(context, words, 2, without_end, 0);
  if (!seconds) return 1;
  const auto name = plain_id(words[1]);
  const auto slash = name.find('/');
  if (slash == std::string::npos)
    return parse_number(name) ? console::trace(context, "job", name, *seconds, json)
                              : console::trace(context, name, "", *seconds, json);
  return console::trace(context, name.substr(0, slash), name.substr(slash + 1), *seconds, json);
}

int watch(Context& context, std::vector<std::string> words, bool json) {
  door::Subscribe wanted;
  wanted.list = std::erase(words, "--list") > 0;
  wanted.once = std::erase(words, "--once") > 0;
  if (const auto after = std::find(words.begin(), words.end(), "--after"); after != words.end()) {
    if (std::next(after) == words.end() || wanted.list)
      return complain(context, "watch: --after needs a cursor, and --list begins without one");
    wanted.after = *std::next(after);
    words.erase(after, after + 2);
  }
  wanted.kinds.assign(words.begin() + 1, words.end());
  for (const auto& kind : wanted.kinds)
    if (kind.starts_with('-')) return complain(context, "watch: \"" + kind + "\" is no option");
  return console::watch(context, std::move(wanted), json);
}

int top(Context& context, const std::vector<std::string>& words, bool json) {
  const auto every = number_at(context, words, 1, 2, 1);
  const auto times = every ? number_at(context, words, 2, without_end, 1) : std::nullopt;
  return times ? console::top(context, *every, *times, json) : 1;
}

} // namespace

int almanac_console(Context& context) {
  auto words = context.arguments;
  const bool json = std::erase(words, "--json") > 0;
  if (words.empty() || words.front() == "--help" || words.front() == "-help") {
    (words.empty() ? context.err : context.out) << usage;
    return words.empty() ? 1 : 0;
  }
  const auto& verb = words.front();
  const auto count = words.size();
  if (verb == "actors" && count <= 2)
    return console::actors(context, count == 2 ? words[1] : "", json);
  if (verb == "show" && count == 2) return console::show(context, plain_id(words[1]), json);
  if (verb == "hosts" && count == 1) return console::hosts(context, json);
  if (verb == "invariants" && count == 1) return console::invariants(context, json);
  if (verb == "calendar" && count <= 3) return calendar(context, words, json);
  if (verb == "quotas" && count <= 2)
    return console::quotas(context, count == 2 ? words[1] : "", json);
  if (verb == "why" && count == 2) return why(context, words, json);
  if (verb == "journal" && count <= 3) return journal(context, words, json);
  if (verb == "trace" && (count == 2 || count == 3)) return trace(context, words, json);
  if (verb == "watch") return watch(context, std::move(words), json);
  if (verb == "top" && count <= 3) return top(context, words, json);
  context.err << usage;
  return complain(context, "\"" + join(words, " ") + "\" is not understood");
}

} // namespace almanac
