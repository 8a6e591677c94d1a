// What objects refer to must exist, and what is referred to can't go (spec/objects.md, Reference
// integrity).
#include "core/configuration/configuration.hpp"
#include "core/configuration/error_list.hpp"
#include "core/configuration/objects/hook_command.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

bool names(const QuotaRule& rule, const std::string& complex) {
  return std::any_of(rule.limits.begin(), rule.limits.end(), [&](const QuotaLimit& limit) {
    if (limit.complex == complex) return true;
    return limit.formula && std::any_of(limit.formula->terms.begin(), limit.formula->terms.end(),
                                        [&](const auto& term) { return term.first == complex; });
  });
}

// The first set with a limit or a formula of the complex; "": none.
std::string quota_set_with(const std::vector<QuotaSet>& sets, const std::string& complex) {
  for (const auto& set : sets)
    for (const auto& rule : set.rules)
      if (names(rule, complex)) return set.name;
  return {};
}

// The first other queue that the named one is a subordinate of; "": none.
std::string queue_above(const std::map<std::string, ClusterQueue>& queues,
                        const std::string& name) {
  for (const auto& [above, queue] : queues) {
    const auto list = queue.values.find("subordinate_list");
    if (list == queue.values.end() || above == name) continue;
    std::vector<std::string> texts{list->second.fallback};
    for (const auto& entry : list->second.overrides) texts.push_back(entry.value);
    for (const auto& text : texts) {
      const auto subordinates = Subordinates::parse(text);
      for (const auto& below : subordinates->queues)
        if (below.queue == name) return above;
    }
  }
  return {};
}

bool has_values_of(const ClusterQueue& queue, const std::string& group) {
  return std::any_of(queue.values.begin(), queue.values.end(), [&](const auto& attribute) {
    const auto& overrides = attribute.second.overrides;
    return std::any_of(overrides.begin(), overrides.end(),
                       [&](const Attribute& of_some) { return of_some.name == group; });
  });
}

using LimitsOfUsers = std::map<std::string, const UserLimit*>;
LimitsOfUsers limits_of_users(const GlobalConfiguration& global) {
  return {{"max_u_advance_reservations", &global.max_u_advance_reservations},
          {"max_u_ar_slot_hours", &global.max_u_ar_slot_hours}};
}

} // namespace

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

Outcome Configuration::check_projects(const std::vector<std::string>& projects,
                                      const std::string& where) const {
  for (const auto& project : projects)
    if (!projects_.contains(project))
      return Error{where + ": project \"" + project + "\" does not exist"};
  return Done{};
}

// What the values of a queue's attribute refer to.
Outcome Configuration::check_queue_value(const std::string& attribute, const std::string& text,
                                         const std::string& where) const {
  if (attribute == "pe_list") {
    for (const auto& pe : parse_name_list(text))
      if (!pes_.contains(pe))
        return Error{where + ": parallel environment \"" + pe + "\" does not exist"};
  } else if (attribute == "ckpt_list") {
    for (const auto& checkpoint : parse_name_list(text))
      if (!checkpoints_.contains(checkpoint))
        return Error{where + ": checkpoint interface \"" + checkpoint + "\" does not exist"};
  } else if (attribute == "user_lists" || attribute == "xuser_lists") {
    return check_lists(parse_name_list(text), where);
  } else if (attribute == "projects" || attribute == "xprojects") {
    return check_projects(parse_name_list(text), where);
  } else if (attribute == "subordinate_list") {
    const auto list = Subordinates::parse(text);
    for (const auto& below : list->queues)
      if (!queues_.contains(below.queue))
        return Error{where + ": subordinate_list: cluster queue \"" + below.queue +
                     "\" does not exist"};
  } else if (attribute == "calendar") {
    if (!equal_ignoring_case(text, "NONE") && !calendars_.contains(text))
      return Error{where + ": calendar \"" + text + "\" does not exist"};
  } else if (attribute == "complex_values" || attribute.ends_with("_thresholds")) {
    const auto values = *parse_value_list(text);
    if (attribute == "complex_values")
      for (const auto& [name, value] : values)
        if (const auto* complex = complexes_.find(name);
            complex && complex->consumable == Consumable::per_host)
          return Error{where + ": \"" + name +
                       "\" is consumed per host and can be set on hosts only"};
    return check_values(values, where);
  }
  return Done{};
}

Outcome Configuration::check_scheduler() const {
  const auto number = [&](const std::string& name, const char* attribute) -> Outcome {
    const auto* complex = complexes_.find(name);
    if (complex && !complex->is_text()) return Done{};
    return Error{"scheduler configuration: attribute \"" + std::string(attribute) + "\": \"" +
                 name + (complex ? "\" is not a number" : "\" is not a complex attribute")};
  };
  for (const auto& term : scheduler_.load_formula)
    if (!term.name.empty())
      if (auto sound = number(term.name, "load_formula"); !sound) return sound;
  for (const auto& [name, value] : scheduler_.load_adjustments)
    if (auto sound = number(name, "job_load_adjustments"); !sound) return sound;
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
  ErrorList errors;
  note_references(errors);
  return errors.empty() ? Outcome(Done{}) : Outcome(errors.front());
}

