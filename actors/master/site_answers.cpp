#include "actors/master/site_answers.hpp"

#include "actors/master/next_commit.hpp"
#include "core/base/result.hpp"
#include "core/planning/site_consent.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace almanac {

namespace {

struct Settled {
  ReservationKey key;
  bool is_over = false;
};

// The reservation that nothing is asked about any more.
std::optional<Settled> settled_in(const Effect& effect) {
  if (const auto* gone = std::get_if<Erased<Reservation>>(&effect)) return Settled{gone->key, true};
  const auto* changed = std::get_if<ReservationPtr>(&effect);
  if (!changed) return std::nullopt;
  const auto& proposed = (*changed)->proposed;
  if (!proposed.empty() && proposed.front().awaits_site()) return std::nullopt;
  return Settled{(*changed)->key, (*changed)->is_over()};
}

} // namespace

void SiteAnswers::begin(const std::string& key, const std::string& request_hash,
                        const Decisions& decisions) {
  waiting_.insert_or_assign(decisions.awaits, Waiting{key, request_hash, *decisions.answer, {}});
}

bool SiteAnswers::is_awaited(const std::string& key) const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const auto& one) { return one.second.key == key; });
}

SiteAnswers::Promise SiteAnswers::join(const std::string& key, Promise asker) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&](const auto& one) { return one.second.key == key; });
  check(found != waiting_.end(), "who joins waits for an answer");
  found->second.askers.push_back(asker);
  return asker;
}

void SiteAnswers::settle(Decided& decided, NextCommit& next, Instant at) {
  if (waiting_.empty()) return;
  const auto& decisions = decided.decisions;
  for (const auto& effect : decisions.effects) {
    const auto settled = settled_in(effect);
    const auto found = settled ? waiting_.find(settled->key) : waiting_.end();
    if (found == waiting_.end()) continue;
    auto& [key, request_hash, answer, askers] = found->second;
    const bool by_command = decisions.answer && !decisions.answers;
    if (decisions.answers == settled->key) answer = *decisions.answer;
    else if (by_command && settled->is_over) // somebody else's: no timer, no word of the site
      answer = rules::deleted_while_asked({answer.number});
    next.keep_answer(key, {request_hash, answer, at});
    for (auto& asker : askers) decided.later.emplace_back(std::move(asker), answer);
    waiting_.erase(found);
  }
}

} // namespace almanac
