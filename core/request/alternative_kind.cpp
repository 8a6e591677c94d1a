#include "core/request/alternative_kind.hpp"

#include <algorithm>
#include <iterator>

namespace almanac {

namespace {
constexpr std::string_view names[]{"later", "earlier", "shorter", "fewer", "elsewhere"};
}

std::string_view name_of(AlternativeKind kind) { return names[static_cast<std::size_t>(kind)]; }

bool is_alternative(std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

} // namespace almanac
