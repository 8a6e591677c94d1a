#include "core/policy/quota_rows.hpp"

#include "core/base/wide.hpp"
#include "core/policy/quota_amount.hpp"
#include "core/policy/quota_questions.hpp"
#include "core/records/records.hpp"
#include "core/text/pattern.hpp"
#include "core/text/ranges.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace almanac {

namespace {

// A row before it is written.
struct Met {
  std::size_t set;
  QuotaKey key;
  std::int64_t used = 0;
};

// Of the numbers of members, or of places: how many come before by their names. There are few of them
// among many rows.
std::vector<std::uint32_t> ranks_of(std::uint32_t QuotaKey::*part, const std::vector<Met>& found,
                                    const QuotaCounters& counters) {
  std::vector<std::uint32_t> ranks;
  std::vector<QuotaKey> named; // each number once
  for (const auto& met : found) {
    const auto number = met.key.*part;
    if (ranks.size() <= number) ranks.resize(number + 1);
    if (ranks[number]++ == 0) named.emplace_back().*part = number;
  }
  std::sort(named.begin(), named.end(), [&](const QuotaKey& a, const QuotaKey& b) {
    return counters.member_of(a) < counters.member_of(b);
  });
  for (std::uint32_t rank = 0; rank < named.size(); ++rank) ranks[named[rank].*part] = rank;
  return ranks;
}

void sort(std::vector<Met>& found, const QuotaCounters& counters) {
  const auto members = ranks_of(&QuotaKey::member, found, counters);
  const auto places = ranks_of(&QuotaKey::place, found, counters);
  const auto order = [&](const Met& met) {
    const auto& key = met.key;
    return std::make_tuple(met.set, key.rule, key.limit, members[key.member], places[key.place]);
  };
  std::sort(found.begin(), found.end(),
            [&](const Met& a, const Met& b) { return order(a) < order(b); });
}

class Writer {
public:
  Writer(const Records& records, const QuotaCounters& counters)
      : records_(records), counters_(counters) {}

  // In units of the complex; a formula as it comes to on the host.
  std::int64_t most_of(const Met& met) const {
    static const HostState unknown;
    const std::string host(counters_.member_of(met.key).back());
    const auto* state = records_.find<HostState>(host);
    return amount_of(records_.configuration(), limit_of(met), host, state ? *state : unknown);
  }
  // nullptr: it is not there any more.
  const Complex* complex_of(const Met& met) const {
    return records_.configuration().complexes().find(limit_of(met).complex);
  }
  QuotaRow write(const Met& met) {
    look_at(met);
    auto row = common_;
    const auto member = counters_.member_of(met.key);
    std::copy(member.begin(), member.end(), row.member.begin());
    row.key = met.key;
    if (limit_of(met).formula && met.key.place != 0) row.limit = shown_most_of(met);
    if (!row.is_counted) return row;
    row.used = complex_->print_amount(met.used);
    return row;
  }

private:
  // A formula without a fraction (Q4.30).
  std::string shown_most_of(const Met& met) const {
    auto most = most_of(met);
    if (complex_->type == ValueType::decimal) most = most / fixed_point::unit * fixed_point::unit;
    return complex_->print_amount(most);
  }
  const QuotaSet& set(const Met& met) const { return *counters_.rules().sets()[met.set].quotas; }
  const QuotaLimit& limit_of(const Met& met) const {
    return set(met).rules[met.key.rule].limits[met.key.limit];
  }
  // What rows of a limit have in common, and of it what those of a rule do.
  void look_at(const Met& met) {
    const auto& key = met.key;
    if (!common_.rule || common_.set != met.set || common_.key.rule != key.rule) {
      common_.rule = std::make_shared<const QuotaRule>(set(met).rules[key.rule]);
      common_.label = rule_label(set(met), key.rule);
    } else if (common_.key.limit == key.limit) return;
    const auto& limit = limit_of(met);
    complex_ = records_.configuration().complexes().find(limit.complex);
    common_.set = met.set, common_.key = key;
    common_.resource = complex_->name, common_.is_counted = complex_->is_consumable();
    const bool is_amount = common_.is_counted && !limit.formula;
    common_.limit = is_amount ? complex_->print_amount(limit.amount) : limit.text;
  }

  const Records& records_;
  const QuotaCounters& counters_;
  QuotaRow common_; ///< of the limit that was looked at last, a formula as it is written
  const Complex* complex_ = nullptr;
};

std::vector<QuotaRow> written(const Records& records, const QuotaCounters& counters,
                              std::vector<Met> found) {
  sort(found, counters);
  Writer writer(records, counters);
  std::vector<QuotaRow> rows;
  rows.reserve(found.size());
  for (const auto& met : found) rows.push_back(writer.write(met));
  return rows;
}

// Whether counters are of whom is asked about. The same members come again and again.
class AskedMembers {
public:
  AskedMembers(const QuotaQuestions& question, const QuotaCounters& counters)
      : question_(question), counters_(counters) {}

