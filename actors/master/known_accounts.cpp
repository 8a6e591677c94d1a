#include "actors/master/known_accounts.hpp"

namespace almanac {

namespace {

constexpr Duration accounts_kept{10};
constexpr std::size_t most_accounts = 1000;

} // namespace

const Vouched& KnownAccounts::find(const Caller& caller, VouchFor vouched, Instant now) {
  if (now >= forgotten_at_ || known_.size() >= most_accounts)
    known_.clear(), forgotten_at_ = now + accounts_kept;
  const auto [it, is_new] = known_.try_emplace({caller.user, caller.uid, caller.group, caller.gid});
  if (is_new) it->second = vouched ? vouched(caller) : Vouched{caller, ""};
  return it->second;
}

} // namespace almanac
