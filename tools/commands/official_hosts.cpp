#include "tools/commands/official_hosts.hpp"

#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/overridable_value.hpp"
#include "core/text/words.hpp"
#include "tools/client/client.hpp"
#include "tools/commands/small_file.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

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

enum class Words { hosts, queues, resources };

Words words_behind(const std::string& command, const std::string& option) {
  if (option == "-l") return Words::resources;
  const bool is_of_queues =
      command == "qmod" || option == "-q" || option == "-sq" || option == "-cq";
  return is_of_queues ? Words::queues : Words::hosts;
}

// "n1-ib", "all.q@n1-ib", and of resources "h=n1-ib". A name among queues is a host only where
// host_aliases says so.
std::string one(const std::string& element, Words are, const HostAliases& aliases) {
  if (are == Words::resources) {
    const auto equals = element.find('=');
    const auto name = element.substr(0, equals);
    if (equals == std::string::npos || (name != "h" && name != "hostname")) return element;
    return name + "=" + aliases.official(element.substr(equals + 1));
  }
  const auto at = element.find('@');
  if (at == std::string::npos)
    return are == Words::queues ? aliases.listed(element) : aliases.official(element);
  if (at == 0 || element[at + 1] == '@') return element; // a group
  return element.substr(0, at + 1) + aliases.official(element.substr(at + 1));
}

std::string list(const std::string& text, Words are, const HostAliases& aliases) {
  auto elements = split(text, ',');
  for (auto& element : elements) element = one(element, are, aliases);
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
      word = list(word, words_behind(command, *option), aliases);
      if (!takes_lists) option = nullptr;
    }
  }
  return words;
}

namespace {

HostAliases aliases_of(const Context& context) {
  const auto common = find_cell(context.environment).common;
  const auto content = [&](const char* name) -> std::string {
    const auto text = SmallFile(common + "/" + name).read();
    return text ? *text : "";
  };
  return HostAliases::parse(content("host_aliases"), content("bootstrap"));
}

bool is_resource_of_hosts(const Attribute& resource) {
  return resource.name == "h" || resource.name == "hostname";
}
bool names_a_host(const std::string& queue) {
  const auto at = queue.find('@');
  return at != std::string::npos && queue[at + 1] != '@';
}

// Each name that stands between separators, which stay as they are.
std::string each_name(const std::string& text, std::string_view separators,
                      const HostAliases& aliases) {
  std::string result, name;
  const auto end_name = [&] {
    if (!name.empty()) result += name.starts_with('@') ? name : aliases.official(name);
    name.clear();
  };
  for (const char c : text) {
    if (separators.find(c) == std::string_view::npos) {
      name += c;
      continue;
    }
    end_name();
    result += c;
  }
  end_name();
  return result;
}

std::string in_expression(const std::string& expression, const HostAliases& aliases) {
  if (expression.find_first_of("*?[") != std::string::npos) return expression;
  return each_name(expression, "|&!()", aliases);
}

void use_in(std::vector<Attribute>& resources, const HostAliases& aliases) {
  for (auto& resource : resources)
    if (is_resource_of_hosts(resource)) resource.value = in_expression(resource.value, aliases);
}
void use_in(std::vector<std::string>& queues, const HostAliases& aliases) {
  for (auto& queue : queues)
    if (names_a_host(queue)) queue = one(queue, Words::queues, aliases);
}

// Of a queue or a group.
std::string in_host_list(const std::string& text, const HostAliases& aliases) {
  return parse_name_list(text).empty() ? text : each_name(text, " \t,", aliases);
}

bool is_by_host(ValueShape shape) {
  return shape == ValueShape::single_by_host || shape == ValueShape::names_by_host ||
         shape == ValueShape::amounts_by_host;
}

// "8,[n1-ib=4]", or a part of it. One that is not written so is refused by the master.
std::string in_overrides(const std::string& text, const HostAliases& aliases) {
  auto value = OverridableValue::parse_some(text);
  if (!value) return text;
  bool differs = false;
  for (auto& [target, of_host] : value->overrides) {
    if (target.starts_with('@')) continue;
    auto official = aliases.official(target);
    differs = differs || official != target;
    target = std::move(official);
  }
  if (!differs) return text;
  const auto printed = value->print();
  return value->fallback.empty() ? printed.substr(1) : printed;
}

// Most requests name no host: for them no file is read.
template <class Request> bool requests_a_host(const Request& request) {
  return std::any_of(request.resources.begin(), request.resources.end(), is_resource_of_hosts) ||
         std::any_of(request.queues.begin(), request.queues.end(), names_a_host) ||
         std::any_of(request.master_queues.begin(), request.master_queues.end(), names_a_host);
}
template <class Request> void use_in_hard(Request& request, const HostAliases& aliases) {
  use_in(request.resources, aliases);
  use_in(request.queues, aliases);
  use_in(request.master_queues, aliases);
}

} // namespace

void use_official_hosts(Context& context) {
  const auto& options = options_of(context.program);
  if (std::none_of(context.arguments.begin(), context.arguments.end(),
                   [&](const std::string& word) { return options.contains(word); }))
    return;
  if (const auto aliases = aliases_of(context); !aliases.is_empty())
    context.arguments = with_official_hosts(context.program, std::move(context.arguments), aliases);
}

void use_official_hosts(JobRequest& request, const HostAliases& aliases) {
  use_in_hard(request, aliases);
  use_in(request.soft_resources, aliases);
  use_in(request.soft_queues, aliases);
}

void use_official_hosts(ReservationRequest& request, const HostAliases& aliases) {
  use_in_hard(request, aliases);
}

void use_official_hosts(ConfigurationChange& change, const HostAliases& aliases) {
  auto& object = change.object;
  const bool is_host =
      object.kind == ObjectKind::exec_host || object.kind == ObjectKind::local_configuration;
  if (is_host) object.name = aliases.official(object.name);
  else if (object.kind == ObjectKind::cluster_queue && names_a_host(object.name))
    object.name = one(object.name, Words::queues, aliases);
  for (auto& [name, value] : object.attributes) {
    const auto shape = shape_of(object.kind, name);
    if (is_host && name == name_attribute(object.kind)) value = aliases.official(value);
    else if (shape == ValueShape::hosts) value = in_host_list(value, aliases);
    else if (shape && is_by_host(*shape)) value = in_overrides(value, aliases);
  }
}

void use_official_hosts(const Context& context, ConfigurationChange& change) {
  if (const auto aliases = aliases_of(context); !aliases.is_empty())
    use_official_hosts(change, aliases);
}

void use_official_hosts(const Context& context, JobRequest& request) {
  const auto& soft = request.soft_resources;
  const auto& queues = request.soft_queues;
  if (requests_a_host(request) || std::any_of(soft.begin(), soft.end(), is_resource_of_hosts) ||
      std::any_of(queues.begin(), queues.end(), names_a_host))
    use_official_hosts(request, aliases_of(context));
}

void use_official_hosts(const Context& context, ReservationRequest& request) {
  if (requests_a_host(request)) use_official_hosts(request, aliases_of(context));
}

} // namespace almanac
