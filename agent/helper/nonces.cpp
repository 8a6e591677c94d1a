#include "agent/helper/nonces.hpp"

#include "actors/trust/keyring.hpp"

namespace almanac {

const std::string& Nonces::current(std::int64_t now_ms) {
  if (given_.empty() || now_ms >= given_.back().at_ms + period_ms)
    given_.push_back({random_bytes(16), now_ms});
  while (now_ms >= given_.front().at_ms + life_ms) given_.pop_front();
  return given_.back().nonce;
}

std::optional<std::int64_t> Nonces::good_until(const std::string& nonce,
                                               std::int64_t now_ms) const {
  for (const auto& given : given_)
    if (given.nonce == nonce && now_ms < given.at_ms + life_ms) return given.at_ms + life_ms;
  return {};
}

} // namespace almanac
