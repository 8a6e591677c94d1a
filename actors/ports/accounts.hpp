// The accounts of the machine that decides, asked about those whom other machines name.
#pragma once

#include "core/job/job.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace almanac {

struct Vouched {
  Caller caller;     ///< as the accounts let him stand
  std::string doubt; ///< what he is instead of all that was said, and why; "": he is that
};
/// See actors/process/users.hpp.
using VouchFor = Vouched (*)(Caller);
using UidOf = std::optional<std::int64_t> (*)(const std::string& user);

} // namespace almanac
