#include "core/admission/request_places.hpp"

namespace almanac {

bool RequestPlaces::take(const Asker& asker, Share::Rank rank) {
  const auto room = limits_.all - (rank == Share::Rank::first ? 0 : limits_.kept);
  if (taken_ >= room) return false;
  const auto of_user = of_user_.find(asker.uid);
  if (of_user != of_user_.end() && of_user->second >= limits_.of_user) return false;
  if (!asker.agent.empty() && !of_agent_.take(asker.agent, 1, rank)) return false;
  ++taken_, ++of_user_[asker.uid];
  return true;
}

void RequestPlaces::give_back(const Asker& asker) {
  --taken_;
  if (--of_user_[asker.uid] == 0) of_user_.erase(asker.uid);
  if (!asker.agent.empty()) of_agent_.give_back(asker.agent, 1);
}

} // namespace almanac
