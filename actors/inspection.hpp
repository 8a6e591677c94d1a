// Records in readable form, for Inspect: text or JSON, from describe().
#pragma once

#include "core/base/describe.hpp"

#include <string>

namespace almanac {

template <class T> std::string show(const T& record, bool json);

} // namespace almanac
