// Checkpointing environments: how a running job is saved, so that it can go on elsewhere
// (spec/objects.md section 6). Reservations ask for queue instances that list one; what is done for a
// job that asks for one is core/execution/checkpoint_rules.hpp.
#pragma once

#include "core/configuration/objects/kind.hpp"

#include <cstdint>
#include <string>

namespace almanac {

enum class CheckpointInterface : std::uint8_t {
  userdefined,
  application_level,
  transparent,
  hibernator,
  cpr,
  cray_ckpt
};

struct CheckpointEnvironment {
  std::string name;
  CheckpointInterface interface = CheckpointInterface::userdefined;
  /// What saves, moves, restarts and tidies up a job; "": nothing.
  std::string checkpoint, migration, restart, cleaning;
  std::string directory = "/tmp"; ///< where what is saved lies
  std::string signal;             ///< that asks a job to save itself; "": none
  std::string when = "sx"; ///< of s (the host's agent stops), m (at intervals), x (suspended), r

  static Result<CheckpointEnvironment> parse(const ConfigurationObject& object);
};

Kind checkpoint_kind();

} // namespace almanac
