// How much a limit of a quota rule allows: a fixed amount, or what its formula comes to on a host.
//
// Source: spec/quotas.md section 4 (Q4.27 to Q4.32).
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/host/host.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace almanac {

/// As Complex::amount() counts, not below 0. `host` and its state are looked at for formulas only; what
/// is missing there makes the limit 0 (Q4.32).
std::int64_t amount_of(const Configuration& configuration, const QuotaLimit& limit,
                       const std::string& host, const HostState& state);

/// What requests for a fixed attribute are compared with: the limit as it is written, or what its formula
/// comes to (`amount`) without rounding: "4000", where 3.906K is shown.
std::string compared_text(const QuotaLimit& limit, const Complex& complex, std::int64_t amount);

/// The complexes that its formula names and that have no value on the host, each once; none where the
/// limit is fixed.
std::vector<std::string> missing_values(const Configuration& configuration, const QuotaLimit& limit,
                                        const std::string& host, const HostState& state);

} // namespace almanac
