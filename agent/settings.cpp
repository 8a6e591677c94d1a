#include "agent/settings.hpp"

#include <toml++/toml.h>

#include <pwd.h>
#include <unistd.h>

namespace almanac {

Result<AgentSettings> read_agent_settings(const std::string& path) {
  AgentSettings settings;
  if (::access(path.c_str(), R_OK) != 0)
    return Error{"can't read " + path + ": is --dir the folder of an agent?"};
  try {
    const auto file = toml::parse_file(path);
    for (const auto& [key, value] : file) {
      const auto at = path + ":" + std::to_string(value.source().begin.line) + ": ";
      const auto name = std::string(key.str());
      const std::pair<const char*, std::string*> texts[]{
          {"cell", &settings.cell},       {"host", &settings.host},   {"master", &settings.master},
          {"address", &settings.address}, {"spool", &settings.spool}, {"user", &settings.user}};
      bool known = false;
      for (const auto& [text, into] : texts) {
        if (name != text) continue;
        if (!value.is_string()) return Error{at + name + ": a text in quotes is expected"};
        *into = value.as_string()->get();
        if (name == "user" && !::getpwnam(settings.user.c_str()))
          return Error{at + "user: there is no user \"" + settings.user + "\" on this machine"};
        known = true;
      }
      if (known) continue;
      const auto number = value.is_integer() ? value.as_integer()->get() : -1;
      if (name == "port") {
        if (number < 0 || number > 65535)
          return Error{at + "port: a number from 0 to 65535 is expected"};
        settings.port = static_cast<std::uint16_t>(number);
      } else if (name == "min_uid") {
        if (number < 0) return Error{at + "min_uid: a number from 0 is expected"};
        settings.min_uid = number;
      } else
        return Error{
            at + "\"" + name +
            "\" is no setting; known are cell, host, master, address, port, spool, min_uid, user"};
    }
  } catch (const toml::parse_error& error) {
    return Error{path + ":" + std::to_string(error.source().begin.line) + ": " +
                 std::string(error.description())};
  }
  if (settings.host.empty() || settings.master.empty())
    return Error{path + ": host and master are needed"};
  return settings;
}

} // namespace almanac
