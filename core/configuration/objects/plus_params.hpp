// Parameters of the scheduler's params that PluS and the metascheduler's queries read
// (spec/plus.md sections 3 to 7, spec/metascheduler.md sections 4 to 6).
#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// What happens to jobs that may not run again when a reservation that preempts begins: they are put
/// back all the same, they end, or their hosts are not reserved.
enum class NotRerunnable : std::uint8_t { requeue, kill, refuse };

struct PlusSettings {
  Duration longest_hold{300}; ///< PLUS_HOLD_TIMEOUT, and what is held without a time of its own
  bool fills =
      true; ///< PLUS_FILL: ordinary jobs start on reserved nodes, and give way at the start
  NotRerunnable not_rerunnable = NotRerunnable::requeue; ///< PLUS_NORERUN
  bool sorts = false; ///< SORT_MODE=plus: the keys of sched_conf order jobs and nodes
  /// PLUS_QUEUES=a|b: only their hosts are reserved; empty, also for "all": those of all queues
  std::vector<std::string> queues{};
  Duration meta_horizon{30 * 86'400}; ///< GMETA_HORIZON
  std::int64_t meta_reservations = 0; ///< GMETA_USER_MAX=n or n/h: of a user at once; 0: no limit
  std::int64_t meta_node_hours = 0;   ///< of these together; 0: no limit
  bool meta_needs_key = false;        ///< GMETA_REQUIRE_KEY
  std::string
      meta_port{}; ///< GMETA_PORT: the user as whom almanac-gmeta runs; "": it may do nothing
};

/// Reads one of them; nothing: it is none of them. The error says what comes behind the parameter.
std::optional<Outcome> read_plus_param(PlusSettings& settings, const std::string& name,
                                       const std::string& value);

} // namespace almanac
