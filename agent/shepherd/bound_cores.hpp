// The cores that one shepherd and its children have for themselves (core/execution/core_choice.hpp).
//
// 1. A folder of the helper's has a file for each core, which shepherds lock: those of a core that
//    is taken are held until the last shepherd of its task on this host ends, however that happens,
//    and whatever becomes of the agent meanwhile. In the file stands whose it is.
// 2. A second process of the same task here (qrsh -inherit) has the cores of the first one.
// 3. Which cores are free is looked at by one shepherd after the other.
// 4. What can't be met is left out, and said on standard error: the task runs unbound, as in Grid
//    Engine.
#pragma once

#include "core/execution/core_choice.hpp"
#include "core/execution/shepherd_order.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Those of this machine, in the order of their names, without processors that this process may not
/// use: a core that has none left is not free.
std::vector<HostCore> cores_of_host(const std::string& folder = "/sys/devices/system/cpu");
/// The same with all their processors.
std::vector<HostCore> cores_of_machine(const std::string& folder = "/sys/devices/system/cpu");

class BoundCores {
public:
  /// As the order's binding says: takes the cores, binds this process, and changes the order's
  /// variable SGE_BINDING and the host file in `folder`. What it holds it holds to its end.
  BoundCores(ShepherdOrder& order, const std::string& folder,
             const std::vector<HostCore>& cores = cores_of_host());
  ~BoundCores();
  BoundCores(const BoundCores&) = delete;
  BoundCores& operator=(const BoundCores&) = delete;

  /// None where the task runs unbound.
  const std::vector<CoreName>& names() const { return names_; }
  const std::vector<std::int64_t>& processors() const { return processors_; }

private:
  Outcome take(const ShepherdOrder& order, const CoreBinding& binding, std::vector<HostCore> cores);
  void give_back();
  Outcome use(ShepherdOrder& order, const CoreBinding& binding, const std::string& folder) const;

  std::vector<int> files_; ///< locked
  std::vector<CoreName> names_;
  std::vector<std::int64_t> processors_;
};

} // namespace almanac