  bool contain(const QuotaKey& key) {
    return known(members_, key.member, key, 0, 3) && known(places_, key.place, key, 3, 5);
  }

private:
  enum Known : char { unknown, no, yes };
  bool known(std::vector<Known>& list, std::uint32_t number, const QuotaKey& key, std::size_t first,
             std::size_t end) {
    if (list.size() <= number) list.resize(number + 1);
    if (list[number] == unknown) list[number] = looked_at(key, first, end) ? yes : no;
    return list[number] == yes;
  }
  bool looked_at(const QuotaKey& key, std::size_t first, std::size_t end) const {
    const auto member = counters_.member_of(key);
    for (auto filter = first; filter < end; ++filter)
      if (!member.at(filter).empty() &&
          !question_.means(static_cast<QuotaFilter>(filter), std::string(member.at(filter))))
        return false;
    return true;
  }

  const QuotaQuestions& question_;
  const QuotaCounters& counters_;
  std::vector<Known> members_, places_; ///< by number
};

// Which limits of a set are asked about, by rule and position.
enum class Shown : char { no, counted, fixed };
std::vector<std::vector<Shown>> shown_of(const Records& records, const QuotaSet& set,
                                         QuotaQuestions& question) {
  std::vector<std::vector<Shown>> shown;
  for (const auto& rule : set.rules) {
    const bool is_met = question.may_meet(rule);
    auto& limits = shown.emplace_back();
    for (const auto& limit : rule.limits) {
      const auto* complex = records.configuration().complexes().find(limit.complex);
      limits.push_back(!is_met || !complex || !question.wants(complex->name) ? Shown::no
                       : complex->is_consumable()                            ? Shown::counted
                                                                             : Shown::fixed);
    }
  }
  return shown;
}

} // namespace

std::vector<QuotaRow> quota_rows(const Records& records, const QuotaCounters& counters,
                                 const Caller& caller, const QuotaSelection& selection,
                                 Instant now) {
  std::vector<Met> found;
  QuotaQuestions question(records, caller, selection);
  AskedMembers members(question, counters);
  const auto& sets = counters.rules().sets();
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const auto shown = shown_of(records, *sets[set].quotas, question);
    for (std::uint16_t rule = 0; rule < shown.size(); ++rule)
      for (std::uint16_t limit = 0; limit < shown[rule].size(); ++limit)
        if (shown[rule][limit] == Shown::fixed) found.push_back({set, {rule, limit, 0, 0, false}});
    // What those take who are beside an exclusive one is no use of it (Q4.17).
    for (const auto& [key, booked] : counters.table(set).counters())
      if (!key.beside && shown[key.rule][key.limit] == Shown::counted && !booked.is_empty() &&
          members.contain(key))
        if (const auto used = booked.at(now); used != 0) found.push_back({set, key, used});
  }
  return written(records, counters, std::move(found));
}

std::vector<QuotaRow> quota_rows_above(const Records& records, const QuotaCounters& counters,
                                       Instant now) {
  std::vector<Met> found;
  const Writer writer(records, counters);
  for (std::size_t set = 0; set < counters.rules().sets().size(); ++set)
    for (const auto& [key, booked] : counters.table(set).counters()) {
      if (key.beside || booked.is_empty()) continue;
      const Met met{set, key, booked.at(now)};
      const auto* complex = writer.complex_of(met);
      if (complex && complex->is_consumable() && met.used > writer.most_of(met))
        found.push_back(met);
    }
  return written(records, counters, std::move(found));
}

// ---- of a job ---------------------------------------------------------------------------------

namespace {

using Counter = std::pair<std::size_t, QuotaKey>; // with its set

bool waits(const Records& records, const Job& job) {
  const auto tasks = records.tasks_of(job.key);
  return !job.fresh.empty() || std::any_of(tasks.begin(), tasks.end(), [](const Task& task) {
    return task.state == TaskState::pending;
  });
}

std::map<Counter, std::int64_t> held_by(const Records& records, const QuotaCounters& counters,
                                        const Job& job) {
  std::map<Counter, std::int64_t> held;
  for (const auto& task : records.tasks_of(job.key))
    if (counters.counts(task))
      for (const auto& use : counters.uses_of(job, task.pe, task.grants))
        held[{use.set, use.key}] += use.amount;
  return held;
}

// What the request meets, in one parallel environment after the other.
class Meeting {
public:
  Meeting(const Records& records, const QuotaCounters& counters, const Job& job,
          std::vector<const QueueInstance*> instances, Instant now)
      : records_(records),
        counters_(counters),
        job_(job),
        instances_(std::move(instances)),
        now_(now),
        least_(least_slots(*job.request)),
        consumables_(consumables_of(records.configuration(), job.request->resources)),
        held_(waits(records, job) ? std::map<Counter, std::int64_t>()
                                  : held_by(records, counters, job)) {}

