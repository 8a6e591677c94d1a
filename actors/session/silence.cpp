#include "actors/session/silence.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr int silent_beats_allowed = 3;
constexpr int handshake_beats_allowed = 5;

int in_seconds(int beats) { return beats * static_cast<int>(Silence::beat_period.count()); }

} // namespace

std::optional<std::string> Silence::beat(bool is_open) {
  if (!is_open && ++shaking_beats_ > handshake_beats_allowed)
    return "the handshake was not finished in " +
           std::to_string(in_seconds(handshake_beats_allowed)) + " s";
  if (++silent_beats_ > silent_beats_allowed)
    return "silent for " + std::to_string(in_seconds(silent_beats_allowed)) + " s";
  return std::nullopt;
}

int Silence::seconds(Time now) const {
  const auto since = std::chrono::floor<std::chrono::seconds>(now - last_heard_);
  return std::min(in_seconds(silent_beats_), static_cast<int>(since.count()));
}

} // namespace almanac
