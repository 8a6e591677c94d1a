#include "tools/commands/official_hosts.hpp"

#include "core/text/words.hpp"
#include "tools/client/client.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac {

namespace {

// Options with a list of hosts or queues behind them. Not those of qsub and its like: behind a job's
// script any word is its user's.
const std::set<std::string>& options_of(const std::string& command) {
  static const std::set<std::string> none, of_queues{"-q", "-l"}, of_hosts{"-h", "-q", "-l"},
      of_qconf{"-ah", "-as",    "-dh",    "-ds",    "-ae",    "-de", "-me",
               "-se", "-aconf", "-mconf", "-sconf", "-dconf", "-sq", "-cq"},
      of_qmod{"-c", "-cq", "-d", "-e", "-r", "-rq", "-s", "-sq", "-us", "-usq"};
  static const std::map<std::string, const std::set<std::string>*> all{
      {"qconf", &of_qconf},  {"qmod", &of_qmod},    {"qhost", &of_hosts},   {"qacct", &of_hosts},
      {"qquota", &of_hosts}, {"qstat", &of_queues}, {"qselect", &of_queues}};
  const auto found = all.find(command);
  return found == all.end() ? none : *found->second;
}

// "n1-ib", "all.q@n1-ib", and of resources "h=n1-ib".
std::string one(const std::string& element, bool is_resource, const HostAliases& aliases) {
  if (is_resource) {
    const auto equals = element.find('=');
    const auto name = element.substr(0, equals);
    if (equals == std::string::npos || (name != "h" && name != "hostname")) return element;
    return name + "=" + aliases.official(element.substr(equals + 1));
  }
  const auto at = element.find('@');
  if (at == std::string::npos) return aliases.official(element);
  if (at == 0 || element[at + 1] == '@') return element; // a group
  return element.substr(0, at + 1) + aliases.official(element.substr(at + 1));
}

std::string list(const std::string& text, bool is_resource, const HostAliases& aliases) {
  auto elements = split(text, ',');
  for (auto& element : elements) element = one(element, is_resource, aliases);
  return join(elements, ",");
}

} // namespace

std::vector<std::string> with_official_hosts(const std::string& command,
                                             std::vector<std::string> words,
                                             const HostAliases& aliases) {
  const auto& options = options_of(command);
  const bool takes_lists = command == "qmod"; // as many as there are
  const std::string* option = nullptr;
  for (auto& word : words) {
    if (word.size() > 1 && word.front() == '-') {
      const auto found = options.find(word);
      option = found == options.end() ? nullptr : &*found;
    } else if (option) {
      word = list(word, *option == "-l", aliases);
      if (!takes_lists) option = nullptr;
    }
  }
  return words;
}

void use_official_hosts(Context& context) {
  const auto& options = options_of(context.program);
  if (std::none_of(context.arguments.begin(), context.arguments.end(),
                   [&](const std::string& word) { return options.contains(word); }))
    return;
  const auto text = read_text_file(find_cell(context.environment).common + "/host_aliases");
  constexpr std::size_t largest = 64 << 10; // as agents keep it
  if (!text || text->size() > largest) return;
  const auto aliases = HostAliases::parse(*text);
  if (!aliases.is_empty())
    context.arguments = with_official_hosts(context.program, std::move(context.arguments), aliases);
}

} // namespace almanac
