#include "core/admission/failed_tries.hpp"

#include <algorithm>

namespace almanac {

void FailedTries::make_room(std::int64_t now_ms) {
  if (of_.size() < limits_.peers) return;
  std::erase_if(of_, [&](const auto& one) { return one.second.forgotten_at_ms <= now_ms; });
  if (of_.size() < limits_.peers) return;
  of_.erase(std::min_element(of_.begin(), of_.end(), [](const auto& one, const auto& other) {
    return one.second.forgotten_at_ms < other.second.forgotten_at_ms;
  }));
}

bool FailedTries::note(const std::string& peer, std::int64_t now_ms) {
  if (!of_.contains(peer)) make_room(now_ms);
  auto& [failed, blocked_until, forgotten_at] = of_[peer];
  failed.push_back(now_ms);
  if (failed.size() > limits_.tries) failed.pop_front();
  const bool blocks = failed.size() == limits_.tries && now_ms - failed.front() < limits_.within_ms;
  if (blocks) blocked_until = now_ms + limits_.blocked_ms, failed.clear();
  forgotten_at = std::max(now_ms + limits_.within_ms, blocked_until);
  return blocks;
}

bool FailedTries::is_blocked(const std::string& peer, std::int64_t now_ms) const {
  const auto it = of_.find(peer);
  return it != of_.end() && now_ms < it->second.blocked_until_ms;
}

} // namespace almanac