void Configuration::note_references(ErrorList& errors) const {
  const auto known_host = [&](const std::string& host) {
    return host != "global" && hosts_.contains(host);
  };
  for (const auto& [name, list] : groups_) {
    if (auto cycle = group_cycle(name, {})) errors.note(*cycle);
    for (const auto& member : list)
      if (!member.starts_with('@') && !known_host(member))
        errors.note(
            Error{"host group \"" + name + "\": host \"" + member + "\" is not an exec host"});
  }
  for (const auto& [name, host] : hosts_) {
    const auto where = "exechost \"" + name + "\"";
    if (!check_values(host.complex_values, where))
      for (const auto& value : host.complex_values) errors.note(check_values({value}, where));
    for (const auto* lists : {&host.user_lists, &host.xuser_lists})
      errors.note(check_lists(*lists, where));
    for (const auto* projects : {&host.projects, &host.xprojects})
      errors.note(check_projects(*projects, where));
  }
  for (const auto& [name, configuration] : local_)
    if (!known_host(name) && !is_admin_host(name) && !is_submit_host(name))
      errors.note(Error{"configuration \"" + name + "\": there is no host of this name"});
  for (const auto& [name, pe] : pes_)
    for (const auto* lists : {&pe.user_lists, &pe.xuser_lists})
      errors.note(check_lists(*lists, "parallel environment \"" + name + "\""));
  for (const auto* lists : {&global_.user_lists, &global_.xuser_lists})
    errors.note(check_lists(*lists, "configuration"));
  for (const auto& [attribute, limit] : limits_of_users(global_))
    errors.note(check_lists(limit->lists(), attribute));
  for (const auto* projects : {&global_.projects, &global_.xprojects})
    errors.note(check_projects(*projects, "configuration"));
  if (const auto& project = global_.usual_user.default_project; !project.empty())
    errors.note(check_projects({project}, "configuration: auto_user_default_project"));
  note_references_of_queues(errors);
  for (const auto& [name, project] : projects_) {
    if (users_.contains(name))
      errors.note(Error{"denied: shared namespace between project and user: \"" + name +
                        "\" can't be both"});
    for (const auto* lists : {&project.users, &project.excluded_users})
      errors.note(check_lists(*lists, "project \"" + name + "\""));
  }
  for (const auto& [name, user] : users_)
    if (!user.default_project.empty())
      errors.note(check_projects({user.default_project}, "user \"" + name + "\""));
  errors.note(check_scheduler());
}

void Configuration::note_references_of_queues(ErrorList& errors) const {
  for (const auto& [name, queue] : queues_) {
    const auto where = "cluster queue \"" + name + "\"";
    for (const auto& entry : queue.hostlist) {
      const bool is_group = entry.starts_with('@');
      const bool is_known =
          is_group ? groups_.contains(entry) : entry != "global" && hosts_.contains(entry);
      if (!is_known)
        errors.note(Error{where + ": " + (is_group ? "host group" : "exec host") + " \"" + entry +
                          "\" does not exist"});
    }
    for (const auto& [attribute, value] : queue.values) {
      std::vector<std::string> texts{value.fallback};
      for (const auto& [target, text] : value.overrides) {
        if (target.starts_with('@') && !groups_.contains(target))
          errors.note(Error{where + ": host group \"" + target + "\" does not exist"});
        texts.push_back(text);
      }
      for (const auto& text : texts) {
        const auto sound = check_queue_value(attribute, text, where);
        errors.note(sound);
        // The others of a list, too.
        if (!sound && attribute != "subordinate_list")
          for (const auto& one : parse_name_list(text))
            errors.note(check_queue_value(attribute, one, where));
      }
    }
  }
}

// One whose host has gone since hinders no other change.
Outcome Configuration::check_new_hooks(const Configuration& before) const {
  for (auto i = 0; i <= static_cast<int>(last_of<HookEvent>); ++i) {
    const auto event = static_cast<HookEvent>(i);
    const auto& text = global_.hooks.of(event);
    if (text.empty() || text == before.global_.hooks.of(event)) continue;
    const auto command = parse_hook_command(text);
    if (command && !command->host.empty() &&
        (command->host == "global" || !hosts_.contains(command->host)))
      return Error{"configuration: attribute \"" + std::string(attribute_of(event)) +
                   "\": host \"" + command->host + "\" is not an exec host"};
  }
  return Done{};
}

// As in a request they are patterns, perhaps with @ and a host, a group or a pattern of these.
Outcome Configuration::check_new_plus_queues(const Configuration& before) const {
  const auto& known = before.scheduler_.plus.queues;
  for (const auto& entry : scheduler_.plus.queues) {
    if (std::find(known.begin(), known.end(), entry) != known.end()) continue;
    const auto name = entry.substr(0, entry.find('@'));
    const bool is_there = std::any_of(queues_.begin(), queues_.end(), [&](const auto& queue) {
      return matches_expression(name, queue.first);
    });
    if (!is_there)
      return Error{"scheduler configuration: attribute \"params\": PLUS_QUEUES: cluster queue \"" +
                   excerpt(entry) + "\" does not exist"};
  }
  return Done{};
}

