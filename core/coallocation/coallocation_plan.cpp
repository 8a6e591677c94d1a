#include "core/coallocation/coallocation_plan.hpp"

#include "core/base/last_second.hpp"
#include "core/coallocation/site_answer.hpp"
#include "core/text/token_list.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace almanac {

namespace {

constexpr std::size_t fewest_sites = 2, most_sites = 20;
constexpr std::size_t longest_text = 8192; // of the tokens of a site: the line has room for all
constexpr std::int64_t day = 86400;

// What the coordinator says itself. ECHO would answer with what nobody reads.
constexpr std::array<std::string_view, 12> own_tokens{
    "USER", "TIMENEEDED", "STARTTIME", "TIMESPEC", "MAXRANGES", "MINLEN",
    "HOLD", "TXID",       "RESID",     "ID",       "ECHO",      "GRAIN"};

Outcome valid_tokens(const std::string& text, const std::string& where) {
  if (text.size() > longest_text) return Error{where + " is too long"};
  if (!is_utf8(text) || std::any_of(text.begin(), text.end(), is_control))
    return Error{where + " holds characters that cannot be printed"};
  const auto tokens = parse_token_list(text);
  if (!tokens) return Error{where + ": " + tokens.what()};
  for (const auto& token : *tokens)
    if (std::find(own_tokens.begin(), own_tokens.end(), token.name) != own_tokens.end())
      return Error{where + ": " + token.name + " is not for a plan to say"};
  return Done{};
}

Outcome valid_site(const SitePlan& site) {
  if (site.name.size() > 64 || !valid_host_name(site.name))
    return Error{"\"" + excerpt(site.name) +
                 "\" is not a name of a site: up to 64 letters, digits, dots and dashes"};
  if (site.user.empty() || site.user.size() > 256 || !is_plain(site.user))
    return Error{"site " + site.name + ": \"" + excerpt(site.user) + "\" is not a user"};
  if (trim(site.resources).empty()) return Error{"site " + site.name + ": resources are missing"};
  return valid_tokens(site.resources, "site " + site.name + ": resources");
}

Outcome within(std::int64_t value, std::int64_t least, std::int64_t most, const char* name) {
  if (value >= least && value <= most) return Done{};
  return Error{std::string(name) + " is from " + std::to_string(least) + " to " +
               std::to_string(most) + ", not " + std::to_string(value)};
}

Outcome valid_numbers(const CoallocationPlan& plan) {
  const struct {
    std::int64_t value, least, most;
    const char* name;
  } numbers[] = {{plan.duration.seconds, 1, 3660 * day, "duration"},
                 {plan.skew.seconds, 0, 366 * day, "skew"},
                 {plan.hold.seconds, 1, day, "hold"},
                 {plan.margin.seconds, 1, day, "margin"},
                 {plan.lead.seconds, 0, 366 * day, "lead"},
                 {plan.answer_within.seconds, 1, 3600, "answer_within"},
                 {plan.tries, 1, 100, "tries"},
                 {plan.rounds, 0, 100, "rounds"}};
  for (const auto& number : numbers)
    if (auto fits = within(number.value, number.least, number.most, number.name); !fits)
      return fits;
  return Done{};
}

Outcome leaves_time(const CoallocationPlan& plan, Duration time, const std::string& name) {
  const auto least = 3 * plan.answer_within.seconds + plan.margin.seconds;
  if (time.seconds >= least) return Done{};
  return Error{name + " is at least three times answer_within, and margin: " +
               std::to_string(least) + " s, not " + std::to_string(time.seconds)};
}

} // namespace

Outcome valid_plan(const CoallocationPlan& plan) {
  if (plan.sites.size() < fewest_sites || plan.sites.size() > most_sites)
    return Error{"a plan has two to twenty sites, not " + std::to_string(plan.sites.size())};
  for (std::size_t i = 0; i < plan.sites.size(); ++i) {
    if (auto valid = valid_site(plan.sites[i]); !valid) return valid;
    if (i > 0 && !(plan.sites[i - 1].name < plan.sites[i].name))
      return Error{"two sites are called " + plan.sites[i].name};
  }
  if (auto valid = valid_numbers(plan); !valid) return valid;
  if (plan.earliest.seconds < 0 || plan.earliest > Instant{last_second})
    return Error{"earliest is no time"};
  if (!plan.latest.is_never() &&
      (plan.latest > Instant{last_second} || plan.latest < plan.earliest))
    return Error{"latest is before earliest, or no time"};
  if (auto enough = leaves_time(plan, plan.hold, "hold"); !enough) return enough;
  return valid_tokens(plan.with, "with");
}

Outcome valid_new_plan(const CoallocationPlan& plan) {
  if (auto valid = valid_plan(plan); !valid) return valid;
  return leaves_time(plan, plan.lead, "lead");
}

} // namespace almanac
