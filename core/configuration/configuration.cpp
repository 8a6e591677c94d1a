#include "core/configuration/configuration.hpp"

#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <tuple>

namespace almanac {

namespace {

Error in_object(const ConfigurationObject& object, const Error& error) {
  return {std::string(kind_name(object.kind)) +
          (object.name.empty() ? "" : " \"" + object.name + "\"") + ": " + error.what};
}

// Attributes of Grid Engine that this version does not have yet: refused by name, apart from
// misspelt ones.
bool is_known_elsewhere(std::string_view name) {
  static const std::set<std::string_view> names{"suspend_thresholds",
                                                "nsuspend",
                                                "suspend_interval",
                                                "priority",
                                                "min_cpu_interval",
                                                "processors",
                                                "ckpt_list",
                                                "starter_method",
                                                "suspend_method",
                                                "resume_method",
                                                "terminate_method",
                                                "owner_list",
                                                "subordinate_list",
                                                "projects",
                                                "xprojects",
                                                "calendar",
                                                "initial_state",
                                                "s_cpu",
                                                "h_cpu",
                                                "s_fsize",
                                                "h_fsize",
                                                "s_data",
                                                "h_data",
                                                "s_stack",
                                                "h_stack",
                                                "s_core",
                                                "h_core",
                                                "s_rss",
                                                "h_rss",
                                                "s_vmem",
                                                "h_vmem",
                                                "load_scaling",
                                                "load_values",
                                                "usage_scaling",
                                                "report_variables",
                                                "start_proc_args",
                                                "stop_proc_args",
                                                "job_is_first_task",
                                                "accounting_summary",
                                                "fshare",
                                                "oticket",
                                                "mailer",
                                                "load_sensor",
                                                "login_shells",
                                                "min_gid",
                                                "enforce_project",
                                                "enforce_user",
                                                "reschedule_unknown",
                                                "administrator_mail",
                                                "gid_range",
                                                "finished_jobs",
                                                "load_formula",
                                                "job_load_adjustments",
                                                "load_adjustment_decay_time",
                                                "reprioritize_interval",
                                                "halftime"};
  return names.contains(name);
}

Result<std::vector<Attribute>> known_attributes(const ConfigurationObject& given) {
  const auto pattern = template_of(given.kind, given.name);
  std::vector<Attribute> kept;
  for (const auto& attribute : given.attributes) {
    if (attribute.name == name_attribute(given.kind)) {
      if (attribute.value != given.name)
        return Error{"attribute \"" + attribute.name + "\": \"" + attribute.value +
                     "\" is not the object's name \"" + given.name + "\""};
    } else if (pattern.find(attribute.name)) kept.push_back(attribute);
    else if (attribute.name == "execd_spool_dir")
      return Error{"attribute \"execd_spool_dir\": an agent keeps its spool in its own folder"};
    else if (is_known_elsewhere(attribute.name))
      return Error{"attribute \"" + attribute.name + "\" is not built yet"};
    else return Error{"unknown attribute name \"" + attribute.name + "\""};
  }
  return kept;
}

// The entries after adding or removing names; sets of names keep their order.
Result<std::string> edited_entries(const ConfigurationObject& object,
                                   const ConfigurationChange& change) {
  const auto* old = object.find("entries");
  auto entries = parse_name_list(old ? *old : "NONE");
  const auto title = object.name.empty() ? std::string(kind_name(object.kind)) + " list"
                                         : "userset \"" + object.name + "\"";
  for (const auto& entry : change.entries) {
    const auto it = std::find(entries.begin(), entries.end(), entry);
    if (change.verb == ChangeVerb::add_entries) {
      if (it != entries.end()) return Error{"\"" + entry + "\" is already in " + title};
      entries.push_back(entry);
    } else {
      if (it == entries.end()) return Error{"\"" + entry + "\" does not exist in " + title};
      entries.erase(it);
    }
  }
  return print_name_list(entries);
}

} // namespace

std::string queue_of(const std::string& instance) { return instance.substr(0, instance.find('@')); }
std::string host_of(const std::string& instance) {
  const auto at = instance.find('@');
  return at == std::string::npos ? std::string() : instance.substr(at + 1);
}

Configuration Configuration::initial(const std::string& admin) {
  Configuration result;
  const auto add = [&](ConfigurationObject object) {
    result.objects_[{object.kind, object.name}] = std::move(object);
  };
  for (const auto kind : {ObjectKind::complex, ObjectKind::managers, ObjectKind::operators,
                          ObjectKind::global_configuration, ObjectKind::scheduler_configuration})
    add(template_of(kind, ""));
  result.objects_[{ObjectKind::managers, ""}].set("entries",
                                                  admin == "root" ? admin : "root," + admin);
  add(template_of(ObjectKind::exec_host, "global"));
  add(template_of(ObjectKind::host_group, "@allhosts"));
  const auto pe = [&](const char* name, const char* slots, const char* rule) {
    auto object = template_of(ObjectKind::parallel_environment, name);
    object.set("slots", slots);
    object.set("allocation_rule", rule);
    object.set("control_slaves", "TRUE");
    add(object);
  };
  pe("make", "999", "$round_robin");
  pe("smp", "999999", "$pe_slots");
  pe("mpi", "999999", "$round_robin");
  pe("fill", "999999", "$fill_up");
  for (const char* name : {"arusers", "deadlineusers", "defaultdepartment"})
    add(template_of(ObjectKind::userset, name));
  result.objects_[{ObjectKind::userset, "arusers"}].set("entries", admin);
  auto queue = template_of(ObjectKind::cluster_queue, "all.q");
  queue.set("pe_list", "make smp mpi fill");
  queue.set("hostlist", "@allhosts");
  add(queue);
  check(result.rebuild().ok(), "the initial configuration is consistent");
  return result;
}

Result<Configuration> Configuration::restore(const std::vector<ConfigurationObject>& objects) {
  Configuration result;
  for (const auto& object : objects) result.objects_[{object.kind, object.name}] = object;
  if (auto rebuilt = result.rebuild(); !rebuilt) return rebuilt.error();
  return result;
}

Result<Configuration::Changed> Configuration::with(const ConfigurationChange& change) const {
  Changed changed{*this, {}, {}};
  auto object = change.object;
  if (is_single(object.kind)) object.name.clear();
  if (object.kind == ObjectKind::host_group && !object.name.starts_with('@'))
    return Error{"\"" + object.name + "\" is not a host group name: it begins with @"};
  const auto title = std::string(kind_name(object.kind)) + " \"" + object.name + "\"";
  const auto* existing = find(object.kind, object.name);
  auto& table = changed.configuration.objects_;

  if (change.verb == ChangeVerb::erase) {
    if (is_single(object.kind) || !existing) return Error{"denied: " + title + " does not exist"};
    if (auto free = check_not_referenced(object.kind, object.name); !free) return free.error();
    table.erase({object.kind, object.name});
    changed.erased = *existing;
    if (auto rebuilt = changed.configuration.rebuild(); !rebuilt) return rebuilt.error();
    return changed;
  }
  if (change.verb == ChangeVerb::add && existing) return Error{title + " already exists"};
  if (change.verb == ChangeVerb::modify && !existing)
    return Error{"denied: " + title + " does not exist"};
  if (change.verb == ChangeVerb::remove_entries && !existing)
    return Error{"denied: " + title + " does not exist"};

  auto next = existing ? *existing : template_of(object.kind, object.name);
  if (change.verb == ChangeVerb::add_entries || change.verb == ChangeVerb::remove_entries) {
    auto entries = edited_entries(next, change);
    if (!entries) return entries.error();
    next.set("entries", *entries);
  } else if (object.kind == ObjectKind::complex) {
    for (const auto& row : next.attributes) {
      const bool kept = std::any_of(object.attributes.begin(), object.attributes.end(),
                                    [&](auto& a) { return a.name == row.name; });
      if (!kept && !is_built_in_complex(row.name))
        if (auto free = check_not_referenced(ObjectKind::complex, row.name); !free)
          return free.error();
    }
    next.attributes = object.attributes;
  } else {
    auto known = known_attributes(object);
    if (!known) return in_object(object, known.error());
    for (const auto& attribute : *known) next.set(attribute.name, attribute.value);
  }
  table[{next.kind, next.name}] = next;
  changed.stored.push_back(next);
  if (auto rebuilt = changed.configuration.rebuild(); !rebuilt) return rebuilt.error();
  return changed;
}

const ConfigurationObject* Configuration::find(ObjectKind kind, const std::string& name) const {
  const auto it = objects_.find({kind, name});
  return it == objects_.end() ? nullptr : &it->second;
}

std::vector<ConfigurationObject> Configuration::objects() const {
  std::vector<ConfigurationObject> result;
  for (const auto& [key, object] : objects_) result.push_back(object);
  return result;
}

const QueueInstance* Configuration::instance(const std::string& name) const {
  const auto it = instance_index_.find(name);
  return it == instance_index_.end() ? nullptr : &instances_[it->second];
}

ConfigurationObject Configuration::orphan_of(const std::string& instance) const {
  ConfigurationObject orphan{ObjectKind::orphan, instance, {}};
  const auto host = host_of(instance);
  bool ambiguous = false;
  orphan.attributes =
      queues_.at(queue_of(instance))
          .values_for(
              host, [&](const std::string& group) { return host_in_group(host, group); },
              ambiguous);
  return orphan;
}

const std::map<std::string, std::string>&
Configuration::host_values(const std::string& host) const {
  static const std::map<std::string, std::string> none;
  const auto it = hosts_.find(host);
  return it == hosts_.end() ? none : it->second.complex_values;
}

bool Configuration::is_manager(const std::string& user) const {
  return user == "root" || managers_.contains(user, "");
}
bool Configuration::is_operator(const std::string& user) const {
  return is_manager(user) || operators_.contains(user, "");
}

std::set<std::string> Configuration::hosts_of_group(const std::string& group) const {
  std::set<std::string> hosts;
  const auto it = groups_.find(group);
  if (it == groups_.end()) return hosts;
  for (const auto& member : it->second) {
    if (member.starts_with('@')) hosts.merge(hosts_of_group(member));
    else hosts.insert(member);
  }
  return hosts;
}

bool Configuration::host_in_group(const std::string& host, const std::string& group) const {
  return hosts_of_group(group).contains(host);
}

bool Configuration::allowed(const std::string& user, const std::string& group,
                            const std::vector<std::string>& lists,
                            const std::vector<std::string>& excluded) const {
  const auto in_any = [&](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const auto set = usersets_.find(name);
      return set != usersets_.end() && set->second.contains(user, group);
    });
  };
  return !in_any(excluded) && (lists.empty() || in_any(lists));
}

