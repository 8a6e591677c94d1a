#include "tools/commands/queue_objects.hpp"

#include "core/configuration/objects/cluster_queue.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/printed_object.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"
#include "tools/commands/fetched_objects.hpp"

#include <algorithm>
#include <map>

namespace almanac {

int QueueObjects::fetch(Context& context) {
  if (const int asked = groups_.fetch(context); asked != 0) return asked;
  return fetch_objects(context, ObjectKind::cluster_queue, queues_);
}

std::vector<std::string> QueueObjects::hosts_of(const ConfigurationObject& queue) const {
  const auto* list = queue.find("hostlist");
  return list ? groups_.hosts_of(parse_name_list(*list)) : std::vector<std::string>();
}

ConfigurationObject QueueObjects::instance(const ConfigurationObject& queue,
                                           const std::string& host) const {
  ConfigurationObject instance{queue.kind, queue.name, {{"hostname", host}}};
  const auto parsed = ClusterQueue::parse(queue);
  if (!parsed) return queue; // of a master of another version
  bool ambiguous = false;
  std::map<std::string, std::string> values;
  for (auto& [name, value] : parsed->values_for(
           host, [&](const std::string& group) { return groups_.is_in(host, group); }, ambiguous))
    values[name] = std::move(value);
  const auto whole = arranged(queue);
  for (const auto& [name, value] : whole.attributes) {
    if (name == "hostlist") continue;
    const auto own = values.find(name);
    instance.attributes.push_back({name, own == values.end() ? value : own->second});
  }
  return instance;
}

QueuePhrase::QueuePhrase(const std::string& text) {
  const auto at = std::min(text.find('@'), text.size());
  queue = text.substr(0, at);
  const auto place = text.substr(std::min(at + 1, text.size()));
  (place.starts_with('@') ? group : host) = place;
}

bool QueuePhrase::matches_queue(const std::string& name) const {
  return queue == name || matches_expression(queue, name);
}

bool QueuePhrase::matches_host(const std::string& name, const HostGroups& groups) const {
  if (group.empty()) return host.empty() || matches_expression(host, name, Case::insensitive);
  for (const auto& one : groups.names())
    if ((one == group || matches_expression(group, one)) && groups.is_in(name, one)) return true;
  return false;
}

} // namespace almanac
