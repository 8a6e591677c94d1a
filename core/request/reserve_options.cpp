#include "core/request/reserve_options.hpp"

#include "core/request/reserve_alterations.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

// It needs nothing of what files say.
Result<ReserveOptions> accepted(const GivenOptions& given) {
  if (given.options.size() > 1) return Error{"-accept stands alone: no other option goes with it"};
  const auto& token = given.options.front().values.front();
  ReserveOptions result;
  result.accepted = OfferToken::parse(token);
  if (!result.accepted) return Error{"no such offer: \"" + excerpt(token) + "\""};
  return result;
}

} // namespace

const std::vector<OptionRule>& reserve_option_rules() {
  static const auto all = [] {
    std::vector<OptionRule> made;
    for (const auto& option : reserve_table())
      made.push_back({std::string(*option.name), count_values(*option.values), true});
    return made;
  }();
  return all;
}

namespace {

// What goes with -repeat, and what does not (spec/beyond.md section 13).
Outcome check_series(ReserveOptions& options) {
  const auto& series = options.series;
  const auto wrong = [](const char* why) { return Error{why}; };
  if (series.rule.empty()) {
    if (const auto alone = series.needs_rule(); !alone.empty())
      return Error{"option " + alone + " needs -repeat"};
    if (is_time_of_day(series.end))
      return Error{"Wrong date/time format \"" + series.end + "\" specified to -e option"};
    return Done{};
  }
  if (options.request.asap) return wrong("-repeat and asap exclude each other");
  if (series.start.empty()) return wrong("-repeat needs -a, its first day and the time of day");
  if (!series.end.empty() && !is_time_of_day(series.end))
    return wrong("with -repeat, -e is a time of day: hhmm");
  if (!series.end.empty() && options.request.has_duration)
    return wrong("with -repeat, -e and -d exclude each other");
  if (options.from_job) return wrong("-repeat and -from-job exclude each other");
  if (options.override_holds) return wrong("-repeat and -override-holds exclude each other");
  if (options.price) return wrong("-repeat and -w p exclude each other");
  options.request.start = options.request.end = {};
  return Done{};
}

} // namespace

Result<ReserveOptions> parse_reservation(const std::vector<std::string>& arguments,
                                         const ToInstant& to_instant, const OptionsOf& options_of,
                                         const std::vector<std::vector<GivenOption>>& defaults) {
  const auto given = parse_options(arguments, reserve_option_rules(), Operands::anywhere);
  if (!given) return given.error();
  if (!given->operands.empty())
    return Error{"invalid option argument \"" + given->operands.front() + "\""};
  ReserveOptions result;
  result.help = given->has("-help");
  if (result.help) return result; // whatever stands in files
  if (given->has("-accept")) return accepted(*given);
  auto sources = defaults;
  sources.push_back(given->options);
  for (const auto& source : sources) {
    std::vector<std::string> read;
    if (auto done = read_reserve_options(result, source, to_instant, options_of, read); !done)
      return done.error();
  }
  const auto& request = result.request;
  for (const auto& [option, is_given] :
       {std::pair{"-hosts", !request.hosts.empty()}, std::pair{"-running", result.names_running},
        std::pair{"-f", result.force}})
    if (is_given && !request.maintenance) return Error{std::string(option) + " needs -maintenance"};
  if (result.verify && result.offer_for > Duration{})
    return Error{"-offer and -w exclude each other"};
  if (auto sound = check_series(result); !sound) return sound.error();
  return result;
}

namespace {

// Of both commands; what qrsub alone has is refused by name.
const std::vector<OptionRule>& alteration_rules() {
  static const auto all = [] {
    std::vector<OptionRule> made{{"-rest", 0}, {"-reskey", 1}};
    for (auto rule : reserve_option_rules()) {
      rule.built = rule.built && rule.name != "-@";
      made.push_back(std::move(rule));
    }
    return made;
  }();
  return all;
}

Result<ReservationNumber> altered_number(const std::vector<std::string>& operands,
                                         const ReservationCalled& called) {
  if (operands.empty()) return Error{"the id of an advance reservation is needed"};
  if (operands.size() > 1)
    return Error{"only one advance reservation is changed at a time: one id"};
  const auto number = named_reservation(operands.front(), called);
  if (!number) return number.error();
  if (!*number || !**number || (*number)->value > most_slots)
    return Error{"\"" + excerpt(operands.front()) + "\" is an invalid advance reservation id"};
  return **number;
}

// What is read for it, under the name of what it changes: a host is a request of -l.
Outcome read_alteration(const GivenOption& option, ReserveOptions& read,
                        std::vector<std::string>& read_names, AlterationOptions& into,
                        const ToInstant& to_instant) {
  const std::string name = option.name == "-h" ? "-l" : option.name;
  const auto* alteration = find_reserve_alteration(name);
  if (!alteration && name != "-w" && name != "-help")
    return Error{"option " + name + " of an advance reservation cannot be changed"};
  const bool is_cleared = alteration && *alteration->clears && option.values.front().empty();
  if (!is_cleared)
    if (auto done = read_reserve_options(read, {option}, to_instant, {}, read_names); !done)
      return done;
  auto& names = into.command.options;
  if (alteration && std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(name);
  return Done{};
}

} // namespace

Result<AlterationOptions> parse_alteration(const std::vector<std::string>& arguments,
                                           const ToInstant& to_instant,
                                           const ReservationCalled& called) {
  const auto given = parse_options(arguments, alteration_rules(), Operands::anywhere);
  if (!given) return given.error();
  AlterationOptions result;
  ReserveOptions read;
  std::vector<std::string> read_names;
  for (const auto& option : given->options) {
    if (option.name == "-rest") result.command.rest = true;
    else if (option.name == "-f") result.command.force = true;
    else if (option.name == "-reskey") result.key_file = option.values.front();
    else if (auto done = read_alteration(option, read, read_names, result, to_instant); !done)
      return done.error();
  }
  result.command.request = std::move(read.request);
  result.series = std::move(read.series);
  result.verify = read.verify, result.price = read.price, result.help = read.help;
  if (result.help || result.command.options.empty()) return result;
  const auto number = altered_number(given->operands, called);
  if (!number) return number.error();
  result.command.number = *number;
  return result;
}

} // namespace almanac
