// All configuration of a cell, consistent as a whole.
//
// 1. Every object parses, and what it refers to exists.
// 2. A change is validated completely on a copy; the caller replaces the old configuration by it.
// 3. Instances are ordered by seq_no, queue and host: the order in which jobs are placed.
#pragma once

#include "core/base/lookup.hpp"
#include "core/configuration/change.hpp"
#include "core/configuration/changed_kinds.hpp"
#include "core/configuration/objects/checkpoint.hpp"
#include "core/configuration/objects/cluster_queue.hpp"
#include "core/configuration/objects/complex.hpp"
#include "core/utilization/instance_name.hpp"
#include "core/configuration/objects/exec_host.hpp"
#include "core/configuration/objects/global_configuration.hpp"
#include "core/configuration/objects/parallel_environment.hpp"
#include "core/configuration/objects/project.hpp"
#include "core/configuration/objects/quota_set.hpp"
#include "core/configuration/objects/scheduler_configuration.hpp"
#include "core/configuration/objects/user.hpp"
#include "core/configuration/objects/userset.hpp"
#include "core/configuration/opening_hours.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct QueueInstance {
  InstanceName name;
  InstanceSettings settings;
  bool orphaned = false; ///< its queue or host was taken out; jobs of reservations alone use it
  std::size_t host_index = 0;     ///< of its host among all hosts of instances
  bool host_limits_slots = false; ///< the host has a capacity of slots, too
};

class ErrorList;

class Configuration {
public:
  /// The objects of a new cell (design.md section 9); `admin` becomes manager and may reserve,
  /// `host`, unless empty, becomes admin and submit host.
  static Configuration initial(const std::string& admin, const std::string& host);
  using Key = std::pair<ObjectKind, std::string>;
  /// What became of stored objects; nothing: erased.
  using News = std::map<Key, std::optional<ConfigurationObject>>;
  /// From stored objects; an error names the object that does not fit.
  static Result<Configuration> restore(const std::vector<ConfigurationObject>& objects);

  /// The configuration after a change, or after several of which none makes sense alone, and what
  /// has to be stored; or why it is refused.
  struct Changed;
  Result<Changed> with(const ConfigurationChange& change) const;
  Result<Changed> with_all(const std::vector<ConfigurationChange>& changes) const;

  /// All that is wrong with changes, as far as each can be asked for itself, and each of its
  /// attributes; what with_all() says comes first. Empty: they are taken.
  std::vector<Error> errors_of(const std::vector<ConfigurationChange>& changes) const;

  /// Takes over changes that were made and stored elsewhere, all of them or, with an error, some.
  Outcome follow(const News& news);

  const ConfigurationObject* find(ObjectKind kind, const std::string& name) const;
  std::vector<ConfigurationObject> objects() const;

  const std::map<std::string, ClusterQueue>& queues() const { return queues_; }
  const std::map<std::string, ExecHost>& hosts() const { return hosts_; }
  const std::map<std::string, ParallelEnvironment>& parallel_environments() const { return pes_; }
  const std::map<std::string, CheckpointEnvironment>& checkpoints() const { return checkpoints_; }
  /// The one of this name, also where -alloc stands for it.
  std::optional<ParallelEnvironment> environment(const std::string& name) const;
  const std::map<std::string, Userset>& usersets() const { return usersets_; }
  const std::map<std::string, OpeningHours>& calendars() const { return calendars_; }
  const std::map<std::string, Project>& projects() const { return projects_; }
  const std::map<std::string, User>& users() const { return users_; }
  /// The object of this name, else what auto_user_* of the global configuration say.
  const User& user_called(const std::string& name) const;
  /// All of them, also disabled ones, in the order in which they are asked. One that an older version
  /// stored and that no longer reads is here as a disabled set without rules.
  const std::vector<QuotaSet>& quota_sets() const { return quota_sets_; }
  const ComplexTable& complexes() const { return complexes_; }
  const GlobalConfiguration& global() const { return global_; }
  /// What holds on a host: its own configuration where there is one, over the global one.
  const GlobalConfiguration& on(const std::string& host) const;
  const SchedulerConfiguration& scheduler() const { return scheduler_; }
  const std::vector<QueueInstance>& instances() const { return instances_; }
  std::size_t instance_hosts() const { return host_indexes_.size(); } ///< how many they are on
  /// The place of a host among those; nothing for a host without instances.
  std::optional<std::size_t> host_index(const std::string& host) const;
  /// Queues of which an instance has others below it (subordinate_list).
  const std::set<std::string>& subordinating() const { return subordinating_; }
  const QueueInstance* instance(const InstanceName& name) const;
  const QueueInstance* instance(std::string_view name) const; ///< by its text
  /// What keeps the instance when its queue or its host's place in it goes.
  ConfigurationObject orphan_of(const InstanceName& instance) const;
  bool has_orphans() const { return has_orphans_; }
  /// Whether the cell, a host or a queue gives the complex a value.
  bool is_offered(std::string_view complex) const { return offered_.contains(complex); }
  /// Whether an enabled quota set limits it.
  bool is_limited(std::string_view complex) const { return limited_.contains(complex); }
  /// Complex values of the pseudo host "global", of a host, of nothing for an unknown host.
  const std::map<std::string, std::string>& host_values(const std::string& host) const;

