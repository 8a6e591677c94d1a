#include "core/coallocation/coallocation_record.hpp"

#include "core/coallocation/site_answer.hpp"
#include "core/text/token_list.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace almanac {

namespace {

constexpr std::array<std::string_view, 4> verdicts{"UNDECIDED", "COMMIT", "ABORT", "RELEASE"};

Error unreadable() { return {"what the log holds is not a record of this version"}; }

std::string token(std::string_view name, std::string_view value) {
  return std::string(name) + "=" + escaped_value(value) + ";";
}

std::string text_of(const std::vector<Attribute>& tokens, std::string_view name) {
  const auto* const value = find_token(tokens, name);
  return value ? *value : std::string();
}

Result<SiteGrant> parse_grant(std::string_view line) {
  const auto tokens = parse_token_list(line);
  if (!tokens) return unreadable();
  const auto start = parse_number(text_of(*tokens, "START"));
  const auto shift = parse_signed(text_of(*tokens, "SHIFT"));
  SiteGrant grant{
      text_of(*tokens, "SITE"), {}, text_of(*tokens, "RESID"), text_of(*tokens, "RESKEY")};
  if (!start || !shift || grant.site.empty()) return unreadable();
  grant.start = Instant{*start}, grant.shift = Duration{*shift};
  return grant;
}

} // namespace

std::string name_of(CoallocationVerdict verdict) {
  return lower(verdicts.at(static_cast<std::size_t>(verdict)));
}

std::string print_coallocation(const CoallocationRecord& record) {
  auto text = token("VERSION", "1") + token("ID", record.id) +
              token("ATTEMPT", std::to_string(record.attempt)) +
              token("VERDICT", verdicts.at(static_cast<std::size_t>(record.verdict)));
  for (const auto& site : record.sites)
    text += "\n" + token("SITE", site.site) + token("START", std::to_string(site.start.seconds)) +
            token("SHIFT", std::to_string(site.shift.seconds)) + token("RESID", site.reservation) +
            token("RESKEY", site.key);
  return text;
}

Result<CoallocationRecord> parse_coallocation(std::string_view text) {
  const auto lines = split(text, '\n');
  const auto head = parse_token_list(lines.empty() ? std::string_view() : lines.front());
  if (!head || text_of(*head, "VERSION") != "1") return unreadable();
  CoallocationRecord record;
  record.id = text_of(*head, "ID");
  const auto attempt = parse_number(text_of(*head, "ATTEMPT"));
  const auto verdict = std::find(verdicts.begin(), verdicts.end(), text_of(*head, "VERDICT"));
  if (record.id.empty() || !attempt || verdict == verdicts.end()) return unreadable();
  record.attempt = *attempt;
  record.verdict = static_cast<CoallocationVerdict>(verdict - verdicts.begin());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    auto grant = parse_grant(lines[i]);
    if (!grant) return grant.error();
    record.sites.push_back(*std::move(grant));
  }
  return record;
}

} // namespace almanac