Outcome Configuration::rebuild() {
  queues_.clear(), hosts_.clear(), pes_.clear(), usersets_.clear(), groups_.clear();
  for (const auto& [key, object] : objects_) {
    const auto put = [&, &object = object](auto& into, auto parsed) -> Outcome {
      if (!parsed) return in_object(object, parsed.error());
      into = *parsed;
      return Done{};
    };
    Outcome outcome = Done{};
    switch (key.first) {
    case ObjectKind::cluster_queue:
      outcome = put(queues_[key.second], ClusterQueue::parse(object));
      break;
    case ObjectKind::exec_host: outcome = put(hosts_[key.second], ExecHost::parse(object)); break;
    case ObjectKind::host_group:
      groups_[key.second] = parse_name_list(*object.find("hostlist"));
      break;
    case ObjectKind::parallel_environment:
      outcome = put(pes_[key.second], ParallelEnvironment::parse(object));
      break;
    case ObjectKind::complex: outcome = put(complexes_, ComplexTable::parse(object)); break;
    case ObjectKind::userset: outcome = put(usersets_[key.second], Userset::parse(object)); break;
    case ObjectKind::managers: outcome = put(managers_, Userset::parse(object)); break;
    case ObjectKind::operators: outcome = put(operators_, Userset::parse(object)); break;
    case ObjectKind::global_configuration:
      outcome = put(global_, GlobalConfiguration::parse(object));
      break;
    case ObjectKind::scheduler_configuration:
      outcome = put(scheduler_, SchedulerConfiguration::parse(object));
      break;
    case ObjectKind::orphan: break;
    }
    if (!outcome) return outcome;
  }
  if (auto sound = check_references(); !sound) return sound;
  return rebuild_instances();
}

