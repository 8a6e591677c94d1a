// The door of a command that is a process: a client, with what a terminal adds to it.
#pragma once

#include "core/base/attribute.hpp"
#include "tools/client/client.hpp"
#include "tools/commands/door.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// Whatever the master says was once typed by somebody: it is made safe to be printed. Ctrl-C can
/// end a call. Errors are worded as users of Grid Engine know them.
class ProcessDoor : public Door {
public:
  /// What the environment says; if that is wrong, each call says so. With `directory` the door is
  /// there.
  explicit ProcessDoor(const std::vector<Attribute>& environment,
                       const std::optional<std::string>& directory = std::nullopt);

  Outcome call(door::RequestBody body, const OnFrame& on_frame) override;
  bool is_at_fault() const override { return !client_ || is_invalid_; }
  Outcome follow(door::Subscribe wanted, const OnFrame& on_frame) override;
  Outcome attach(JobNumber job, const JobStreams& streams, const OnFrame& on_frame) override;
  Outcome call_with_input(door::Inherit request, const OnFrame& on_frame, int input) override;
  void catch_interrupt() override;
  void catch_end() override;
  int take_interrupt() override;

private:
  std::optional<Client> client_; ///< nothing: `trouble_`
  std::string trouble_;
  bool is_invalid_ = false; ///< the last call
};

/// The proof of a claim (-reskey), by the module of this program that has the cryptography.
Result<std::string> prove_beside_door(ClaimProver prover);

} // namespace almanac
