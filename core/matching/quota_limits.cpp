#include "core/matching/quota_limits.hpp"

#include "core/matching/occupants.hpp"
#include "core/policy/quota_amount.hpp"
#include "core/text/ranges.hpp"

#include <algorithm>
#include <map>

namespace almanac {

QuotaLimits::QuotaLimits(const Snapshot& state, const Supply& supply, const Demand& demand,
                         const std::string& pe)
    : state_(state), supply_(supply), demand_(demand), counters_(state.quotas()) {
  if (counters_.rules().empty() || demand.reserves || demand.users.empty()) return;
  if (supply.reservation() && !state.configuration().global().quotas_in_reservations) return;
  const auto& [user, group] = demand.users.front();
  membership_ = counters_.membership({user, group, demand.project, pe});
  if (membership_->everywhere.empty() && membership_->placed.empty()) membership_ = nullptr;
}

std::int64_t QuotaLimits::most_of(const QuotaLimit& limit, const QueueInstance& instance) const {
  return amount_of(state_.configuration(), limit, instance.name.host, state_.host_of(instance));
}

template <class Take> void QuotaLimits::each_pool(std::size_t set, std::size_t rule,
                                                  const QueueInstance& instance, Take take) const {
  const auto& limits = counters_.rules().sets()[set].quotas->rules[rule].limits;
  for (std::size_t i = 0; i < limits.size(); ++i)
    for (const auto& asked : demand_.consumables) {
      if (asked.resource != limits[i].complex || asked.amount <= 0) continue;
      const bool beside = asked.taking == Taking::beside;
      QuotaPool pool{set, rule, &limits[i],
                     counters_.key(set, rule, i, *membership_, instance, beside), &asked};
      pool.most = most_of(limits[i], instance);
      if (supply_.counts_jobs()) {
        pool.used = state_.seen(counters_.used(set, pool.key));
        if (is_exclusive(asked)) {
          auto others = pool.key;
          others.beside = !beside;
          pool.shared = state_.seen(counters_.used(set, others));
        }
      }
      take(pool);
    }
}

template <class Take>
void QuotaLimits::each_pool_at(const QueueInstance& instance, Take take) const {
  for (const auto set : membership_->placed)
    if (const auto rule = counters_.rules().rule_at(set, membership_->candidates[set], instance))
      each_pool(set, *rule, instance, take);
}

template <class Take> void QuotaLimits::each_pool_everywhere(Take take) const {
  const auto& instances = state_.configuration().instances();
  if (instances.empty()) return;
  for (const auto set : membership_->everywhere)
    each_pool(set, membership_->candidates[set].front(), instances.front(), take);
}

std::vector<QuotaPool> QuotaLimits::pools_at(const QueueInstance& instance) const {
  std::vector<QuotaPool> pools;
  each_pool_at(instance, [&](const QuotaPool& pool) { pools.push_back(pool); });
  return pools;
}

std::vector<QuotaPool> QuotaLimits::pools_everywhere() const {
  std::vector<QuotaPool> pools;
  each_pool_everywhere([&](const QuotaPool& pool) { pools.push_back(pool); });
  return pools;
}

std::int64_t QuotaLimits::times_free(const QuotaPool& pool, Window window) const {
  const auto used = [&](const Diagram* diagram) { return diagram ? diagram->max(window) : 0; };
  // Where nobody may be alone, everybody may be beside others (Q4.17).
  if (is_exclusive(*pool.asked))
    return used(pool.shared) > 0 ||
                   (pool.asked->taking == Taking::alone && (used(pool.used) > 0 || pool.most < 1))
               ? 0
               : most_slots;
  return std::clamp<std::int64_t>((pool.most - used(pool.used)) / pool.asked->amount, 0,
                                  most_slots);
}

// What is asked of a fixed attribute is compared with the limit as if that were offered; who does not
// ask for one that must be asked for never runs (Q4.25, Q4.26).
std::optional<QuotaLimits::FixedDenial>
QuotaLimits::fixed_denial(std::size_t set, std::size_t rule, const QueueInstance& instance) const {
  const auto& limits = counters_.rules().sets()[set].quotas->rules[rule].limits;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto* complex = state_.configuration().complexes().find(limits[i].complex);
    if (!complex || complex->is_consumable()) continue;
    const auto most = compared_text(limits[i], *complex, most_of(limits[i], instance));
    bool asked = false;
    for (const auto& fixed : demand_.fixed) {
      if (fixed.complex->name != complex->name) continue;
      asked = true;
      if (!complex->satisfies(most, fixed.value)) return FixedDenial{i, most, &fixed.value};
    }
    if (complex->forced && !asked) return FixedDenial{i, most, nullptr};
  }
  return std::nullopt;
}

