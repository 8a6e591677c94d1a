#include "core/admission/share.hpp"

#include <algorithm>

namespace almanac {

bool Share::take(const std::string& who, std::size_t amount, Rank rank) {
  const auto all = rank == Rank::first ? limits_.all : limits_.all - limits_.reserved;
  if (held_ > all || amount > all - held_) return false;
  const auto free = all - held_;
  const auto mine = held(who);
  if (rank == Rank::ordinary && mine + amount > std::max(limits_.always, free / limits_.part))
    return false;
  held_ += amount;
  of_[who] += amount;
  return true;
}

void Share::give_back(const std::string& who, std::size_t amount) {
  const auto it = of_.find(who);
  if (it == of_.end()) return;
  amount = std::min(amount, it->second);
  held_ -= amount;
  if ((it->second -= amount) == 0) of_.erase(it);
}

bool Share::pass(const std::string& from, const std::string& to, std::size_t amount) {
  if (held(from) < amount) return false;
  give_back(from, amount);
  if (take(to, amount)) return true;
  held_ += amount;
  of_[from] += amount;
  return false;
}

std::size_t Share::held(const std::string& who) const {
  const auto it = of_.find(who);
  return it == of_.end() ? 0 : it->second;
}

} // namespace almanac
