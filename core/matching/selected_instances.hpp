// Which queue instances a listing is about, and which jobs belong to it (spec/cli.md C6.8, C6.9,
// C7.11).
#pragma once

#include "core/job/job.hpp"
#include "core/matching/demand.hpp"
#include "core/matching/offered_values.hpp"
#include "core/request/instance_selection.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace almanac {

class SelectedInstances {
public:
  /// What is asked about an instance; each is asked only where the selection needs it.
  struct Present {
    std::function<std::string(const QueueInstance&)> letters; ///< of its state
    std::function<std::vector<OfferedValue>(const QueueInstance&)> offered;
    std::function<const HostState&(const QueueInstance&)> host;
  };
  /// The error names a queue, a parallel environment or a resource that does not exist, or a value
  /// that is none. The configuration outlives this.
  static Result<SelectedInstances, Statement> of(const Configuration& configuration,
                                                 const InstanceSelection& selection,
                                                 const Present& present);

  bool has(const InstanceName& name) const { return facts_.contains(name); }
  /// Whether one of them could ever take a job that waits: its queues, its parallel environment,
  /// who may use the instance, and values that never change.
  bool could_take(const Job& job);

private:
  explicit SelectedInstances(const Configuration& configuration) : configuration_(&configuration) {}
  bool could_take(const Demand& demand) const;

  const Configuration* configuration_;
  std::map<InstanceName, HostFacts> facts_; ///< what the hosts of the selected ones say
  std::map<std::string, bool> could_take_;  ///< many jobs ask for the same
};

/// Whether the cell or one of the hosts meets these requests; the error is as above.
Result<std::vector<std::pair<const Complex*, std::string>>, Statement>
known_requests(const Configuration& configuration, const std::vector<Attribute>& resources);

} // namespace almanac
