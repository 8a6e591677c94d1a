#include "core/configuration/configuration.hpp"

#include "core/configuration/foreign_attributes.hpp"
#include "core/configuration/list_entries.hpp"
#include "core/configuration/new_names.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/configuration/objects/local_configuration.hpp"
#include "core/configuration/objects/host_group.hpp"
#include "core/configuration/objects/host_set.hpp"
#include "core/configuration/objects/queue_settings.hpp"
#include "core/configuration/subordinate_cycles.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <tuple>

namespace almanac {

namespace {

// What is wrong with a quota set is said as Grid Engine says it, without the object in front.
Error in_object(const ConfigurationObject& object, const Error& error) {
  if (object.kind == ObjectKind::quota_set) return error;
  return {std::string(kind_name(object.kind)) +
          (object.name.empty() ? "" : " \"" + object.name + "\"") + ": " + error.what};
}

Result<std::vector<Attribute>> known_attributes(const ConfigurationObject& given) {
  const bool is_local = given.kind == ObjectKind::local_configuration;
  const auto pattern =
      template_of(is_local ? ObjectKind::global_configuration : given.kind, given.name);
  std::vector<Attribute> kept;
  for (const auto& attribute : given.attributes) {
    if (attribute.name == name_attribute(given.kind)) {
      if (attribute.value != given.name)
        return Error{"attribute \"" + attribute.name + "\": \"" + attribute.value +
                     "\" is not the object's name \"" + given.name + "\""};
    } else {
      if (!pattern.find(attribute.name))
        if (auto foreign = check_foreign(given.kind, attribute); !foreign) return foreign.error();
      kept.push_back(attribute);
    }
  }
  return kept;
}

std::string title(ObjectKind kind, const std::string& name) {
  return std::string(kind_name(kind)) + " \"" + name + "\"";
}

// A list of hosts with each as it is spelt in its object, separated by blanks (spec/objects.md, O0.4).
std::string with_known_hosts(const std::string& hostlist,
                             const std::map<std::string, ExecHost>& hosts) {
  auto names = parse_name_list(hostlist);
  for (auto& name : names) {
    if (hosts.contains(name)) continue;
    for (const auto& [host, object] : hosts)
      if (equal_ignoring_case(host, name)) name = host;
  }
  return names.empty() ? hostlist : join(names, " ");
}

// Whether a group of hosts has a value of its own: then settings depend on who is in it.
bool has_group_values(const ClusterQueue& queue) {
  const auto is_group = [](const Attribute& one) { return one.name.starts_with('@'); };
  return std::any_of(queue.values.begin(), queue.values.end(), [&](const auto& value) {
    const auto& overrides = value.second.overrides;
    return std::any_of(overrides.begin(), overrides.end(), is_group);
  });
}

bool comes_before(const QueueInstance& a, const QueueInstance& b) {
  return std::tie(a.settings.seq_no, a.name.queue, a.name.host) <
         std::tie(b.settings.seq_no, b.name.queue, b.name.host);
}

} // namespace

std::optional<ParallelEnvironment> Configuration::environment(const std::string& name) const {
  if (is_allocation_pe(name)) return allocation_pe(name);
  const auto it = pes_.find(name);
  return it == pes_.end() ? std::nullopt : std::optional(it->second);
}

Result<Configuration> Configuration::restore(const std::vector<ConfigurationObject>& objects) {
  Configuration result;
  for (const auto& object : objects)
    if (auto sound = result.put(object); !sound) return sound.error();
  if (auto finished = result.finish(ChangedKinds::all()); !finished) return finished.error();
  return result;
}

Result<Configuration::Changed> Configuration::with(const ConfigurationChange& change) const {
  return with_all({change});
}

Result<Configuration::Changed>
Configuration::with_all(const std::vector<ConfigurationChange>& changes) const {
  Changed changed{*this, {}, {}, {}};
  auto& next = changed.configuration;
  std::set<Key> known;
  std::vector<Key> touched; // in the order of the changes
  for (auto change : changes) {
    auto& object = change.object;
    if (is_single(object.kind)) object.name.clear();
    if (const Key key{object.kind, object.name}; known.insert(key).second) touched.push_back(key);
    if (change.verb == ChangeVerb::erase) {
      // What a host has of its own goes with it.
      if (const Key own{ObjectKind::local_configuration, object.name};
          object.kind == ObjectKind::exec_host && next.objects_.contains(own)) {
        next.forget(own.first, own.second);
        if (known.insert(own).second) touched.push_back(own);
      }
      if (auto erased = next.erase(object.kind, object.name); !erased) return erased.error();
      continue;
    }
    auto edited = next.edited(change);
    if (!edited) return edited.error();
    if (auto sound = next.put(*edited); !sound) return sound.error();
  }
  // One that is changed several times is stored as it is at last.
  for (const auto& [kind, name] : touched) {
    changed.kinds.add(kind);
    const auto* before = find(kind, name);
    const auto* object = next.find(kind, name);
    if (object && before && *object == *before) continue; // nobody is told of it
    if (object) changed.stored.push_back(*object);
    else if (before) changed.erased.push_back(*before);
  }
  if (auto finished = next.finish(changed.kinds); !finished) return finished.error();
  if (changed.kinds.may_change_quota_sets())
    if (auto sound = next.check_new_quotas(*this); !sound) return sound.error();
  if (auto sound = next.check_new_hooks(*this); !sound) return sound.error();
  if (auto sound = next.check_new_plus_queues(*this); !sound) return sound.error();
  return changed;
}

Outcome Configuration::erase(ObjectKind kind, const std::string& name) {
  if (is_single(kind) || !find(kind, name))
    return Error{"denied: " + title(kind, name) + " does not exist"};
  if (auto free = check_not_referenced(kind, name); !free) return free;
  forget(kind, name);
  return Done{};
}

Outcome Configuration::follow(const News& news) {
  ChangedKinds kinds;
  for (const auto& [key, object] : news) {
    kinds.add(key.first);
    if (!object) forget(key.first, key.second);
    else if (auto sound = put(*object); !sound) return sound;
  }
  return finish(kinds);
}

// Host names are compared without case (ruling).
bool Configuration::is_other_spelling(const ConfigurationObject& object) const {
  return object.kind == ObjectKind::exec_host &&
         std::any_of(hosts_.begin(), hosts_.end(), [&](const auto& host) {
           return equal_ignoring_case(host.first, object.name);
         });
}

// The object as the change makes it.
Result<ConfigurationObject> Configuration::edited(const ConfigurationChange& change) const {
  const auto& object = change.object;
  check(!is_of_values(change.verb), "a change of values is decided before (decide_values)");
  if (object.kind == ObjectKind::host_group && !object.name.starts_with('@'))
    return Error{"\"" + object.name + "\" is not a host group name: it begins with @"};
  const auto* existing = find(object.kind, object.name);
  if (object.kind == ObjectKind::host_group && !existing)
    if (auto valid = valid_object_name(object.name.substr(1)); !valid) return valid.error();
  const bool is_new =
      !existing && (change.verb == ChangeVerb::add || change.verb == ChangeVerb::add_entries);
  if (is_new && !is_single(object.kind))
    if (auto allowed = check_new_name(object.kind, object.name); !allowed) return allowed.error();
  if (change.verb == ChangeVerb::add && (existing || is_other_spelling(object)))
    return Error{title(object.kind, object.name) + " already exists"};
  if ((change.verb == ChangeVerb::modify || change.verb == ChangeVerb::remove_entries) && !existing)
    return Error{"denied: " + title(object.kind, object.name) + " does not exist"};

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
    if (auto allowed = check_new_complexes(existing, object); !allowed) return allowed.error();
    next.attributes = object.attributes;
  } else {
    auto known = known_attributes(object);
    if (!known) return in_object(object, known.error());
    // The file of a host says all that the host has of its own.
    if (object.kind == ObjectKind::local_configuration) next.attributes.clear();
    for (const auto& attribute : *known) next.set(attribute.name, attribute.value);
  }
  if (const auto* list = next.find("hostlist"))
    next.set("hostlist", with_known_hosts(*list, hosts_));
  if (auto sound = check_new_values(next, complexes_); !sound)
    return in_object(next, sound.error());
  if (object.kind == ObjectKind::quota_set) {
    const bool is_placed = existing || object.find("position");
    return placed_quota_set(std::move(next), !is_placed);
  }
  return next;
}

