// A number that nobody can foresee.
#pragma once

#include "actors/trust/keyring.hpp"

#include <cstdint>
#include <cstring>

namespace almanac {

/// Of 64 bits, from the system's generator.
inline std::uint64_t random_number() {
  std::uint64_t number = 0;
  std::memcpy(&number, random_bytes(sizeof number).data(), sizeof number);
  return number;
}

} // namespace almanac
