#include "core/request/plus_options.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <optional>

namespace almanac {

namespace {

constexpr Duration oldest_start{60}; // P3.14: so much later a command may arrive

std::vector<OptionRule> rules_of(std::string_view command) {
  std::vector<OptionRule> rules;
  for (const auto* row : plus_options_of(command))
    rules.push_back({std::string(*row->name), count_values(*row->values)});
  rules.push_back({"--help", 0});
  return rules;
}

std::optional<Error> missing(std::string_view command, const GivenOptions& given) {
  for (const auto* row : plus_options_of(command)) {
    const auto needed = words(*row->needed, " ");
    if (std::find(needed.begin(), needed.end(), command) == needed.end()) continue;
    if (!given.has(std::string(*row->name)))
      return Error{"option " + std::string(*row->name) + " is missing"};
  }
  return std::nullopt;
}

// What options mean together: one function for each command that has such a rule.

std::optional<Error> window_is_wrong(const PlusOptions& o) {
  if (o.start && o.end && *o.end <= *o.start)
    return Error{"the end (-e) is not after the start (-s)"};
  return std::nullopt;
}

std::optional<Error> check_reserve(PlusOptions& o, const PlusClock& clock) {
  if (o.end.has_value() == o.length.has_value()) return Error{"either -e or -D is given"};
  if (auto wrong = window_is_wrong(o)) return wrong;
  if (*o.start < clock.now - oldest_start) o.refusal = "the start (-s) has passed";
  return std::nullopt;
}

std::optional<Error> check_modify(const PlusOptions& o) {
  if (o.end && o.length) return Error{"-e and -D exclude each other"};
  if (!o.start && !o.end && !o.length && o.request.nodes == 0 && o.users.empty())
    return Error{"no change is given: -s, -e, -D, -n or -U"};
  return window_is_wrong(o);
}

std::optional<Error> check_removal(const PlusOptions& o) {
  if ((o.number != ReservationNumber{}) == !o.owner.empty())
    return Error{"either -r or -o is given"};
  if (o.holds && !o.owner.empty()) return Error{"-o and -T exclude each other"};
  if (!o.key_file.empty() && !o.owner.empty()) return Error{"-o and -reskey exclude each other"};
  return std::nullopt;
}

std::optional<Error> check_account(const PlusOptions& o) {
  if (o.days > 0 && o.start) return Error{"-d and -s exclude each other"};
  if (o.each && o.only_total) return Error{"-l and -S exclude each other"};
  return window_is_wrong(o);
}

std::optional<Error> check(std::string_view command, PlusOptions& o, const PlusClock& clock) {
  if (command == "reserve") return check_reserve(o, clock);
  if (command == "modify") return check_modify(o);
  if (command == "cancel" || command == "destroy") return check_removal(o);
  if (command == "account") return check_account(o);
  return window_is_wrong(o);
}

Outcome read(std::string_view command, const GivenOption& option, const PlusClock& clock,
             PlusOptions& into) {
  for (const auto* row : plus_options_of(command))
    if (*row->name == option.name) return (*row->read)({into, option, clock});
  return Done{}; // --help
}

} // namespace

Result<PlusOptions> parse_plus(std::string_view command, const std::vector<std::string>& arguments,
                               const PlusClock& clock) {
  const auto given = parse_options(arguments, rules_of(command), Operands::anywhere);
  if (!given) return given.error();
  PlusOptions options;
  options.help = given->has("-help") || given->has("--help");
  if (options.help) return options;
  if (!given->operands.empty())
    return Error{"invalid option argument \"" + given->operands.front() + "\""};
  options.request.whole_nodes = options.request.preempts = command == "reserve";
  for (const auto& option : given->options)
    if (auto done = read(command, option, clock, options); !done) return done.error();
  if (auto why = missing(command, *given)) return *why;
  if (auto why = check(command, options, clock)) return *why;
  return options;
}

std::string plus_usage(std::string_view command) {
  std::vector<UsageLine> lines;
  for (const auto* row : plus_options_of(command))
    lines.push_back({std::string(*row->name), std::string(*row->values), std::string(*row->help)});
  return "usage: plus_" + std::string(command) + " [options]\n" + print_usage(std::move(lines));
}

} // namespace almanac