const User& Configuration::user_called(const std::string& name) const {
  const auto it = users_.find(name);
  return it == users_.end() ? global_.usual_user : it->second;
}

const GlobalConfiguration& Configuration::on(const std::string& host) const {
  const auto it = local_.find(host);
  return it == local_.end() ? global_ : it->second;
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

const QueueInstance* Configuration::instance(const InstanceName& name) const {
  const auto* index = instance_index_.find(name);
  return index ? &instances_[*index] : nullptr;
}
const QueueInstance* Configuration::instance(std::string_view name) const {
  const auto parsed = InstanceName::parse(name);
  return parsed ? instance(*parsed) : nullptr;
}

std::optional<std::size_t> Configuration::host_index(const std::string& host) const {
  const auto* index = host_indexes_.find(host);
  return index ? std::optional(*index) : std::nullopt;
}

ConfigurationObject Configuration::orphan_of(const InstanceName& instance) const {
  ConfigurationObject orphan{ObjectKind::orphan, instance.text(), {}};
  const auto host = instance.host;
  bool ambiguous = false;
  orphan.attributes =
      queues_.at(instance.queue)
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

std::int64_t Configuration::load_factor(const std::string& host, const std::string& value) const {
  if (!scales_load_) return 1'000'000;
  const auto it = hosts_.find(host);
  if (it == hosts_.end()) return 1'000'000;
  const auto factor = it->second.load_scaling.find(value);
  return factor == it->second.load_scaling.end() ? 1'000'000 : factor->second;
}

const std::map<std::string, std::int64_t>&
Configuration::usage_factors(const std::string& host) const {
  static const std::map<std::string, std::int64_t> none;
  const auto it = hosts_.find(host);
  return it == hosts_.end() ? none : it->second.usage_scaling;
}

bool Configuration::is_manager(const std::string& user) const {
  return user == "root" || managers_.contains(user, "");
}
bool Configuration::is_admin_host(const std::string& host) const {
  return admin_hosts_.contains(lower(host));
}
bool Configuration::is_submit_host(const std::string& host) const {
  return submit_hosts_.contains(lower(host));
}
bool Configuration::is_in_userset(const std::string& set, const std::string& user,
                                  const std::string& group) const {
  const auto it = usersets_.find(set);
  return it != usersets_.end() && it->second.contains(user, group);
}

const std::string& Configuration::department_of(const std::string& user,
                                                const std::string& group) const {
  static const std::string usual = "defaultdepartment";
  for (const auto& [name, set] : usersets_)
    if (set.is_department && name != usual && set.contains(user, group)) return name;
  return usual;
}

bool Configuration::is_operator(const std::string& user) const {
  return is_manager(user) || operators_.contains(user, "");
}

bool Configuration::allowed(const std::string& user, const std::string& group,
                            const std::vector<std::string>& lists,
                            const std::vector<std::string>& excluded) const {
  const auto in_any = [&](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return is_in_userset(name, user, group); });
  };
  return !in_any(excluded) && (lists.empty() || in_any(lists));
}

