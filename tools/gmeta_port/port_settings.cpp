#include "tools/gmeta_port/port_settings.hpp"

#include "core/request/start_search.hpp"
#include "core/text/names.hpp"
#include "tools/commands/small_file.hpp"
#include "tools/settings/toml_values.hpp"

#include <filesystem>
#include <set>
#include <string_view>

namespace almanac {

namespace {

constexpr std::size_t most_callers = 1'000;

std::string word_of(const toml::node& node) {
  auto text = text_of(node);
  if (text.empty()) refuse(node, "a text in quotes is expected");
  return text;
}

std::size_t count_of(const toml::node& node, std::int64_t most) {
  return static_cast<std::size_t>(number_of(node, 1, most));
}

class Reader {
public:
  explicit Reader(const std::string& folder) : folder_(folder) {}

  void read(std::string_view key, const toml::node& value) {
    auto& s = settings;
    if (key == "directory") s.directory = file_of(value, folder_);
    else if (key == "user") s.user = word_of(value);
    else if (key == "address") s.address = host_of(value);
    else if (key == "port") s.port = static_cast<std::uint16_t>(number_of(value, 1, 65535));
    else if (key == "certificate") s.files.certificate = file_of(value, folder_);
    else if (key == "key") s.files.key = file_of(value, folder_);
    else if (key == "client_authority") s.files.authority = file_of(value, folder_);
    else if (key == "connections") s.connections = count_of(value, 10'000);
    else if (key == "connections_of_address") s.connections_of_address = count_of(value, 10'000);
    else if (key == "at_once") s.at_once = count_of(value, 128);
    else if (key == "caller") read_callers(value);
    else
      refuse(value, "it is not a setting; known are directory, user, address, port, certificate, "
                    "key, client_authority, connections, connections_of_address, at_once, caller");
  }

  Outcome finish() const {
    const auto& s = settings;
    if (s.port == 0) return Error{"port is missing"};
    if (s.files.certificate.empty() || s.files.key.empty())
      return Error{"certificate and key are missing: those of this site, for its port"};
    if (s.callers.empty()) return Error{"no [[caller]] is there: nobody could send a line"};
    return Done{};
  }

  PortSettings settings;

private:
  void read_callers(const toml::node& node) {
    if (!node.is_array() || node.as_array()->size() > most_callers)
      refuse(node, "each caller is a table: [[caller]]");
    for (const auto& one : *node.as_array()) {
      if (!one.is_table()) refuse(one, "each caller is a table: [[caller]]");
      settings.callers.push_back(caller_of(*one.as_table()));
      check(one, settings.callers.back());
    }
  }

  PortCaller caller_of(const toml::table& table) const {
    PortCaller caller;
    for (const auto& [key, value] : table) {
      if (key == "name") caller.name = word_of(value);
      else if (key == "subject") caller.subject = word_of(value);
      else if (key == "secret") caller.secret_file = file_of(value, folder_);
      else if (key == "user") caller.user = word_of(value);
      else
        refuse(value, "\"" + excerpt(key.str()) +
                          "\" is not a setting of a caller; known are name, subject, secret, user");
    }
    return caller;
  }

  void check(const toml::node& node, const PortCaller& caller) {
    if (!is_plain_variable(caller.name) || caller.name.size() > longest_subject)
      refuse(node, "a caller needs a name of up to 64 letters, digits and underscores");
    if (!names_.insert(caller.name).second) refuse(node, "two callers have this name");
    if (caller.subject.empty() == caller.secret_file.empty())
      refuse(node, "a caller has a subject or a secret");
    if (!caller.subject.empty() && !subjects_.insert(caller.subject).second)
      refuse(node, "two callers have this subject");
    if (!caller.subject.empty() && settings.files.authority.empty())
      refuse(node, "a subject needs client_authority: the certificates of those that "
                   "sign those of callers");
  }

  const std::string& folder_;
  std::set<std::string> names_, subjects_;
};

} // namespace

Result<PortSettings> parse_port_settings(const std::string& text, const std::string& folder) {
  Reader reader(folder);
  try {
    const auto file = toml::parse(text);
    // Callers last: what is said of them depends on the rest.
    for (const bool callers : {false, true})
      for (const auto& [key, value] : file) {
        if ((key == "caller") != callers) continue;
        try {
          reader.read(key.str(), value);
        } catch (const TomlProblem& problem) {
          return at_line(problem.where, excerpt(key.str()) + ": " + problem.what);
        }
      }
  } catch (const toml::parse_error& error) {
    return at_line(error.source(), std::string(error.description()));
  }
  if (auto complete = reader.finish(); !complete) return complete.error();
  return std::move(reader.settings);
}

Result<PortSettings> read_port_settings(const std::string& path) {
  const auto text = SmallFile(path, largest_port_file).read_closed();
  if (!text) return Error{path + ": " + text.what()};
  std::error_code error;
  const auto folder = std::filesystem::absolute(path, error).parent_path().string();
  auto settings = parse_port_settings(*text, folder);
  if (!settings) return Error{path + ": " + settings.what()};
  return settings;
}

} // namespace almanac
