// The complex attributes that every new cell has.
#pragma once

#include "core/base/attribute.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace almanac {

const std::vector<Attribute>& built_in_complexes();

/// Of these: cells of earlier versions have none, and it can be deleted.
bool may_be_missing(std::string_view name);

/// Whether hosts report a value of this name that changes all the time: np_load_avg, mem_free…
bool is_load_value(std::string_view name);
/// All of these.
std::span<const std::string_view> load_value_names();

} // namespace almanac