Outcome Configuration::put(const ConfigurationObject& object) {
  objects_[{object.kind, object.name}] = object;
  // What its instances have is worked out again.
  if (object.kind == ObjectKind::cluster_queue) instances_.clear(), instance_index_.clear();
  return parse(object);
}

Outcome Configuration::parse(const ConfigurationObject& object) {
  const auto& name = object.name;
  const auto put = [&](auto& into, auto parsed) -> Outcome {
    if (!parsed) return in_object(object, parsed.error());
    into = std::move(*parsed);
    return Done{};
  };
  switch (object.kind) {
  case ObjectKind::cluster_queue: return put(queues_[name], ClusterQueue::parse(object));
  case ObjectKind::exec_host: return put(hosts_[name], ExecHost::parse(object));
  case ObjectKind::host_group: groups_[name] = parse_host_group(object); return Done{};
  case ObjectKind::parallel_environment: return put(pes_[name], ParallelEnvironment::parse(object));
  case ObjectKind::checkpoint: return put(checkpoints_[name], CheckpointEnvironment::parse(object));
  case ObjectKind::complex: return put(complexes_, ComplexTable::parse(object));
  case ObjectKind::userset: return put(usersets_[name], Userset::parse(object));
  case ObjectKind::calendar: return put(calendars_[name], OpeningHours::parse(object));
  case ObjectKind::project: return put(projects_[name], Project::parse(object));
  case ObjectKind::user: return put(users_[name], User::parse(object));
  case ObjectKind::managers: return put(managers_, Userset::parse(object));
  case ObjectKind::operators: return put(operators_, Userset::parse(object));
  case ObjectKind::admin_hosts: return put(admin_hosts_, parse_host_set(object));
  case ObjectKind::submit_hosts: return put(submit_hosts_, parse_host_set(object));
  case ObjectKind::global_configuration: return parse_global(object);
  case ObjectKind::local_configuration: return parse_local(object);
  case ObjectKind::scheduler_configuration:
    return put(scheduler_, SchedulerConfiguration::parse(object));
  case ObjectKind::orphan: return Done{};    // with the instances
  case ObjectKind::quota_set: return Done{}; // with the complexes that they name
  }
  return Done{};
}

