#include "core/matching/allocation_exchange.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <optional>
#include <set>

namespace almanac {

namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);
constexpr std::int64_t most_work = 1'000'000; ///< in one exchange
constexpr std::int64_t work_of_a_step = 20;   ///< to look at a choice is 1
constexpr std::size_t few_choices = 8;        ///< all that can be made of them is looked at
constexpr std::int64_t most_work_for_few = 200'000;
constexpr std::size_t most_masters = 16; ///< that are tried one after the other

// Changes by their index, ascending, none of them 0.
using Changes = std::vector<std::pair<std::uint32_t, std::int64_t>>;

auto place_in(const Changes& changes, std::size_t index) {
  return std::lower_bound(
      changes.begin(), changes.end(), index,
      [](const auto& change, std::size_t sought) { return change.first < sought; });
}

std::int64_t change_of(const Changes& changes, std::size_t index) {
  const auto at = place_in(changes, index);
  return at != changes.end() && at->first == index ? at->second : 0;
}

void add(Changes& changes, std::size_t index, std::int64_t amount) {
  const auto at = changes.begin() + (place_in(changes, index) - changes.cbegin());
  if (at == changes.end() || at->first != index)
    changes.insert(at, {static_cast<std::uint32_t>(index), amount});
  else if ((at->second += amount) == 0) changes.erase(at);
}

// What is taken and given back together.
struct Step {
  Changes taken;         ///< of choices
  Changes drawn;         ///< on limits
  std::int64_t gain = 0; ///< how many times more
};

// Choices that are taken, with what is left of the limits.
class Exchange {
public:
  /// One of `kept` stays taken, unless it is nobody.
  Exchange(const Choices& all, std::size_t kept)
      : all_(all),
        left_(all.limits),
        times_(all.choices.size(), 0),
        kept_(kept),
        members_(all.limits.size()) {
    std::map<decltype(Choice::draws), std::size_t> kinds;
    for (std::size_t i = 0; i < all.choices.size(); ++i) {
      const auto& draws = all.choices[i].draws;
      kinds_.push_back(kinds.try_emplace(draws, kinds.size()).first->second);
      is_flow_ = is_flow_ && draws.size() <= 2;
      for (const auto& [limit, amount] : draws) {
        members_[limit].push_back(i);
        is_flow_ = is_flow_ && amount == draws.front().second;
        largest_ = std::max(largest_, amount);
      }
    }
  }

  void run(std::int64_t wanted) {
    if (kept_ != nobody) take(kept_, std::min<std::int64_t>(1, wanted));
    for (std::size_t i = 0; i < times_.size(); ++i) take(i, wanted - sum_);
    const bool look_at_all = !is_flow_ && times_.size() <= few_choices;
    while (sum_ < wanted) {
      auto step = better(false, most_work);
      if (!step && look_at_all) step = better(true, work_ + most_work_for_few);
      if (!step) return;
      apply(*step, wanted - sum_);
    }
  }
  std::int64_t sum() const { return sum_; }
  const std::vector<std::int64_t>& times() const { return times_; }
  bool has_master() const {
    for (std::size_t i = 0; i < times_.size(); ++i)
      if (times_[i] > 0 && all_.choices[i].can_be_master) return true;
    return false;
  }

private:
  void take(std::size_t choice, std::int64_t times) {
    times = std::min(times, all_.choices[choice].most - times_[choice]);
    for (const auto& [limit, amount] : all_.choices[choice].draws)
      times = std::min(times, left_[limit] / amount);
    for (const auto& [limit, amount] : all_.choices[choice].draws) left_[limit] -= times * amount;
    times_[choice] += times, sum_ += times;
  }

  // As often as it is possible, `most` times more at the most.
  void apply(const Step& step, std::int64_t most) {
    auto times = most / step.gain;
    for (const auto& [choice, more] : step.taken) {
      const auto room = more > 0 ? all_.choices[choice].most - times_[choice] : spare(choice);
      times = std::min(times, room / std::abs(more));
    }
    for (const auto& [limit, more] : step.drawn)
      if (more > 0) times = std::min(times, left_[limit] / more);
    for (const auto& [choice, more] : step.taken) times_[choice] += times * more;
    for (const auto& [limit, more] : step.drawn) left_[limit] -= times * more;
    sum_ += times * step.gain;
  }
  std::int64_t spare(std::size_t choice) const {
    return times_[choice] - (choice == kept_ ? 1 : 0);
  }

  // The step that takes more than it gives back and stays within the limits. Steps of which the same
  // is left are looked at once, those with the least in their way first; or all there are, the
  // shortest first.
  std::optional<Step> better(bool all_there_are, std::int64_t most) {
    std::map<std::size_t, std::deque<Step>> open;
    std::set<std::vector<std::int64_t>> seen;
    std::optional<Step> found;
    const auto reach = [&](const Step& from, std::size_t choice, std::int64_t times) {
      work_ += work_of_a_step;
      auto step = with(from, choice, times);
      const auto exceeded = exceeded_by(step);
      if (exceeded.empty() && step.gain > 0) found = std::move(step);
      else if (seen.insert(trace(step, all_there_are)).second)
        open[all_there_are ? 0 : in_the_way(step, exceeded.size())].push_back(std::move(step));
    };
    open[0].emplace_back();
    while (!open.empty() && !found && work_ < most) {
      auto& first = open.begin()->second;
      const auto step = std::move(first.front());
      first.pop_front();
      if (first.empty()) open.erase(open.begin());
      expand(step, [&](std::size_t choice, std::int64_t times) {
        if (!found) reach(step, choice, times);
      });
    }
    return found;
  }

