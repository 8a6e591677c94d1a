// What a reservation that is refused could be instead, and what -offer may offer in its place
// (spec/beyond.md B3.2).
#pragma once

#include <cstdint>
#include <string_view>

namespace almanac {

/// In the order in which they are named.
enum class AlternativeKind : std::uint8_t { later, earlier, shorter, fewer, elsewhere };
inline constexpr AlternativeKind all_alternatives[]{
    AlternativeKind::later, AlternativeKind::earlier, AlternativeKind::shorter,
    AlternativeKind::fewer, AlternativeKind::elsewhere};

std::string_view name_of(AlternativeKind kind);
bool is_alternative(std::string_view name);

} // namespace almanac
