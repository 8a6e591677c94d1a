// The newest record of a family whose keys are numbers.
#pragma once

#include "actors/ports/archive.hpp"
#include "schema/codec.hpp"

#include <optional>

namespace almanac {

/// Nothing: there is none, or it can't be read.
template <class R> std::optional<R> last_record(const Archive& archive, store::Family family) {
  const auto last = archive.last(family);
  if (!last) return std::nullopt;
  auto record = decode<R>(*last);
  return record ? std::optional(std::move(*record)) : std::nullopt;
}

} // namespace almanac
