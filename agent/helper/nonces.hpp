// What warrants have to name, so that one that is held back is soon good for nothing: another nonce
// every few seconds, of which those of the last minute count. The clock is this machine's.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace almanac {

class Nonces {
public:
  static constexpr std::int64_t period_ms = 5'000;
  /// For a warrant on its way: longer than any of them needs, shorter than anybody should wait.
  static constexpr std::int64_t life_ms = 60'000;

  /// The one to name from now on; `now_ms` never goes back.
  const std::string& current(std::int64_t now_ms);
  /// Until when whoever names it is believed; nothing: not any more, or it was never given out.
  std::optional<std::int64_t> good_until(const std::string& nonce, std::int64_t now_ms) const;

private:
  struct Given {
    std::string nonce;
    std::int64_t at_ms = 0;
  };
  std::deque<Given> given_; ///< the last one at the end
};

} // namespace almanac