  /// Whether any host has load sensors.
  bool has_load_sensors() const { return senses_load_; }
  /// Millionths with which a load value that the host reports is multiplied.
  std::int64_t load_factor(const std::string& host, const std::string& value) const;

  /// Millionths with which what tasks use there is multiplied; of an unknown host, none.
  const std::map<std::string, std::int64_t>& usage_factors(const std::string& host) const;

  bool is_manager(const std::string& user) const;
  bool is_operator(const std::string& user) const; ///< managers are operators
  bool is_admin_host(const std::string& host) const;
  bool is_submit_host(const std::string& host) const;
  /// Whether the userset exists and lists the user.
  bool is_in_userset(const std::string& set, const std::string& user,
                     const std::string& group) const;
  /// The department of a user: the first of type DEPT that lists the user, else the default one.
  const std::string& department_of(const std::string& user, const std::string& group) const;
  /// Of the group, or of all whose name the pattern matches ("@all*": wc_hostgroup).
  bool host_in_group(const std::string& host, const std::string& group) const;
  std::set<std::string> hosts_of_group(const std::string& group) const;
  std::vector<std::string> host_groups() const; ///< their names, ascending
  /// The rule of user_lists and xuser_lists (spec/objects.md section 8).
  bool allowed(const std::string& user, const std::string& group,
               const std::vector<std::string>& lists,
               const std::vector<std::string>& excluded) const;

private:
  Result<ConfigurationObject> edited(const ConfigurationChange& change) const;
  Outcome put_if_sound(const ConfigurationChange& change);
  bool is_other_spelling(const ConfigurationObject& object) const;
  Outcome erase(ObjectKind kind, const std::string& name);
  Outcome put(const ConfigurationObject& object);
  Outcome parse(const ConfigurationObject& object);
  Outcome parse_local(const ConfigurationObject& object);
  Outcome parse_global(const ConfigurationObject& object);
  void forget(ObjectKind kind, const std::string& name);
  Outcome finish(ChangedKinds kinds);
  Outcome check_new_quotas(const Configuration& before) const;
  Outcome check_new_hooks(const Configuration& before) const;
  Outcome check_new_plus_queues(const Configuration& before) const;
  Result<ConfigurationObject> placed_quota_set(ConfigurationObject object, bool is_new) const;
  std::string spelling_of(const std::string& host) const;
  void rebuild_quota_sets();
  Outcome rebuild_instances();
  Outcome check_references() const;
  void note_references(ErrorList& errors) const;
  void note_references_of_queues(ErrorList& errors) const;
  Outcome check_lists(const std::vector<std::string>& lists, const std::string& where) const;
  Outcome check_values(const std::map<std::string, std::string>& values,
                       const std::string& where) const;
  Outcome check_projects(const std::vector<std::string>& projects, const std::string& where) const;
  Outcome check_queue_value(const std::string& attribute, const std::string& text,
                            const std::string& where) const;
  Outcome check_scheduler() const;
  Outcome check_not_referenced(ObjectKind kind, const std::string& name) const;
  std::optional<Error> group_cycle(const std::string& group, std::set<std::string> above) const;

  std::map<Key, ConfigurationObject> objects_;
  std::map<std::string, ClusterQueue> queues_;
  std::map<std::string, ExecHost> hosts_;
  std::map<std::string, ParallelEnvironment> pes_;
  std::map<std::string, CheckpointEnvironment> checkpoints_;
  std::map<std::string, Userset> usersets_;
  std::map<std::string, OpeningHours> calendars_;
  std::map<std::string, Project> projects_;
  std::map<std::string, User> users_;
  std::vector<QuotaSet> quota_sets_;
  std::map<std::string, Error> unread_quotas_; ///< why the set of this name does not read
  std::map<std::string, std::vector<std::string>> groups_;
  Userset managers_, operators_;
  std::set<std::string> admin_hosts_, submit_hosts_;
  ComplexTable complexes_;
  GlobalConfiguration global_;
  std::map<std::string, GlobalConfiguration> local_; ///< merged with global_, by hosts
  SchedulerConfiguration scheduler_;
  std::vector<QueueInstance> instances_;
  Lookup<std::size_t, InstanceName> instance_index_;
  bool has_orphans_ = false;
  bool scales_load_ = false; ///< some host does
  bool senses_load_ = false; ///< likewise: it has load sensors
  std::set<std::string> subordinating_;
  Lookup<std::size_t> host_indexes_;
  Lookup<bool> offered_, limited_; ///< true
};

struct Configuration::Changed {
  Configuration configuration;
  std::vector<ConfigurationObject> stored;
  std::vector<ConfigurationObject> erased;
  ChangedKinds kinds; ///< of all that was touched
};

} // namespace almanac
