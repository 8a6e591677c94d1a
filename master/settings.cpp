#include "master/settings.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <toml++/toml.h>

#include <unistd.h>

namespace almanac {

Result<MasterSettings> read_master_settings(const std::string& path) {
  MasterSettings settings;
  if (::access(path.c_str(), R_OK) != 0)
    return Error{"can't read " + path + ": is --dir the folder of a cell?"};
  try {
    const auto file = toml::parse_file(path);
    for (const auto& [key, value] : file) {
      const auto complain = [&, &k = key, &v = value](const char* expected) {
        return Error{path + ":" + std::to_string(v.source().begin.line) + ": " +
                     std::string(k.str()) + ": " + expected + " is expected"};
      };
      if (key == "cell") {
        if (!value.is_string() || !valid_object_name(value.as_string()->get()))
          return complain("a name in quotes");
        settings.cell = value.as_string()->get();
      } else if (key == "address") {
        if (!value.is_string() || !is_host_or_address(value.as_string()->get()))
          return complain("an address in quotes");
        settings.address = value.as_string()->get();
      } else if (key == "port" || key == "tcp_port") {
        const auto number = value.is_integer() ? value.as_integer()->get() : -1;
        if (number < 0 || number > 65535) return complain("a number from 0 to 65535");
        (key == "port" ? settings.port : settings.tcp_port) = static_cast<std::uint16_t>(number);
      } else if (key == "inputs_kept") {
        const auto number = value.is_integer() ? value.as_integer()->get() : -1;
        if (number < 0) return complain("a number from 0");
        settings.inputs_kept = number;
      } else if (key == "tcp_door") {
        if (!value.is_boolean()) return complain("true or false");
        settings.tcp_door = value.as_boolean()->get();
      } else if (key == "munge_socket") {
        if (!value.is_string()) return complain("a path in quotes");
        settings.munge_socket = value.as_string()->get();
      } else
        return Error{path + ":" + std::to_string(value.source().begin.line) + ": \"" +
                     std::string(key.str()) +
                     "\" is not a setting; known are cell, address, port, tcp_door, "
                     "tcp_port, munge_socket, inputs_kept"};
    }
  } catch (const toml::parse_error& error) {
    return Error{path + ":" + std::to_string(error.source().begin.line) + ": " +
                 std::string(error.description())};
  }
  return settings;
}

std::string print_master_settings(const MasterSettings& settings) {
  return "# Settings of the Almanac master; see conf/master.toml for what each means.\n"
         "cell = \"" +
         settings.cell + "\"\naddress = \"" + settings.address +
         "\"\nport = " + std::to_string(settings.port) + "\n";
}

} // namespace almanac