bool QuotaLimits::admits_fixed(std::size_t set, std::size_t rule, const QueueInstance& instance,
                               Obstacles& obstacles) const {
  const auto denial = fixed_denial(set, rule, instance);
  if (!denial) return true;
  if (!obstacles.are_wanted()) return false;
  const auto label = rule_label(*counters_.rules().sets()[set].quotas, rule);
  const auto key =
      counters_.text_of(counters_.key(set, rule, denial->limit, *membership_, instance));
  if (!explained_.insert(label + " " + key).second) return false;
  const auto& resource =
      counters_.rules().sets()[set].quotas->rules[rule].limits[denial->limit].complex;
  if (!denial->asked)
    obstacles.add(
        {AnswerCode::forced_not_requested, {{"resource", resource}, {"rule", label}}}); // Q7.4
  else
    obstacles.add({AnswerCode::exceeds_quota,
                   {{"key", key},
                    {"rule", label},
                    {"resource", resource},
                    {"requested", *denial->asked},
                    {"limit", denial->most}}});
  return false;
}

bool QuotaLimits::is_denied_for_good(const QueueInstance& instance) const {
  const auto& rules = counters_.rules();
  for (const auto* sets : {&membership_->everywhere, &membership_->placed})
    for (const auto set : *sets)
      if (const auto rule = rules.rule_at(set, membership_->candidates[set], instance);
          rule && fixed_denial(set, *rule, instance))
        return true;
  return false;
}

// For the smallest request.
std::int64_t QuotaLimits::times_needed(const ConsumableDemand& asked) const {
  return asked.taking == Taking::per_slot && !demand_.slots.empty() ? lowest(demand_.slots) : 1;
}

CellOffer QuotaLimits::everywhere(Window window, Obstacles& obstacles) const {
  CellOffer offer;
  const auto& instances = state_.configuration().instances();
  if (instances.empty()) return offer;
  for (const auto set : membership_->everywhere)
    if (!admits_fixed(set, membership_->candidates[set].front(), instances.front(), obstacles))
      offer.slots = 0;
  each_pool_everywhere([&](const QuotaPool& pool) {
    const auto fits = times_free(pool, window);
    const bool per_slot = pool.asked->taking == Taking::per_slot;
    const auto least = times_needed(*pool.asked);
    if (fits < least) explain(pool, window, obstacles);
    if (per_slot) offer.slots = std::min(offer.slots, fits);
    else if (fits < least) offer.slots = 0;
    if (pool.asked->taking == Taking::per_host) offer.hosts = std::min(offer.hosts, fits);
  });
  return offer;
}

bool QuotaLimits::admits(const QueueInstance& instance, Window window, Obstacles& obstacles) const {
  bool admitted = true;
  for (const auto set : membership_->placed) {
    const auto rule = counters_.rules().rule_at(set, membership_->candidates[set], instance);
    if (!rule) continue;
    admitted = admits_fixed(set, *rule, instance, obstacles) && admitted;
    each_pool(set, *rule, instance, [&](const QuotaPool& pool) {
      if (times_free(pool, window) >= 1) return;
      explain(pool, window, obstacles);
      admitted = false;
    });
  }
  return admitted;
}

// Who takes slots together: each counter with what is left of it.
class QuotaLimits::Sharing {
public:
  void begin_offer() { shares_.clear(); }
  // This offer has these slots with all others of the counter.
  void share(const QuotaPool& pool, std::int64_t free) {
    const auto [it, is_new] =
        known_.try_emplace(counter_of(pool), static_cast<std::uint32_t>(slots_.left.size()));
    if (is_new) slots_.left.push_back(free);
    shares_.push_back(it->second);
  }
  // Whether the host is one of those that may be used of it.
  bool share_hosts(const QuotaPool& pool, std::size_t host, std::int64_t free) {
    auto& hosts = hosts_[counter_of(pool)];
    if (hosts.contains(host)) return true;
    if (static_cast<std::int64_t>(hosts.size()) >= free) return false;
    hosts.insert(host);
    return true;
  }
  void keep_offer() { slots_.shares.push_back(shares_); }
  SharedSlots take() { return std::move(slots_); }

private:
  using Counter = std::pair<std::size_t, QuotaKey>;
  static Counter counter_of(const QuotaPool& pool) { return {pool.set, pool.key}; }

