// What objects refer to must exist, and what is referred to can't go (spec/objects.md, Reference
// integrity).
#include "core/configuration/configuration.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

Outcome Configuration::check_lists(const std::vector<std::string>& lists,
                                   const std::string& where) const {
  for (const auto& list : lists)
    if (!usersets_.contains(list))
      return Error{where + ": userset \"" + list + "\" does not exist"};
  return Done{};
}

Outcome Configuration::check_values(const std::map<std::string, std::string>& values,
                                    const std::string& where) const {
  for (const auto& [name, value] : values) {
    const auto* complex = complexes_.find(name);
    if (!complex || complex->name != name)
      return Error{where + ": complex attribute \"" + name + "\" does not exist"};
    if (auto valid = complex->valid_value(value, false); !valid)
      return Error{where + ": " + valid.what()};
  }
  return Done{};
}

std::optional<Error> Configuration::group_cycle(const std::string& group,
                                                std::set<std::string> above) const {
  if (!above.insert(group).second) return Error{"host group \"" + group + "\" contains itself"};
  const auto it = groups_.find(group);
  if (it == groups_.end()) return Error{"host group \"" + group + "\" does not exist"};
  for (const auto& member : it->second) {
    if (!member.starts_with('@')) continue;
    if (auto cycle = group_cycle(member, above)) return cycle;
  }
  return std::nullopt;
}

Outcome Configuration::check_references() const {
  const auto known_host = [&](const std::string& host) {
    return host != "global" && hosts_.contains(host);
  };
  for (const auto& [name, list] : groups_) {
    if (auto cycle = group_cycle(name, {})) return *cycle;
    for (const auto& member : list)
      if (!member.starts_with('@') && !known_host(member))
        return Error{"host group \"" + name + "\": host \"" + member + "\" is not an exec host"};
  }
  for (const auto& [name, host] : hosts_) {
    const auto where = "exechost \"" + name + "\"";
    if (auto sound = check_values(host.complex_values, where); !sound) return sound;
    for (const auto* lists : {&host.user_lists, &host.xuser_lists})
      if (auto sound = check_lists(*lists, where); !sound) return sound;
  }
  for (const auto& [name, pe] : pes_)
    for (const auto* lists : {&pe.user_lists, &pe.xuser_lists})
      if (auto sound = check_lists(*lists, "parallel environment \"" + name + "\""); !sound)
        return sound;
  for (const auto* lists : {&global_.user_lists, &global_.xuser_lists})
    if (auto sound = check_lists(*lists, "configuration"); !sound) return sound;
  for (const auto& [name, queue] : queues_) {
    const auto where = "cluster queue \"" + name + "\"";
    for (const auto& entry : queue.hostlist) {
      if (entry.starts_with('@') ? !groups_.contains(entry) : !known_host(entry))
        return Error{where + ": " + (entry.starts_with('@') ? "host group" : "exec host") + " \"" +
                     entry + "\" does not exist"};
    }
    for (const auto& [attribute, value] : queue.values) {
      std::vector<std::string> texts{value.fallback};
      for (const auto& [target, text] : value.overrides) {
        if (target.starts_with('@') && !groups_.contains(target))
          return Error{where + ": host group \"" + target + "\" does not exist"};
        texts.push_back(text);
      }
      for (const auto& text : texts) {
        if (attribute == "pe_list") {
          for (const auto& pe : parse_name_list(text))
            if (!pes_.contains(pe))
              return Error{where + ": parallel environment \"" + pe + "\" does not exist"};
        } else if (attribute == "user_lists" || attribute == "xuser_lists") {
          if (auto sound = check_lists(parse_name_list(text), where); !sound) return sound;
        } else if (attribute == "complex_values" || attribute == "load_thresholds") {
          if (auto sound = check_values(*parse_value_list(text), where); !sound) return sound;
        }
      }
    }
  }
  return Done{};
}

Outcome Configuration::check_not_referenced(ObjectKind kind, const std::string& name) const {
  const auto in_queue = [&](const char* attribute, const std::string& wanted) -> std::string {
    for (const auto& [queue_name, queue] : queues_) {
      const auto it = queue.values.find(attribute);
      if (it == queue.values.end()) continue;
      std::vector<std::string> texts{it->second.fallback};
      for (const auto& entry : it->second.overrides) texts.push_back(entry.value);
      for (const auto& text : texts)
        for (const auto& word : words(text, " \t,="))
          if (word == wanted) return queue_name;
    }
    return {};
  };
  const auto quoted = "\"" + name + "\"";
  switch (kind) {
  case ObjectKind::parallel_environment:
    if (auto queue = in_queue("pe_list", name); !queue.empty())
      return Error{"denied: Parallel environment " + quoted + " is still referenced in queue \"" +
                   queue + "\"."};
    break;
  case ObjectKind::userset:
    if (name == "arusers" || name == "deadlineusers" || name == "defaultdepartment")
      return Error{"denied: userset " + quoted + " is built in"};
    for (const char* attribute : {"user_lists", "xuser_lists"}) {
      if (auto queue = in_queue(attribute, name); !queue.empty())
        return Error{"denied: userset " + quoted + " is still referenced in " + attribute +
                     " of cluster queue \"" + queue + "\""};
      for (const auto& [key, object] : objects_)
        if (const auto* lists = object.find(attribute))
          for (const auto& list : parse_name_list(*lists))
            if (list == name)
              return Error{"denied: userset " + quoted + " is still referenced in " + attribute +
                           " of " + std::string(kind_name(key.first)) + " \"" + key.second + "\""};
    }
    break;
  case ObjectKind::exec_host:
    if (name == "global") return Error{"denied: the host \"global\" can't be deleted"};
    [[fallthrough]];
  case ObjectKind::host_group: {
    const std::string what = kind == ObjectKind::exec_host ? "Host object " : "Host group ";
    for (const auto& [queue_name, queue] : queues_)
      if (std::count(queue.hostlist.begin(), queue.hostlist.end(), name))
        return Error{what + quoted + " is still referenced in cluster queue \"" + queue_name +
                     "\"."};
    for (const auto& [group, list] : groups_)
      if (std::count(list.begin(), list.end(), name))
        return Error{what + quoted + " is still referenced in host group \"" + group + "\"."};
    break;
  }
  case ObjectKind::complex:
    for (const char* attribute : {"complex_values", "load_thresholds"})
      if (auto queue = in_queue(attribute, name); !queue.empty())
        return Error{"Complex attribute " + quoted + " is still referenced in queue \"" + queue +
                     "\"."};
    for (const auto& [host_name, host] : hosts_)
      if (host.complex_values.contains(name))
        return Error{"Complex attribute " + quoted + " is still referenced in host \"" + host_name +
                     "\"."};
    break;
  default: break;
  }
  return Done{};
}

} // namespace almanac
