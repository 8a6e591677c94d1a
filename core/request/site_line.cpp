#include "core/request/site_line.hpp"

#include "core/text/names.hpp"
#include "core/text/token_list.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <set>

namespace almanac {

namespace {

constexpr std::int64_t syntax = -10, unknown_token = -11, missing = -12, bad_value = -13,
                       unknown_verb = -14;

SiteRefusal no_syntax(const std::string& why) { return {syntax, "syntax: " + why}; }

bool is_ignored(std::string_view name) { return name.starts_with("X_"); }

std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::optional<SiteRefusal> objection_to(std::string_view text) {
  if (text.size() > longest_site_line)
    return no_syntax("the line is longer than " + std::to_string(longest_site_line) + " bytes");
  if (!is_utf8(text)) return no_syntax("the line is not UTF-8");
  const auto is_refused = [](char c) { return is_control(c) && c != '\t'; };
  if (std::any_of(text.begin(), text.end(), is_refused))
    return no_syntax("the line has a control character");
  return std::nullopt;
}

// M3.7. "USER = ann" is a token with blanks around its '='; what has a ';' is a list of tokens.
bool is_positional(std::string_view arguments) {
  const auto end = arguments.find_first_of(" \t");
  const auto first = arguments.substr(0, end);
  if (first.empty() || first.find_first_of("=;") != std::string_view::npos) return false;
  return !trim(arguments.substr(first.size())).starts_with('=');
}

// ---- the positional form ------------------------------------------------------------------------

// NODES=4,SLOTS=2,lic=1: tokens that describe resources, and other resources. HOLD=60 is neither:
// this form has no such argument, and RES=HOLD=60 is a resource of that name.
std::optional<SiteRefusal> add_resource_words(const std::string& text,
                                              std::vector<Attribute>& tokens) {
  for (const auto& word : split(text, ',')) {
    const auto equals = word.find('=');
    const auto name = token_name(std::string_view(word).substr(0, equals));
    if (equals == std::string::npos || !name)
      return no_syntax("\"" + excerpt(word) + "\" is not name=amount");
    const auto* row = find_site_token(*name);
    if (row &&
        (!row->verbs.contains(SiteVerb::query) || row->required_by.contains(SiteVerb::query)))
      return SiteRefusal{unknown_token, "unknown token " + *name};
    if (row || is_ignored(*name)) tokens.push_back({*name, word.substr(equals + 1)});
    else tokens.push_back({"RES", word});
  }
  return std::nullopt;
}

// USER TIMENEEDED [STARTTIME] {@TIMESPEC} {R:RESACCESS} RESOURCES
std::optional<SiteRefusal> read_positional(SiteVerb verb, std::string_view arguments,
                                           std::vector<Attribute>& tokens) {
  if (verb > SiteVerb::setres)
    return no_syntax(std::string(name_of(verb)) + " has no positional form");
  auto rest = words(arguments, " \t");
  std::vector<std::string_view> order{"USER", "TIMENEEDED"};
  if (verb == SiteVerb::setres) order.emplace_back("STARTTIME");
  std::size_t at = 0;
  for (const auto name : order) {
    if (at == rest.size()) return missing_token(name);
    tokens.push_back({std::string(name), rest[at++]});
  }
  for (; at < rest.size(); ++at) {
    const auto& word = rest[at];
    if (word.starts_with('@')) tokens.push_back({"TIMESPEC", word.substr(1)});
    else if (word.starts_with("R:")) tokens.push_back({"RESACCESS", word.substr(2)});
    else if (auto refusal = add_resource_words(word, tokens)) return refusal;
  }
  return std::nullopt;
}

// ---- which tokens there may be ------------------------------------------------------------------

std::optional<SiteRefusal> objection_to(const SiteLine& line) {
  const auto verb = *line.verb;
  std::set<std::string> seen;
  for (const auto& [name, value] : line.tokens) {
    if (!seen.insert(name).second && name != "RES")
      return no_syntax(excerpt(name, 64) + " is repeated");
    if (is_ignored(name)) continue;
    const auto* row = find_site_token(name);
    if (!row || !row->verbs.contains(verb))
      return SiteRefusal{unknown_token, "unknown token " + excerpt(name, 64)};
  }
  for (const auto& row : site_tokens())
    if (row.required_by.contains(verb) && !seen.contains(std::string(row.name)))
      return missing_token(row.name);
  const bool needs_resources = verb <= SiteVerb::setres;
  if (needs_resources && !seen.contains("RES") && !seen.contains("NODES") &&
      !seen.contains("SLOTS"))
    return missing_token("RES"); // M3.14
  return std::nullopt;
}

std::optional<SiteRefusal> read(std::string_view text, SiteLine& line) {
  text = without_line_end(text);
  if (auto refusal = objection_to(text)) return refusal;
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (text.empty()) return no_syntax("the line is empty");
  const auto end = text.find_first_of(" \t");
  const auto name = text.substr(0, end);
  line.verb = find_site_verb(name);
  if (!line.verb) return SiteRefusal{unknown_verb, "unknown verb " + excerpt(name, 64)};
  const auto arguments = text.substr(name.size()); // a blank at its end may belong to a value
  line.positional = is_positional(trim(arguments));
  if (line.positional) {
    if (auto refusal = read_positional(*line.verb, arguments, line.tokens)) return refusal;
  } else {
    auto tokens = parse_token_list(arguments);
    if (!tokens) return no_syntax(tokens.what());
    line.tokens = std::move(*tokens);
  }
  return objection_to(line);
}

} // namespace

SiteRefusal bad_value_for(std::string_view token) {
  return {bad_value, "bad value for " + std::string(token)};
}

SiteRefusal missing_token(std::string_view token) {
  return {missing, "missing token " + std::string(token)};
}

const std::string* SiteLine::find(std::string_view name) const {
  const auto it = std::find_if(tokens.begin(), tokens.end(),
                               [&](const Attribute& token) { return token.name == name; });
  return it == tokens.end() ? nullptr : &it->value;
}

std::string SiteLine::echo() const {
  const auto* wanted = find("ECHO");
  if (!wanted || *wanted != "1") return "";
  std::vector<Attribute> ignored;
  for (const auto& token : tokens)
    if (is_ignored(token.name)) ignored.push_back(token);
  return print_token_list(ignored);
}

SiteReading parse_site_line(std::string_view text) {
  SiteReading reading;
  reading.refusal = read(text, reading.line);
  return reading;
}

std::string print_site_line(const SiteLine& line) {
  std::string text = line.verb ? std::string(name_of(*line.verb)) : std::string();
  if (!line.tokens.empty()) text += " " + print_token_list(line.tokens);
  return text;
}

} // namespace almanac
