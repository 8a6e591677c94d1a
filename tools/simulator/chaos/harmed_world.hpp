// A simulated cluster for scenarios, with people who mean harm: they come on a line of the file, and
// what must hold is looked at from then on.
#pragma once

#include "tools/simulator/world/virtual_world.hpp"

#include <memory>
#include <string>
#include <vector>

namespace almanac {

class HarmedWorld : public VirtualWorld {
public:
  explicit HarmedWorld(std::uint64_t seed);
  ~HarmedWorld() override;

  Outcome mischief(const std::vector<std::string>& words) override;
  Outcome finish() override;

private:
  Outcome end_mischief();

  struct Harm; ///< who means it, and who watches them
  std::unique_ptr<Harm> harm_;
};

} // namespace almanac