  // What is exceeded is given back first, by the last in order; then more is taken. Of those that draw
  // on the same, one is enough.
  template <class Reach> void expand(const Step& step, const Reach& reach) {
    std::vector<bool> is_known(times_.size(), false);
    const auto look_at = [&](std::size_t choice, bool can_be, std::int64_t times) {
      ++work_;
      if (!can_be || is_known[kinds_[choice]]) return;
      is_known[kinds_[choice]] = true;
      reach(choice, times);
    };
    if (const auto exceeded = exceeded_by(step); !exceeded.empty()) {
      const auto& members = members_[exceeded.front()];
      for (auto at = members.rbegin(); at != members.rend(); ++at)
        look_at(*at, spare(*at) + change_of(step.taken, *at) > 0, -1);
      return;
    }
    for (std::size_t i = 0; i < times_.size(); ++i)
      look_at(i, times_[i] + change_of(step.taken, i) < all_.choices[i].most, 1);
  }

  Step with(Step step, std::size_t choice, std::int64_t times) const {
    add(step.taken, choice, times);
    for (const auto& [limit, amount] : all_.choices[choice].draws)
      add(step.drawn, limit, times * amount);
    step.gain += times;
    return step;
  }

  std::vector<std::uint32_t> exceeded_by(const Step& step) const {
    std::vector<std::uint32_t> exceeded;
    for (const auto& [limit, more] : step.drawn)
      if (more > left_[limit]) exceeded.push_back(limit);
    return exceeded;
  }

  static std::size_t in_the_way(const Step& step, std::size_t exceeded) {
    return exceeded > 0 ? exceeded : static_cast<std::size_t>(1 - step.gain);
  }

  // What matters of a step for those that follow it: what is left where it is little.
  std::vector<std::int64_t> trace(const Step& step, bool all_there_are) const {
    std::vector<std::int64_t> trace{step.gain};
    if (all_there_are) {
      for (const auto& [choice, more] : step.taken) trace.insert(trace.end(), {choice, more});
      return trace;
    }
    for (const auto& [limit, more] : step.drawn) {
      const auto left = std::min(left_[limit] - more, largest_);
      if (left != std::min(left_[limit], largest_)) trace.insert(trace.end(), {limit, left});
    }
    return trace;
  }

  const Choices& all_;
  std::vector<std::int64_t> left_;  ///< of each limit
  std::vector<std::int64_t> times_; ///< of each choice
  std::size_t kept_;
  std::vector<std::vector<std::size_t>> members_; ///< of each limit
  std::vector<std::size_t> kinds_;                ///< of each choice: by what it draws on
  std::int64_t largest_ = 1;                      ///< that is drawn at once
  bool is_flow_ = true;
  std::int64_t sum_ = 0, work_ = 0;
};

// The same without limits that all choices together can't exceed.
Choices without_idle_limits(Choices all) {
  auto left = all.limits;
  std::vector<bool> can_be_met(left.size(), false);
  for (const auto& choice : all.choices)
    for (const auto& [limit, amount] : choice.draws)
      if (choice.most > left[limit] / amount) can_be_met[limit] = true;
      else left[limit] -= choice.most * amount;
  for (auto& choice : all.choices)
    std::erase_if(choice.draws, [&](const auto& draw) { return !can_be_met[draw.first]; });
  return all;
}

// Whether to take in order may be too little: limits overlap, and none of them is within the other.
bool is_order_in_the_way(const Choices& all) {
  std::vector<std::size_t> count(all.limits.size(), 0);
  std::vector<std::int64_t> amounts(all.limits.size(), 0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> together;
  for (const auto& choice : all.choices)
    for (const auto& [limit, amount] : choice.draws) {
      if (++count[limit] > 1 && amounts[limit] != amount) return true;
      amounts[limit] = amount;
      for (const auto& other : choice.draws)
        if (limit < other.first) ++together[{limit, other.first}];
    }
  return std::any_of(together.begin(), together.end(), [&](const auto& entry) {
    const auto& [limits, common] = entry;
    return common < std::min(count[limits.first], count[limits.second]);
  });
}

} // namespace

std::optional<std::vector<std::int64_t>> exchange(Choices choices, std::int64_t wanted) {
  const auto all = without_idle_limits(std::move(choices));
  if (!is_order_in_the_way(all)) return std::nullopt;
  Exchange free(all, nobody);
  free.run(wanted);
  if (free.has_master()) return free.times();
  std::optional<std::vector<std::int64_t>> best;
  std::int64_t most = 0;
  std::set<decltype(Choice::draws)> tried;
  for (std::size_t i = 0; i < all.choices.size(); ++i) {
    if (most == free.sum() || tried.size() == most_masters) break;
    const auto& choice = all.choices[i];
    if (!choice.can_be_master || !tried.insert(choice.draws).second) continue;
    Exchange with_master(all, i);
    with_master.run(free.sum());
    if (!with_master.has_master() || with_master.sum() <= most) continue;
    most = with_master.sum(), best = with_master.times();
  }
  return best;
}

} // namespace almanac
