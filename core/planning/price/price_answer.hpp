// A price in sentences.
#pragma once

#include "core/planning/price/price.hpp"

namespace almanac {

/// What `qrsub -w p` is told of a reservation that would be granted, and `qralter -w p` of a change.
Answer answer_of(const Pricing& pricing);

} // namespace almanac