Outcome Configuration::parse_local(const ConfigurationObject& object) {
  const auto* global = find(ObjectKind::global_configuration, "");
  auto merged =
      merged_with(object, global ? *global : template_of(ObjectKind::global_configuration, ""));
  if (!valid_host_name(object.name) || object.name == "global")
    return Error{"\"" + object.name + "\" is not the name of a host"};
  auto parsed = GlobalConfiguration::parse(merged);
  if (!parsed) return in_object(object, parsed.error());
  local_[object.name] = std::move(*parsed);
  return Done{};
}

// What hosts have of their own lies over it.
Outcome Configuration::parse_global(const ConfigurationObject& object) {
  auto parsed = GlobalConfiguration::parse(object);
  if (!parsed) return in_object(object, parsed.error());
  global_ = std::move(*parsed);
  for (auto it = objects_.lower_bound({ObjectKind::local_configuration, ""});
       it != objects_.end() && it->first.first == ObjectKind::local_configuration; ++it)
    if (auto sound = parse_local(it->second); !sound) return sound;
  return Done{};
}

void Configuration::forget(ObjectKind kind, const std::string& name) {
  objects_.erase({kind, name});
  switch (kind) {
  case ObjectKind::cluster_queue: queues_.erase(name); return;
  case ObjectKind::exec_host: hosts_.erase(name); return;
  case ObjectKind::host_group: groups_.erase(name); return;
  case ObjectKind::parallel_environment: pes_.erase(name); return;
  case ObjectKind::checkpoint: checkpoints_.erase(name); return;
  case ObjectKind::userset: usersets_.erase(name); return;
  case ObjectKind::calendar: calendars_.erase(name); return;
  case ObjectKind::project: projects_.erase(name); return;
  case ObjectKind::user: users_.erase(name); return;
  case ObjectKind::local_configuration: local_.erase(name); return;
  default: return; // there is always one of these, or it is with the instances
  }
}