Outcome Configuration::check_not_referenced(ObjectKind kind, const std::string& name) const {
  const auto in_queue = [&](const char* attribute, const std::string& wanted) -> std::string {
    if (equal_ignoring_case(wanted, "NONE")) return {}; // the word for none of them
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
  // Names in lists of objects that are no queues.
  const auto in_object = [&](std::initializer_list<const char*> attributes) -> std::string {
    for (const auto& [key, object] : objects_)
      for (const char* attribute : attributes)
        if (const auto* list = object.find(attribute);
            list && key.first != ObjectKind::cluster_queue)
          for (const auto& entry : parse_name_list(*list))
            if (entry == name)
              return std::string(attribute) + " of " + std::string(kind_name(key.first)) +
                     (key.second.empty() ? "" : " \"" + key.second + "\"");
    return {};
  };
  switch (kind) {
  case ObjectKind::parallel_environment:
    if (auto queue = in_queue("pe_list", name); !queue.empty())
      return Error{"denied: Parallel environment " + quoted + " is still referenced in queue \"" +
                   queue + "\"."};
    break;
  case ObjectKind::cluster_queue:
    if (auto queue = queue_above(queues_, name); !queue.empty())
      return Error{"denied: cluster queue " + quoted +
                   " is still referenced in subordinate_list of queue \"" + queue + "\"."};
    if (const auto& of_plus = scheduler_.plus.queues;
        std::find(of_plus.begin(), of_plus.end(), name) != of_plus.end())
      return Error{"denied: cluster queue " + quoted +
                   " is still referenced in PLUS_QUEUES of the scheduler configuration."};
    break;
  case ObjectKind::checkpoint:
    if (auto queue = in_queue("ckpt_list", name); !queue.empty())
      return Error{"denied: Ckpt " + quoted + " is still referenced in queue \"" + queue + "\"."};
    break;
  case ObjectKind::userset:
    if (name == "arusers" || name == "deadlineusers" || name == "defaultdepartment")
      return Error{"denied: userset " + quoted + " is built in"};
    for (const char* attribute : {"user_lists", "xuser_lists"})
      if (auto queue = in_queue(attribute, name); !queue.empty())
        return Error{"denied: userset " + quoted + " is still referenced in " + attribute +
                     " of cluster queue \"" + queue + "\""};
    for (const auto& [attribute, limit] : limits_of_users(global_))
      for (const auto& list : limit->lists())
        if (list == name)
          return Error{"denied: userset " + quoted + " is still referenced in " + attribute +
                       " of configuration"};
    if (auto place = in_object({"user_lists", "xuser_lists", "acl", "xacl"}); !place.empty())
      return Error{"denied: userset " + quoted + " is still referenced in " + place};
    break;
  case ObjectKind::exec_host:
    if (name == "global") return Error{"denied: the host \"global\" can't be deleted"};
    [[fallthrough]];
  case ObjectKind::host_group: {
    const std::string what = kind == ObjectKind::exec_host ? "Host object " : "Host group ";
    // Values of single hosts stay behind with a queue, those of groups do not.
    for (const auto& [queue_name, queue] : queues_)
      if (std::count(queue.hostlist.begin(), queue.hostlist.end(), name) ||
          (kind == ObjectKind::host_group && has_values_of(queue, name)))
        return Error{what + quoted + " is still referenced in cluster queue \"" + queue_name +
                     "\"."};
    for (const auto& [group, list] : groups_)
      if (std::count(list.begin(), list.end(), name))
        return Error{what + quoted + " is still referenced in host group \"" + group + "\"."};
    break;
  }
  case ObjectKind::calendar:
    if (auto queue = in_queue("calendar", name); !queue.empty())
      return Error{"denied: Calendar " + quoted + " is still referenced in queue \"" + queue +
                   "\""};
    break;
  case ObjectKind::project:
    for (const char* attribute : {"projects", "xprojects"})
      if (auto queue = in_queue(attribute, name); !queue.empty())
        return Error{"denied: project " + quoted + " is still referenced in " + attribute +
                     " of cluster queue \"" + queue + "\""};
    if (auto place =
            in_object({"projects", "xprojects", "default_project", "auto_user_default_project"});
        !place.empty())
      return Error{"denied: project " + quoted + " is still referenced in " + place};
    break;
  case ObjectKind::complex:
    for (const char* attribute : {"complex_values", "load_thresholds", "suspend_thresholds"})
      if (auto queue = in_queue(attribute, name); !queue.empty())
        return Error{"Complex attribute " + quoted + " is still referenced in queue \"" + queue +
                     "\"."};
    for (const auto& [host_name, host] : hosts_)
      if (host.complex_values.contains(name))
        return Error{"Complex attribute " + quoted + " is still referenced in host \"" + host_name +
                     "\"."};
    if (auto set = quota_set_with(quota_sets_, name); !set.empty())
      return Error{"Complex attribute " + quoted + " is still referenced in resource quota set \"" +
                   set + "\"."};
    break;
  default: break;
  }
  return Done{};
}

} // namespace almanac