  SharedSlots slots_;
  std::vector<std::uint32_t> shares_;
  std::map<Counter, std::uint32_t> known_;
  std::map<Counter, std::set<std::size_t>> hosts_;
};

SharedSlots QuotaLimits::narrow(std::vector<Offer>& offers, Window window,
                                Obstacles& obstacles) const {
  if (membership_->placed.empty()) return {};
  Sharing sharing;
  std::vector<Offer> kept;
  for (auto& offer : offers) {
    sharing.begin_offer();
    if (!narrow(offer, window, sharing, obstacles)) continue;
    sharing.keep_offer();
    kept.push_back(offer);
  }
  offers = std::move(kept);
  return sharing.take();
}

// False if nothing of it is left; whatever else is in the way is explained nevertheless.
bool QuotaLimits::narrow(Offer& offer, Window window, Sharing& sharing,
                         Obstacles& obstacles) const {
  bool is_left = true;
  const auto take = [&](const QuotaPool& pool) {
    const auto fits = times_free(pool, window);
    const bool is_free = fits >= 1;
    if (!is_free) explain(pool, window, obstacles);
    switch (pool.asked->taking) {
    case Taking::per_slot:
      sharing.share(pool, fits);
      is_left = is_left && is_free;
      break;
    case Taking::per_job: offer.can_be_master = offer.can_be_master && is_free; break;
    case Taking::per_host:
      is_left = sharing.share_hosts(pool, offer.instance->host_index, fits) && is_left;
      break;
    default: is_left = is_left && is_free;
    }
  };
  for (const auto set : membership_->placed) {
    const auto rule = counters_.rules().rule_at(set, membership_->candidates[set], *offer.instance);
    if (!rule) continue;
    is_left = admits_fixed(set, *rule, *offer.instance, obstacles) && is_left;
    each_pool(set, *rule, *offer.instance, take);
  }
  return is_left;
}

// What the offers would take of counters if these left enough.
class QuotaLimits::Wanting {
public:
  struct Pool {
    QuotaPool pool;
    std::map<std::size_t, std::int64_t> of_hosts; ///< slots that are offered
    std::int64_t times() const {
      if (pool.asked->taking == Taking::per_host) return static_cast<std::int64_t>(of_hosts.size());
      std::int64_t slots = 0;
      for (const auto& [host, offered] : of_hosts) slots += offered;
      return slots;
    }
  };

  void add(const QuotaPool& pool, const Offer& offer) {
    const auto taking = pool.asked->taking;
    if (taking != Taking::per_slot && taking != Taking::per_host) return;
    const auto [it, is_new] = known_.try_emplace({pool.set, pool.key}, pools_.size());
    if (is_new) pools_.push_back({pool, {}});
    auto& slots = pools_[it->second].of_hosts[offer.instance->host_index];
    slots = std::min(slots + offer.slots, std::max(slots, offer.on_host));
  }
  const std::vector<Pool>& pools() const { return pools_; }

private:
  std::map<std::pair<std::size_t, QuotaKey>, std::size_t> known_;
  std::vector<Pool> pools_; ///< as they were met
};

void QuotaLimits::explain_few(const std::vector<Offer>& offers, Window window,
                              Obstacles& obstacles) const {
  constexpr std::size_t most = 10;
  if (!obstacles.are_wanted() || offers.empty()) return;
  Wanting wanting;
  for (const auto& offer : offers) {
    const auto add = [&](const QuotaPool& pool) { wanting.add(pool, offer); };
    each_pool_everywhere(add), each_pool_at(*offer.instance, add);
  }
  const auto least = demand_.slots.empty() ? 1 : lowest(demand_.slots);
  const auto known = explained_.size();
  for (const auto& wanted : wanting.pools()) {
    if (explained_.size() >= known + most) return;
    if (times_free(wanted.pool, window) < std::min(wanted.times(), least))
      explain(wanted.pool, window, obstacles);
  }
}

