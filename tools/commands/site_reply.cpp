#include "tools/commands/site_reply.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::int64_t highest_exit_code = 125;

bool makes_reservation(const SiteLine& line) {
  return line.verb == SiteVerb::setres || line.verb == SiteVerb::resqandset;
}

// What the site adds, and what is repeated: the same in both forms (M11.7).
std::string info_of(const SiteLine& line, const SiteFindings& found) {
  auto info = found.info;
  const auto echo = line.echo();
  if (!echo.empty()) info += (info.empty() ? "" : ";") + echo;
  return info;
}

std::string text_of(Instant at) { return std::to_string(at.seconds); }

std::vector<Attribute> with_id(const SiteLine& line, std::vector<Attribute> tokens) {
  if (const auto* id = line.find("ID")) tokens.insert(tokens.begin(), {"ID", *id});
  return tokens;
}

// ---- the positional form ------------------------------------------------------------------------

std::string positional(const SiteLine& line, const SiteFindings& found) {
  const auto info = info_of(line, found);
  const auto behind = info.empty() ? std::string() : " " + ggf::quoted(info);
  switch (*line.verb) {
  case SiteVerb::query: return text_of(found.start) + behind;
  case SiteVerb::resquery: {
    std::string text;
    for (const auto& [first, last] : found.ranges)
      text += (text.empty() ? "" : " ") + text_of(first) + " " + text_of(last) + " " +
              ggf::quoted(info);
    return text;
  }
  case SiteVerb::resqandset:
    return "SETRES 1 " + text_of(found.start) + (found.key.empty() ? "" : " " + found.key) + behind;
  default: return "SETRES 1" + (found.key.empty() ? std::string() : " " + found.key) + behind;
  }
}

// ---- tokens -------------------------------------------------------------------------------------

std::vector<std::string> in_tokens(const SiteLine& line, const SiteFindings& found) {
  auto tokens = found.tokens;
  const auto id = std::find_if(tokens.begin(), tokens.end(),
                               [](const Attribute& token) { return token.name == "RESID"; });
  if (!found.key.empty() && id != tokens.end()) tokens.insert(id + 1, {"RESKEY", found.key});
  if (line.verb == SiteVerb::query || line.verb == SiteVerb::resqandset)
    tokens.insert(tokens.begin() + (line.verb == SiteVerb::query ? 0 : 1),
                  {"STARTTIME", text_of(found.start)});
  if (line.verb == SiteVerb::resquery)
    tokens.push_back({"COUNT", std::to_string(found.ranges.size())});
  if (const auto info = info_of(line, found); !info.empty()) tokens.push_back({"OTHERINFO", info});
  std::vector<std::string> lines{ggf::answer_line(0, with_id(line, std::move(tokens)))};
  for (const auto& [first, last] : found.ranges)
    lines.push_back(ggf::answer_line(0, {{"STIME", text_of(first)}, {"ENDSTIME", text_of(last)}}));
  return lines;
}

} // namespace

int SiteReply::exit_code() const {
  return static_cast<int>(std::min(highest_exit_code, status < 0 ? -status : status));
}

SiteReply good_reply(const SiteLine& line, const SiteFindings& found) {
  if (line.positional) return {{positional(line, found)}, 0};
  return {in_tokens(line, found), 0};
}

SiteReply bad_reply(const SiteLine& line, const ggf::Status& status,
                    const std::vector<Attribute>& more) {
  const bool makes = makes_reservation(line);
  if (line.positional && makes) return {{"SETRES 0"}, status.code}; // M3.48
  std::vector<Attribute> tokens;
  if (makes) tokens.push_back({"SETRES", "0"});
  tokens.push_back({"MSG", status.message});
  tokens.insert(tokens.end(), more.begin(), more.end());
  return {{ggf::answer_line(status.code, with_id(line, std::move(tokens)))}, status.code};
}

} // namespace almanac
