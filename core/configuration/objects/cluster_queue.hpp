// Cluster queues and the settings of their instances (spec/objects.md section 1).
//
// For a host, its own override of a value wins, then a group's, then the default. Two groups with
// different values make the instance ambiguous: it keeps the default and takes no jobs.
#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/configuration/objects/control_method.hpp"
#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/overridable_value.hpp"
#include "core/configuration/objects/subordinates.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// What an instance is when it comes to be, and when its host comes back.
enum class InitialState : std::uint8_t { usual, enabled, disabled };

/// The values of one queue instance.
struct InstanceSettings {
  std::int64_t seq_no = 0;
  std::int64_t slots = 1;
  bool batch = true, interactive = true;
  bool rerun = false;
  bool ambiguous = false;
  std::vector<std::string> ckpt_list, pe_list, user_lists, xuser_lists, projects, xprojects;
  std::string calendar; ///< "": always open
  std::map<std::string, std::string> complex_values, load_thresholds, suspend_thresholds;
  std::int64_t suspended_at_once = 1; ///< nsuspend
  Duration suspend_interval{300};
  std::string tmpdir, shell;
  std::string shell_start_mode; ///< "": that of the global configuration
  std::string prolog, epilog;   ///< "": those of the global configuration
  Duration soft_run_time, hard_run_time;
  std::map<std::string, std::int64_t> process_limits; ///< s_vmem, h_cpu, …; those that are set
  Duration notify{60};                         ///< from the notification to the signal itself
  std::int64_t priority = 0;                   ///< the nice value of jobs, -20 to 20
  Duration min_cpu_interval{300};              ///< between two checkpoints, at least
  std::string processors;                      ///< for the PE_HOSTFILE; "": UNDEFINED
  std::vector<std::string> starter_method;     ///< runs jobs instead of their shell; empty: none
  ControlMethod suspend_method, resume_method; ///< instead of SIGSTOP and SIGCONT
  ControlMethod terminate_method;              ///< instead of SIGKILL
  std::vector<std::string> owner_list;         ///< may enable, disable and suspend the instance
  Subordinates subordinates;                   ///< subordinate_list
  InitialState initial_state = InitialState::usual;
};

struct ClusterQueue {
  std::string name;
  std::vector<std::string> hostlist; ///< hosts and @groups
  std::map<std::string, OverridableValue> values;

  /// Checks syntax only; what it refers to is the Configuration's business.
  static Result<ClusterQueue> parse(const ConfigurationObject& object);

  /// `in_group(group)` says whether the host belongs to a @group.
  using InGroup = std::function<bool(const std::string&)>;
  /// The same as text, an attribute each. `ambiguous` is set where two groups disagree.
  std::vector<Attribute> values_for(std::string_view host, const InGroup& in_group,
                                    bool& ambiguous) const;
};

/// What the value of one attribute means for an instance. An attribute of Grid Engine's that has no
/// effect here means nothing.
Outcome read_setting(InstanceSettings& settings, const std::string& name, const std::string& value);

/// unix_behavior, posix_compliant or script_from_stdin.
bool is_shell_start_mode(std::string_view text);

/// The attributes of queues and of their instances.
Kind cluster_queue_kind();
Kind orphan_kind();

} // namespace almanac
