// Parallel environments (spec/objects.md section 4).
#pragma once

#include "core/configuration/objects/kind.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

enum class AllocationRule : std::uint8_t { pe_slots, fill_up, round_robin, fixed };

/// How many slots of a range count for the urgency of a job.
enum class UrgencySlots : std::uint8_t { least, most, average, fixed };

struct ParallelEnvironment {
  std::string name;
  std::int64_t slots = 0; ///< in all jobs together
  AllocationRule rule = AllocationRule::pe_slots;
  std::int64_t per_host = 0; ///< of the fixed rule
  bool control_slaves = false;
  bool job_is_first_task = true;    ///< the job's script counts as one of its tasks
  bool accounting_summary = false;  ///< processes of qrsh -inherit have no records of their own
  bool daemon_forks_slaves = false; ///< one process of qrsh -inherit a host, which makes the others
  UrgencySlots urgency_slots = UrgencySlots::least;
  std::int64_t fixed_urgency_slots = 0;
  std::string start, stop; ///< commands around the job on its master host; "": none
  std::vector<std::string> user_lists, xuser_lists;

  /// As allocation_rule says.
  Outcome set_rule(const std::string& text);

  static Result<ParallelEnvironment> parse(const ConfigurationObject& object);
};

Kind parallel_environment_kind();

// ---- slots without an object (-alloc rule slots) ------------------------------------------------
//
// Such a PE has no slots of its own, no list and no start or stop procedure, and control_slaves is
// true (ruling in spec/rulings.md). Its name says its rule, and is none that an object can have.

/// Of a rule that can be read by set_rule(); "" for none.
std::string allocation_pe_name(const std::string& rule);
bool is_allocation_pe(std::string_view name);
/// Nothing if the name does not have this form.
std::optional<ParallelEnvironment> allocation_pe(std::string_view name);

} // namespace almanac