  void meet_all() {
    const auto& pe = job_.request->pe;
    if (const auto& rule = job_.request->allocation_rule; !rule.empty())
      return meet(allocation_pe_name(rule));
    if (pe.empty()) return meet("");
    for (const auto& [name, environment] : records_.configuration().parallel_environments())
      if (matches_expression(pe, name)) meet(name);
  }
  std::vector<QuotaRow> rows() const {
    std::vector<Met> found;
    for (const auto& [counter, fits] : met_)
      found.push_back({counter.first, counter.second, used(counter.first, counter.second)});
    auto rows = written(records_, counters_, std::move(found));
    for (auto& row : rows) add_request(row);
    return rows;
  }

private:
  // Slots that a set leaves in all places together, of one resource.
  struct Room {
    std::int64_t slots = 0;
    std::set<QuotaKey> counted;
  };
  using Rooms = std::map<std::string, Room>;

  void meet(const std::string& pe) {
    const auto environment = records_.configuration().environment(pe);
    const auto of = counters_.membership(
        {job_.owner.user, primary_group(job_.owner), job_.request->project, pe});
    for (std::size_t set = 0; set < of->candidates.size(); ++set) {
      std::set<Counter> here;
      Rooms rooms;
      for (const auto* instance : instances_) {
        const auto rule = counters_.rules().rule_at(set, of->candidates[set], *instance);
        if (rule) meet(set, *rule, *of, *instance, here);
        if (lists(*instance, pe)) add_room(set, rule, *of, *instance, rooms);
      }
      for (const auto& counter : here) {
        auto& fits = met_[counter];
        fits = fits || is_enough(counter, environment, rooms);
      }
    }
  }
  static bool lists(const QueueInstance& instance, const std::string& pe) {
    const auto& list = instance.settings.pe_list;
    return pe.empty() || is_allocation_pe(pe) ||
           std::find(list.begin(), list.end(), pe) != list.end();
  }
  const std::vector<QuotaLimit>& limits_of(std::size_t set, std::size_t rule) const {
    return counters_.rules().sets()[set].quotas->rules[rule].limits;
  }
  void meet(std::size_t set, std::size_t rule, const QuotaMembership& of,
            const QueueInstance& instance, std::set<Counter>& here) const {
    const auto& limits = limits_of(set, rule);
    for (std::size_t limit = 0; limit < limits.size(); ++limit) {
      const auto* complex = records_.configuration().complexes().find(limits[limit].complex);
      if (!complex || !(complex->is_consumable() ? taken(*complex) != nullptr : asks_for(*complex)))
        continue;
      auto key = counters_.key(set, rule, limit, of, instance);
      if (!complex->is_consumable() && !limits[limit].formula)
        key.member = key.place = 0; // one row
      here.emplace(set, key);
    }
  }
  // Where no rule limits it, there is any number of slots.
  void add_room(std::size_t set, std::optional<std::size_t> rule, const QuotaMembership& of,
                const QueueInstance& instance, Rooms& rooms) const {
    for (const auto& taken : consumables_) {
      if (taken.taking != Taking::per_slot || taken.amount <= 0) continue;
      auto& room = rooms[taken.resource];
      bool is_limited = false;
      for (std::size_t limit = 0; rule && limit < limits_of(set, *rule).size(); ++limit) {
        if (limits_of(set, *rule)[limit].complex != taken.resource) continue;
        is_limited = true;
        const auto key = counters_.key(set, *rule, limit, of, instance);
        if (room.counted.insert(key).second) room.slots += times_left({set, key}, taken);
      }
      if (!is_limited) room.slots = most_slots;
      room.slots = std::min(room.slots, most_slots);
    }
  }

