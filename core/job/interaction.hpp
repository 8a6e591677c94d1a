// How a job talks with whoever waits for it at a terminal or in a script (qrsh, qlogin).
#pragma once

#include "core/base/describe.hpp"

#include <algorithm>
#include <cstdint>

namespace almanac {

/// none: it runs by itself. streams: its input and output go to a client. terminal: so does a pseudo
/// terminal on its host.
enum class Interaction : std::uint8_t { none, streams, terminal };
template <> inline constexpr Interaction last_of<Interaction> = Interaction::terminal;

/// Of a terminal, in characters.
struct TerminalSize {
  std::int64_t rows = 24, columns = 80;
  bool operator==(const TerminalSize&) const = default;
};
template <class V> void describe(V& visit, TerminalSize& size) {
  visit("rows", size.rows);
  visit("columns", size.columns);
}

inline constexpr std::int64_t largest_terminal = 10'000; ///< rows or columns

/// What a system takes for one; whoever does not know its own says 0, and has the usual one.
inline TerminalSize usable(TerminalSize size) {
  const TerminalSize usual;
  const auto side = [](std::int64_t asked, std::int64_t otherwise) {
    return asked <= 0 ? otherwise : std::min(asked, largest_terminal);
  };
  return {side(size.rows, usual.rows), side(size.columns, usual.columns)};
}

} // namespace almanac
