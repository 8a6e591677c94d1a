#include "core/coallocation/site_part.hpp"

#include "core/base/last_second.hpp"
#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/token_list.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t most_difference_ms = 2000;
constexpr std::int64_t busy = -60, shutting_down = -62, not_known = -40, expired = -42,
                       wrong_state = -43;
constexpr std::int64_t most_ranges = 256;
constexpr std::size_t longest_key = 16384;

// Without the blanks and the semicolon that a person may have left at its end.
std::string resources_of(const std::string& text) {
  std::string result;
  const auto tokens = parse_token_list(text);
  if (tokens)
    for (const auto& token : *tokens) result += ";" + token.name + "=" + escaped_value(token.value);
  return result;
}

std::string seconds(Instant at, Duration shift) { return std::to_string((at + shift).seconds); }

// As of a site that answers something else, or twice.
Error lacks(std::string_view name) {
  return {"its answer makes no sense: " + std::string(name) + " is missing"};
}

Result<Instant> time_in(const std::vector<Attribute>& tokens, std::string_view name) {
  const auto* const text = find_token(tokens, name);
  if (!text) return lacks(name);
  const auto value = parse_number(*text);
  if (!value || Instant{*value} > Instant{last_second})
    return Error{std::string(name) + "=" + excerpt(*text) + " is no time"};
  return Instant{*value};
}

// How far the site's clock is ahead at least; a second has a thousand milliseconds, of which it
// says none.
std::int64_t difference_ms(Instant site, std::int64_t middle_ms) {
  const auto first = site.seconds * 1000, last = first + 999;
  if (middle_ms < first) return first - middle_ms;
  return middle_ms > last ? last - middle_ms : 0;
}

bool is_reservation(std::string_view text) {
  if (text.starts_with('R') || text.starts_with('r')) text.remove_prefix(1);
  return text.size() <= 18 && all_digits(text);
}

} // namespace

void SitePart::ask(SiteTask wanted, std::int64_t now_ms) {
  task = wanted, due_ms = now_ms, sends = 0;
  trouble.clear(), is_lasting = false;
}

void SitePart::fail(std::string why, bool lasting) {
  trouble = std::move(why), is_lasting = lasting;
}

std::string SiteLines::line(const SitePart& part, Instant earliest) const {
  const auto& wanted = plan.sites.at(site);
  const auto user = "USER=" + escaped_value(wanted.user);
  const auto need = user + ";TIMENEEDED=" + std::to_string(plan.duration.seconds) + "S" +
                    resources_of(wanted.resources);
  const auto named = part.reservation.empty() ? "" : ";RESID=" + part.reservation;
  const auto transaction_token = ";TXID=" + transaction();
  switch (part.task) {
  case SiteTask::none: break;
  case SiteTask::greet: return "HELLO " + user;
  case SiteTask::query:
    return "RESQUERY " + need + ";TIMESPEC=EARLIEST=" + seconds(earliest, part.shift) +
           (plan.latest.is_never() ? "" : ",LATEST=" + seconds(plan.latest, part.shift)) +
           ";MAXRANGES=" + std::to_string(most_ranges);
  case SiteTask::hold:
  case SiteTask::find:
    return "SETRES " + need + ";STARTTIME=" + seconds(part.start, part.shift) +
           resources_of(plan.with) + ";HOLD=" + std::to_string(plan.hold.seconds) +
           transaction_token;
  case SiteTask::abort: return "ABORT " + user + named + transaction_token;
  case SiteTask::commit: return "COMMIT " + user + named + transaction_token;
  case SiteTask::check: return "STATUS " + user + named;
  case SiteTask::release: return "RELEASE " + user + named;
  }
  return {};
}

bool is_passing(std::int64_t status) { return status <= busy && status >= shutting_down; }

bool is_gone(std::int64_t status) {
  return status == not_known || status == expired || status == wrong_state;
}

Outcome take_greeting(SitePart& part, const SiteAnswer& answer, OddClock odd, std::int64_t now_ms) {
  const auto clock = time_in(answer.first, "NOW");
  if (!clock) return clock.error();
  const auto middle = part.sent_ms + (now_ms - part.sent_ms) / 2;
  const auto ahead = difference_ms(*clock, middle);
  part.shift = Duration{0};
  if (ahead >= -most_difference_ms && ahead <= most_difference_ms) return Done{};
  if (odd == OddClock::refused)
    // Rounded up: it is at least so far off.
    return Error{"its clock is " + std::to_string((std::max(ahead, -ahead) + 999) / 1000) + " s " +
                 (ahead > 0 ? "ahead" : "behind")};
  part.shift = Duration{clock->seconds - middle / 1000};
  return Done{};
}

Outcome take_ranges(SitePart& part, const SiteAnswer& answer, SiteRange asked) {
  if (!answer.find("COUNT")) return lacks("COUNT");
  SiteRanges ranges;
  for (const auto& line : answer.others) {
    const auto first = time_in(line, "STIME"), last = time_in(line, "ENDSTIME");
    if (!first) return first.error();
    if (!last) return last.error();
    ranges.push_back(
        {std::max(*first - part.shift, asked.first), std::min(*last - part.shift, asked.last)});
  }
  part.ranges = in_order(std::move(ranges));
  return Done{};
}

Outcome take_hold(SitePart& part, const SiteAnswer& answer) {
  const auto *const id = answer.find("RESID"), *const key = answer.find("RESKEY");
  if (!id) return lacks("RESID");
  if (!is_reservation(*id)) return Error{"the answer names no reservation"};
  part.reservation = *id;
  part.key = key ? *key : std::string();
  if (part.key.size() > longest_key || !is_plain(part.key))
    return Error{"the answer has a RESKEY that is none"};
  const auto until = time_in(answer.first, "HOLDUNTIL");
  if (!until) return until.error();
  part.hold_until = *until - part.shift;
  return Done{};
}

bool says_state(const SiteAnswer& answer, std::string_view state) {
  const auto* const said = answer.find("STATE");
  return said && *said == state;
}

SiteStanding standing_of(const SitePart& part, const SiteAnswer& answer) {
  const auto start = time_in(answer.first, "STARTTIME");
  if (!answer.find("STATE") || !start) return SiteStanding::unclear;
  if (*start != part.start + part.shift) return SiteStanding::gone;
  if (says_state(answer, "HELD")) return SiteStanding::held;
  const bool stands = says_state(answer, "WAITING") || says_state(answer, "RUNNING") ||
                      says_state(answer, "ENDING");
  return stands ? SiteStanding::committed : SiteStanding::gone;
}

} // namespace almanac