void QuotaLimits::explain(const QuotaPool& pool, Window window, Obstacles& obstacles) const {
  const auto name = rule_label(*counters_.rules().sets()[pool.set].quotas, pool.rule) + " " +
                    counters_.text_of(pool.key);
  if (obstacles.are_wanted() && explained_.insert(name).second) obstacles.add(denial(pool, window));
}

namespace {

// Of an exclusive resource: what is in the way of who would be alone, or beside.
std::vector<const Diagram*> others_of(const QuotaPool& pool, Window window) {
  std::vector<const Diagram*> others;
  for (const auto* diagram :
       {pool.shared, pool.asked->taking == Taking::alone ? pool.used : nullptr})
    if (diagram && diagram->max(window) > 0) others.push_back(diagram);
  return others;
}

} // namespace

Statement QuotaLimits::denial(const QuotaPool& pool, Window window) const {
  const auto* complex = state_.configuration().complexes().find(pool.limit->complex);
  const auto shown = [&](std::int64_t amount) {
    return complex ? complex->print_amount(amount) : std::to_string(amount);
  };
  std::int64_t used = pool.used ? pool.used->max(window) : 0;
  if (is_exclusive(*pool.asked)) used = others_of(pool, window).empty() ? 0 : 1;
  Statement statement{AnswerCode::exceeds_quota,
                      {{"key", counters_.text_of(pool.key)},
                       {"rule", rule_label(*counters_.rules().sets()[pool.set].quotas, pool.rule)},
                       {"resource", pool.limit->complex},
                       {"used", shown(used)},
                       {"limit", shown(pool.most)}}};
  if (supply_.counts_jobs()) add_holders(statement, pool, window);
  if (const auto free = earliest_fit(pool, window); free && *free > window.start)
    statement.details.emplace_back("free_in", *free - window.start);
  return statement;
}

// Who is alone keeps others away, and they keep who would be alone.
void QuotaLimits::add_holders(Statement& statement, const QuotaPool& pool, Window window) const {
  const auto holders = Occupants::of_quotas(state_, window);
  const auto container =
      Container::quota(rule_label(*counters_.rules().sets()[pool.set].quotas, pool.rule) + " " +
                       counters_.text_of(pool.key));
  const auto shares = [&](bool beside) {
    return holders.shares(container, Resource(pool.limit->complex, beside));
  };
  if (!is_exclusive(*pool.asked)) return add_taken(statement, shares(false));
  auto taken = shares(!pool.key.beside);
  if (pool.asked->taking == Taking::alone)
    for (auto& share : shares(false)) taken.push_back(std::move(share));
  add_taken(statement, std::move(taken));
}

// When the smallest request fits; nothing where that is not known.
std::optional<Instant> QuotaLimits::earliest_fit(const QuotaPool& pool, Window window) const {
  const auto* used = pool.used;
  auto rest = pool.most - pool.asked->amount * times_needed(*pool.asked);
  if (is_exclusive(*pool.asked)) {
    const auto others = others_of(pool, window);
    const bool never = pool.asked->taking == Taking::alone && pool.most < 1;
    if (others.size() != 1 || never) return std::nullopt;
    used = others.front(), rest = 0;
  }
  if (!used || rest < 0) return std::nullopt;
  return used->earliest_fit(window.start, window.length(), rest);
}

bool is_within_quotas(const Snapshot& state, const Supply& supply, const Demand& demand,
                      const std::string& pe, const std::vector<Grant>& grants, Window window) {
  const QuotaLimits limits(state, supply, demand, pe);
  return !limits.any() || limits.fits(grants, window);
}

bool QuotaLimits::fits(const std::vector<Grant>& grants, Window window) const {
  for (const auto& use : counters_.uses_of(*membership_, demand_.consumables, grants)) {
    const auto& limit =
        counters_.rules().sets()[use.set].quotas->rules[use.key.rule].limits[use.key.limit];
    const auto most = most_of(limit, *use.instance);
    const auto* used = state_.seen(counters_.used(use.set, use.key));
    const auto* complex = state_.configuration().complexes().find(limit.complex);
    const bool exclusive = complex && complex->is_exclusive();
    auto others = use.key;
    others.beside = !others.beside;
    const auto* shared = exclusive ? state_.seen(counters_.used(use.set, others)) : nullptr;
    if (shared && shared->max(window) > 0) return false;
    if (exclusive && use.key.beside) continue;
    if ((used ? used->max(window) : 0) + (exclusive ? 1 : use.amount) > most) return false;
  }
  return true;
}

} // namespace almanac