Outcome Configuration::rebuild_instances() {
  instances_.clear(), instance_index_.clear();
  has_orphans_ = false;
  std::set<std::string> names;
  std::map<std::string, std::set<std::string>> members;
  for (const auto& [group, list] : groups_) members[group] = hosts_of_group(group);
  for (const auto& [name, queue] : queues_) {
    std::set<std::string> hosts;
    for (const auto& entry : queue.hostlist) {
      if (entry.starts_with('@')) hosts.insert(members[entry].begin(), members[entry].end());
      else hosts.insert(entry);
    }
    for (const auto& host : hosts) {
      auto settings = queue.settings_for(
          host, [&](const std::string& group) { return members[group].contains(host); });
      if (!settings) return Error{"cluster queue \"" + name + "\": " + settings.what()};
      instances_.push_back({name + "@" + host, name, host, *settings, false});
      names.insert(instances_.back().name);
    }
  }
  for (const auto& [key, object] : objects_) {
    if (key.first != ObjectKind::orphan) continue;
    has_orphans_ = true;
    if (names.contains(key.second)) continue;
    auto unnamed = object;
    unnamed.name = queue_of(key.second);
    auto queue = ClusterQueue::parse(unnamed);
    if (!queue) return in_object(object, queue.error());
    auto settings =
        queue->settings_for(host_of(key.second), [](const std::string&) { return false; });
    if (!settings) return in_object(object, settings.error());
    instances_.push_back({key.second, queue->name, host_of(key.second), *settings, true});
  }
  std::sort(instances_.begin(), instances_.end(),
            [](const QueueInstance& a, const QueueInstance& b) {
              return std::tie(a.settings.seq_no, a.queue, a.host) <
                     std::tie(b.settings.seq_no, b.queue, b.host);
            });
  for (std::size_t i = 0; i < instances_.size(); ++i) instance_index_[instances_[i].name] = i;
  return Done{};
}

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
