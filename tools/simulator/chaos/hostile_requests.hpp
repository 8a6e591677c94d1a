// Requests that no command sends: every kind of them, with fields over their whole ranges, about
// what belongs to others.
#pragma once

#include "schema/door/requests.hpp"

#include <random>
#include <string>
#include <vector>

namespace almanac {

/// Whose things to ask about.
struct Targets {
  std::vector<std::string> jobs; ///< names and numbers
  std::vector<std::string> users, hosts;
};

/// One request; its id is one of few, so that ids come again with other content.
door::Request hostile_request(std::mt19937_64& chance, const Targets& targets);

/// The frame with some bytes changed, cut off or added.
std::string mangled(std::string frame, std::mt19937_64& chance);

} // namespace almanac
