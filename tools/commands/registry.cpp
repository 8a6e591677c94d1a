#include "tools/commands/commands.hpp"

#include <map>

namespace almanac {

namespace {
const std::map<std::string, CommandFunction> commands{
    {"qsub", qsub},     {"qalter", qalter},
    {"qdel", qdel},     {"qhold", qhold},
    {"qrls", qrls},     {"qstat", qstat},
    {"qhost", qhost},   {"qmod", qmod},
    {"qconf", qconf},   {"qacct", qacct},
    {"qresub", qresub}, {"qrsh", qrsh},
    {"qsh", qsh},       {"qrsub", qrsub},
    {"qlogin", qlogin}, {"qralter", qralter},
    {"qrdel", qrdel},   {"qrstat", qrstat},
    {"qquota", qquota}, {"qselect", qselect},
    {"gmeta", gmeta},   {"almanac-console", almanac_console}};
} // namespace

CommandFunction find_command(const std::string& name) {
  const auto it = commands.find(name);
  return it == commands.end() ? nullptr : it->second;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& [name, function] : commands) names.push_back(name);
  return names;
}

} // namespace almanac
