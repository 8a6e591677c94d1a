#include "agent/helper/settings.hpp"

#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <fstream>
#include <pwd.h>
#include <set>

namespace almanac {

namespace {

constexpr const char* known = "cell, host, master, address, port, spool, min_uid, user";

bool is_end(std::string_view rest) { return trim(rest).empty() || trim(rest).front() == '#'; }

// "TEXT" or 'TEXT'; nothing stands for something else in it.
Result<std::string> text_of(std::string_view value) {
  const auto end = value.find(value.front(), 1);
  if ((value.front() != '"' && value.front() != '\'') || end == std::string_view::npos ||
      !is_end(value.substr(end + 1)))
    return Error{"a text in quotes is expected"};
  const auto text = value.substr(1, end - 1);
  for (const char c : text)
    if (c == '\\' || (c >= 0 && c < ' ') || c == 0x7f)
      return Error{"it can have no \\ and no control characters in it"};
  return std::string(text);
}

Result<std::int64_t> number_of(std::string_view value, std::int64_t most) {
  const auto number = parse_number(trim(value.substr(0, value.find('#'))));
  if (number && *number <= most) return *number;
  return Error{"a number from 0" + (most < INT64_MAX ? " to " + std::to_string(most) : "") +
               " is expected"};
}

// The error says what was expected.
Outcome set(AgentSettings& settings, const std::string& name, std::string_view value) {
  for (const auto& [text, into] : {std::pair("cell", &settings.cell),
                                   {"host", &settings.host},
                                   {"master", &settings.master},
                                   {"address", &settings.address},
                                   {"spool", &settings.spool},
                                   {"user", &settings.user}}) {
    if (name != text) continue;
    auto given = text_of(value);
    if (!given) return Error{name + ": " + given.what()};
    *into = *given;
    if (name == "user" && !::getpwnam(given->c_str()))
      return Error{"user: there is no user \"" + *given + "\" on this machine"};
    return Done{};
  }
  const bool is_port = name == "port";
  if (!is_port && name != "min_uid")
    return Error{"\"" + name + "\" is not a setting; known are " + known};
  const auto number = number_of(value, is_port ? 65535 : INT64_MAX);
  if (!number) return Error{name + ": " + number.what()};
  if (is_port) settings.port = static_cast<std::uint16_t>(*number);
  else settings.min_uid = *number;
  return Done{};
}

} // namespace

Result<AgentSettings> read_agent_settings(const std::string& path) {
  AgentSettings settings;
  std::ifstream file(path);
  if (!file) return Error{"can't read " + path + ": is --dir the folder of an agent?"};
  std::set<std::string> seen;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (is_end(line)) continue;
    const auto at = path + ":" + std::to_string(number) + ": ";
    const auto equals = std::min(line.find('='), line.size());
    const std::string name(trim(std::string_view(line).substr(0, equals)));
    const auto value = trim(std::string_view(line).substr(std::min(equals + 1, line.size())));
    if (name.empty() || value.empty()) return Error{at + "NAME = VALUE is expected"};
    if (!seen.insert(name).second) return Error{at + name + " is there twice"};
    if (auto done = set(settings, name, value); !done) return Error{at + done.what()};
  }
  if (settings.host.empty() || settings.master.empty())
    return Error{path + ": host and master are needed"};
  return settings;
}

} // namespace almanac