  std::int64_t used(std::size_t set, const QuotaKey& key) const {
    const auto* diagram = counters_.used(set, key);
    return diagram ? diagram->at(now_) : 0;
  }
  std::int64_t most(const Counter& counter) const {
    return Writer(records_, counters_).most_of({counter.first, counter.second});
  }
  std::int64_t times_left(const Counter& counter, const ConsumableDemand& taken) const {
    const auto left = most(counter) - used(counter.first, counter.second);
    return std::clamp<std::int64_t>(left / taken.amount, 0, most_slots);
  }
  // Who is alone shares with nobody, and nobody is beside who is alone (Q4.17).
  bool is_shared(const Counter& counter, const ConsumableDemand& taken) const {
    auto beside = counter.second;
    beside.beside = true;
    return used(counter.first, counter.second) > 0 ||
           (taken.taking == Taking::alone && used(counter.first, beside) > 0);
  }
  // Where nobody may be alone, everybody may be beside others.
  bool is_free(const Counter& counter, const ConsumableDemand& taken) const {
    return (taken.taking == Taking::beside || most(counter) >= 1) && !is_shared(counter, taken);
  }
  bool is_enough(const Counter& counter, const std::optional<ParallelEnvironment>& pe,
                 const Rooms& rooms) const {
    const auto& [set, key] = counter;
    const auto& rule = counters_.rules().sets()[set].quotas->rules[key.rule];
    const auto& limit = rule.limits[key.limit];
    const auto& complex = *records_.configuration().complexes().find(limit.complex);
    if (!complex.is_consumable()) {
      const auto* value = asked(complex);
      return value && complex.satisfies(compared_text(limit, complex, most(counter)), *value);
    }
    const auto& need = *taken(complex);
    if (is_exclusive(need)) return is_free(counter, need);
    const auto times = times_left(counter, need);
    if (need.taking != Taking::per_slot || !pe) return times >= 1;
    const bool is_of_queues = rule.scope(QuotaFilter::queues).given; // a host may have others
    if (pe->rule == AllocationRule::pe_slots && !is_of_queues) return times >= least_;
    const auto on_host =
        pe->rule == AllocationRule::fixed && !is_of_queues ? pe->per_host : std::int64_t{1};
    const auto room = rooms.find(complex.name);
    return times >= on_host && room != rooms.end() && room->second.slots >= least_;
  }

  const ConsumableDemand* taken(const Complex& complex) const {
    for (const auto& taken : consumables_)
      if (taken.resource == complex.name && taken.amount > 0) return &taken;
    return nullptr;
  }
  const std::string* asked(const Complex& complex) const {
    for (const auto& [name, value] : job_.request->resources)
      if (records_.configuration().complexes().find(name) == &complex) return &value;
    return nullptr;
  }
  // Who does not ask for what must be asked for never runs (Q4.26).
  bool asks_for(const Complex& complex) const { return asked(complex) || complex.forced; }

  void add_request(QuotaRow& row) const {
    const Counter counter{row.set, row.key};
    const auto& complex = *records_.configuration().complexes().find(row.resource);
    row.fits = met_.at(counter);
    if (!row.is_counted) {
      const auto* value = asked(complex);
      row.asked = value ? *value : "";
      return;
    }
    if (const auto held = held_.find(counter); held != held_.end())
      row.held = complex.print_amount(held->second), row.fits = true;
    const auto& need = *taken(complex);
    if (is_exclusive(need)) {
      row.asked = need.taking == Taking::alone ? complex.print_amount(1) : "";
      row.used = complex.print_amount(is_shared(counter, need) ? 1 : 0);
      row.left = complex.print_amount(is_free(counter, need) ? 1 : 0);
      return;
    }
    row.asked = complex.print_amount(need.amount);
    row.is_per_slot = need.taking == Taking::per_slot;
    row.is_per_host = need.taking == Taking::per_host;
    row.left = complex.print_amount(
        std::max<std::int64_t>(0, most(counter) - used(counter.first, counter.second)));
  }

  const Records& records_;
  const QuotaCounters& counters_;
  const Job& job_;
  const std::vector<const QueueInstance*> instances_;
  Instant now_;
  std::int64_t least_;
  std::vector<ConsumableDemand> consumables_;
  std::map<Counter, bool> met_; ///< whether it is enough in some parallel environment
  const std::map<Counter, std::int64_t> held_; ///< where nothing of it waits
};

std::vector<const QueueInstance*>
instances_where(const Configuration& configuration,
                const std::function<bool(const QueueInstance&)>& is_meant) {
  std::vector<const QueueInstance*> instances;
  for (const auto& instance : configuration.instances())
    if (is_meant(instance)) instances.push_back(&instance);
  return instances;
}

} // namespace

std::vector<QuotaRow> quota_rows_met(const Records& records, const QuotaCounters& counters,
                                     const Job& job,
                                     const std::function<bool(const QueueInstance&)>& might_run_in,
                                     Instant now) {
  const bool counts =
      !job.reservation_key || records.configuration().global().quotas_in_reservations;
  if (!counts || counters.rules().empty()) return {};
  auto instances = instances_where(records.configuration(), might_run_in);
  if (instances.empty())
    instances = instances_where(records.configuration(), [](auto&) { return true; });
  Meeting meeting(records, counters, job, std::move(instances), now);
  meeting.meet_all();
  return meeting.rows();
}

} // namespace almanac
