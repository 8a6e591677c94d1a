#include "tools/simulator/chaos/spoiler.hpp"

#include <array>
#include <limits>

namespace almanac {

std::int64_t hostile_number(std::mt19937_64& chance) {
  using Limits = std::numeric_limits<std::int64_t>;
  constexpr std::array<std::int64_t, 10> numbers{0,
                                                 -1,
                                                 1,
                                                 2,
                                                 1LL << 31,
                                                 1LL << 53,
                                                 1LL << 62,
                                                 Limits::max() - 1,
                                                 Limits::max(),
                                                 Limits::min()};
  return numbers[chance() % numbers.size()];
}

std::string hostile_text(std::mt19937_64& chance) {
  constexpr std::size_t seldom = 16;
  if (chance() % seldom == 0) return std::string(20'000, 'a');
  const std::array<std::string, 18> texts{"",
                                          std::string("x\0user\0", 7),
                                          "\x1b[2J\n",
                                          "\xff\xfe",
                                          "*",
                                          "((!|",
                                          "-1",
                                          "1.1-9223372036854775807:1",
                                          "9223372036854775808",
                                          "1e308",
                                          "nan",
                                          "../../etc/shadow",
                                          "root",
                                          "alice",
                                          "all.q",
                                          "n1",
                                          "global",
                                          "a\nb: c"};
  return texts[chance() % texts.size()];
}

} // namespace almanac
