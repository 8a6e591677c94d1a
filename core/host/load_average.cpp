#include "core/host/load_average.hpp"

#include "core/base/wide.hpp"

#include <algorithm>

namespace almanac {

std::int64_t HostLoad::*reported_by(std::string_view complex) {
  if (complex == "cpu") return &HostLoad::cpu;
  if (complex.starts_with("np_")) complex.remove_prefix(3);
  if (complex == "load_avg" || complex == "load_medium") return &HostLoad::load_medium;
  if (complex == "load_short") return &HostLoad::load_short;
  if (complex == "load_long") return &HostLoad::load_long;
  return nullptr;
}

std::optional<std::int64_t> load_average(const HostState& host, std::string_view complex,
                                         std::int64_t more) {
  const auto which = reported_by(complex);
  if (!which || host.load.*which < 0) return std::nullopt;
  const auto all = host.load.*which * (fixed_point::unit / 100) + more;
  return complex.starts_with("np_") ? all / std::max<std::int64_t>(1, host.facts.processors) : all;
}

} // namespace almanac