Outcome Configuration::finish(ChangedKinds kinds) {
  if (auto sound = check_references(); !sound) return sound;
  senses_load_ = !global_.load_sensors.empty() ||
                 std::any_of(local_.begin(), local_.end(),
                             [](const auto& local) { return !local.second.load_sensors.empty(); });
  if (kinds.may_change_quota_sets()) rebuild_quota_sets();
  return kinds.may_change_instances() ? rebuild_instances() : Outcome(Done{});
}

Outcome Configuration::rebuild_instances() {
  auto known = std::exchange(instances_, {});
  const auto places = std::exchange(instance_index_, {});
  instances_.reserve(known.size() + 1);
  std::map<std::string, std::set<std::string>> members;
  for (const auto& [group, list] : groups_) members[group] = hosts_of_group(group);
  for (const auto& [name, queue] : queues_) {
    std::set<std::string> hosts;
    for (const auto& entry : queue.hostlist) {
      if (entry.starts_with('@')) hosts.insert(members[entry].begin(), members[entry].end());
      else hosts.insert(entry);
    }
    const QueueSettings settings_of(queue);
    const bool follows_groups = has_group_values(queue);
    for (const auto& host : hosts) {
      const auto* place = follows_groups ? nullptr : places.find(InstanceName{name, host});
      if (place && !known[*place].orphaned) {
        instances_.push_back(std::move(known[*place]));
        continue;
      }
      auto settings = settings_of.on(
          host, [&](const std::string& group) { return members[group].contains(host); });
      if (!settings) return Error{"cluster queue \"" + name + "\": " + settings.what()};
      instances_.push_back({{name, host}, std::move(*settings), false, 0, false});
    }
  }
  const auto first_orphan = objects_.lower_bound({ObjectKind::orphan, ""});
  has_orphans_ = first_orphan != objects_.end() && first_orphan->first.first == ObjectKind::orphan;
  std::set<InstanceName> names;
  if (has_orphans_)
    for (const auto& instance : instances_) names.insert(instance.name);
  for (auto it = first_orphan; it != objects_.end(); ++it) {
    const auto& [key, object] = *it;
    if (key.first != ObjectKind::orphan) break;
    const auto instance = InstanceName::parse(key.second);
    if (!instance) return in_object(object, instance.error());
    if (names.contains(*instance)) continue;
    auto unnamed = object;
    unnamed.name = instance->queue;
    auto queue = ClusterQueue::parse(unnamed);
    if (!queue) return in_object(object, queue.error());
    auto settings =
        QueueSettings(*queue).on(instance->host, [](const std::string&) { return false; });
    if (!settings) return in_object(object, settings.error());
    instances_.push_back({*instance, std::move(*settings), true, 0, false});
  }
  // Mostly they are: queues and hosts come by their names, and few sites use seq_no.
  if (!std::is_sorted(instances_.begin(), instances_.end(), comes_before))
    std::sort(instances_.begin(), instances_.end(), comes_before);
  auto& hosts = host_indexes_;
  hosts.clear();
  subordinating_.clear();
  for (const auto& instance : instances_)
    if (!instance.settings.subordinates.queues.empty()) subordinating_.insert(instance.name.queue);
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    instance_index_.emplace(instances_[i].name, i);
    instances_[i].host_index = hosts.emplace(instances_[i].name.host, hosts.size());
    instances_[i].host_limits_slots = host_values(instances_[i].name.host).contains("slots");
  }
  scales_load_ = std::any_of(hosts_.begin(), hosts_.end(),
                             [](const auto& host) { return !host.second.load_scaling.empty(); });
  offered_.clear();
  for (const auto& [name, host] : hosts_)
    for (const auto& [complex, value] : host.complex_values) offered_.emplace(complex, true);
  for (const auto& instance : instances_)
    for (const auto& [complex, value] : instance.settings.complex_values)
      offered_.emplace(complex, true);
  return check_subordinate_cycles(instances_);
}

} // namespace almanac
