// A command's door into a simulated cluster: its frames go through codec and gate, and time passes
// until the answer is there.
#pragma once

#include "tools/simulator/world/virtual_world.hpp"

namespace almanac {

class VirtualWorld::Entrance : public Door {
public:
  Entrance(VirtualWorld& world, Caller caller) : world_(world), caller_(std::move(caller)) {}
  Outcome call(door::RequestBody body, const OnFrame& on_frame) override;

private:
  bool try_once(const std::string& frame, std::int64_t until, const OnFrame& on_frame);

  VirtualWorld& world_;
  Caller caller_;
};

} // namespace almanac
