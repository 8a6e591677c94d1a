#include "tools/commands/qconf_search.hpp"

#include "core/configuration/objects/cluster_queue.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"
#include "tools/commands/fetched_objects.hpp"
#include "tools/commands/queue_objects.hpp"

#include <algorithm>
#include <map>
#include <ostream>

namespace almanac {

namespace {

// What is looked for: an attribute and its value, both as patterns.
struct Wanted {
  std::string attribute, value;

  bool is_in(const std::string& name, const std::string& text) const {
    if (!matches_pattern(attribute, name)) return false;
    const auto elements = parse_name_list(text);
    return matches_pattern(value, text) ||
           std::any_of(elements.begin(), elements.end(), [&](const std::string& element) {
             return matches_pattern(value, element) ||
                    matches_pattern(value, element.substr(0, element.find('=')));
           });
  }
  bool is_in(const ConfigurationObject& object) const {
    return is_in(std::string(name_attribute(object.kind)), object.name) ||
           std::any_of(object.attributes.begin(), object.attributes.end(),
                       [&](const Attribute& one) { return is_in(one.name, one.value); });
  }
};

// The queue with its default values only, without those of single hosts and host groups.
ConfigurationObject defaults_of_queue(ConfigurationObject queue) {
  for (auto& attribute : queue.attributes)
    if (auto value = OverridableValue::parse(attribute.value);
        value && attribute.name != "hostlist")
      attribute.value = value->fallback;
  return queue;
}

int find_queues(Context& context, const Wanted& wanted) {
  QueueObjects cell;
  if (const int asked = cell.fetch(context); asked != 0) return asked;
  for (const auto& queue : cell.queues())
    if (wanted.is_in(defaults_of_queue(queue))) context.out << queue.name << "\n";
  return 0;
}

// Groups with a value of their own.
int find_domains(Context& context, const Wanted& wanted) {
  QueueObjects cell;
  if (const int asked = cell.fetch(context); asked != 0) return asked;
  for (const auto& queue : cell.queues()) {
    std::map<std::string, bool> groups;
    for (const auto& [name, text] : queue.attributes)
      if (const auto value = OverridableValue::parse(text); value && name != "hostlist")
        for (const auto& one : value->overrides)
          if (one.name.starts_with('@') && wanted.is_in(name, one.value)) groups[one.name] = true;
    for (const auto& entry : groups) context.out << queue.name << "@" << entry.first << "\n";
  }
  return 0;
}

int find_instances(Context& context, const Wanted& wanted) {
  QueueObjects cell;
  if (const int asked = cell.fetch(context); asked != 0) return asked;
  for (const auto& queue : cell.queues())
    for (const auto& host : cell.hosts_of(queue))
      if (wanted.is_in(cell.instance(queue, host)))
        context.out << queue.name << "@" << host << "\n";
  return 0;
}

int find_hosts(Context& context, const Wanted& wanted) {
  std::vector<ConfigurationObject> hosts;
  if (const int asked = fetch_objects(context, ObjectKind::exec_host, hosts); asked != 0)
    return asked;
  for (const auto& host : hosts)
    if (wanted.is_in(host)) context.out << host.name << "\n";
  return 0;
}

// An attribute that no object can have is a slip of the pen, and nothing would be found.
int check_attribute(Context& context, const std::string& of, const Wanted& wanted) {
  const auto kind = of == "exechost" ? ObjectKind::exec_host : ObjectKind::cluster_queue;
  const auto has = [&](const ConfigurationObject& object) {
    return matches_pattern(wanted.attribute, std::string(name_attribute(kind))) ||
           std::any_of(
               object.attributes.begin(), object.attributes.end(),
               [&](const Attribute& one) { return matches_pattern(wanted.attribute, one.name); });
  };
  if (has(template_of(kind, "template"))) return 0;
  if (of == "queue_instance" && matches_pattern(wanted.attribute, "hostname")) return 0;
  // Attributes of Grid Engine that mean nothing here are kept.
  std::vector<ConfigurationObject> objects;
  if (const int asked = fetch_objects(context, kind, objects); asked != 0) return asked;
  if (std::any_of(objects.begin(), objects.end(), has)) return 0;
  return complain(context, "unknown attribute name \"" + excerpt(wanted.attribute) + "\"");
}

using Search = int (*)(Context& context, const Wanted& wanted);
const std::map<std::string, Search> searches{{"queue", find_queues},
                                             {"queue_domain", find_domains},
                                             {"queue_instance", find_instances},
                                             {"exechost", find_hosts}};

} // namespace

const std::vector<QconfVerb>& search_verbs() {
  static const std::vector<QconfVerb> verbs{{"-sobjl", 3,
                                             "queue|queue_domain|queue_instance|exechost ATTRIBUTE "
                                             "VALUE: list objects with such a value"}};
  return verbs;
}

std::optional<int> run_search_verb(Context& context, const std::string& option,
                                   const std::vector<std::string>& values) {
  if (option != "-sobjl") return std::nullopt;
  const auto search = searches.find(values[0]);
  if (search == searches.end())
    return complain(context,
                    "\"" + values[0] + "\" is not queue, queue_domain, queue_instance or exechost");
  if (values[1].empty() || values[2].empty())
    return complain(context, "no name or value is given: is a variable not set?");
  const Wanted wanted{values[1], values[2]};
  if (const int known = check_attribute(context, values[0], wanted); known != 0) return known;
  return search->second(context, wanted);
}

} // namespace almanac
