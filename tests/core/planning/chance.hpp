// Chance in tests that make up their own worlds.
#pragma once

#include <rapidcheck.h>

namespace almanac {

/// True once in n times, on average.
inline bool one_in(int n) { return *rc::gen::inRange(0, n) == 0; }

} // namespace almanac
