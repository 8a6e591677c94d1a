#include "core/policy/quota_counters.hpp"

#include "core/records/records.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace almanac {

namespace {

bool same_party(const Job& a, const Job& b) {
  return a.reservation_key == b.reservation_key && a.owner.user == b.owner.user &&
         a.owner.group == b.owner.group && a.owner.gid == b.owner.gid &&
         a.request->project == b.request->project && a.request->resources == b.request->resources;
}

// Takes the words that name sets of users or groups of hosts.
template <class Take> void each_group(const QuotaScope& scope, Take take) {
  for (const auto* words : {&scope.included, &scope.excluded})
    for (const auto& word : *words)
      if (word.starts_with('@')) take(word);
}

} // namespace

// Numbers of members and places: "ann/p1/mpi" and "all.q/h1", with what is not expanded left out.
// They stay as long as the counters, whatever the configuration comes to.
class QuotaCounters::Names {
public:
  std::uint32_t member(const QuotaMembership& of, std::size_t expanded) {
    const auto& [user, group, project, pe] = of.party;
    return members_.number_of(
        {expanded & 1 ? user : "", expanded & 2 ? project : "", expanded & 4 ? pe : ""});
  }
  std::uint32_t place(const InstanceName& name, std::size_t expanded) {
    return places_.number_of({expanded & 1 ? name.queue : "", expanded & 2 ? name.host : ""});
  }
  std::string text_of(const QuotaKey& key) const {
    return join(members_.parts[key.member], "/") + "/" + join(places_.parts[key.place], "/") + "/";
  }
  QuotaMember parts_of(const QuotaKey& key) const {
    const auto &member = members_.parts[key.member], &place = places_.parts[key.place];
    return {member[0], member[1], member[2], place[0], place[1]};
  }

  /// Of each instance, by its position and by which of queue and host are expanded; 0: not yet.
  std::vector<std::array<std::uint32_t, 4>> at;

private:
  template <std::size_t size> struct Numbered {
    using Parts = std::vector<std::string>;
    std::uint32_t number_of(Parts name) {
      const auto& number =
          numbers.emplace(join(name, "/"), static_cast<std::uint32_t>(parts.size()));
      if (number == parts.size()) parts.push_back(std::move(name));
      return number;
    }
    std::vector<Parts> parts{Parts(size)}; // 0 is nobody's
    Lookup<std::uint32_t> numbers;
  };
  Numbered<3> members_;
  Numbered<2> places_;
};

QuotaCounters::QuotaCounters(const Records& records)
    : records_(records), names_(std::make_unique<Names>()) {
  rebuild(records);
}
QuotaCounters::~QuotaCounters() = default;

// ---- following --------------------------------------------------------------------------------

void QuotaCounters::rebuild(const Records& records) {
  tables_.clear(), aside_.clear();
  *names_ = {}, memberships_.clear();
  reconfigured(records, ChangedKinds::all());
}

bool QuotaCounters::agrees(const Records& records) const {
  const QuotaCounters rebuilt(records);
  const auto texts = [](const QuotaCounters& counters) {
    std::map<std::string, const Diagram*> found;
    for (std::size_t set = 0; set < counters.tables_.size(); ++set)
      for (const auto& [key, booked] : counters.table(set).counters())
        if (!booked.is_empty())
          found.emplace(std::to_string(set) + " " + std::to_string(key.rule) + " " +
                            std::to_string(key.limit) + (key.beside ? "b " : " ") +
                            counters.text_of(key),
                        &booked);
    return found;
  };
  const auto mine = texts(*this), others = texts(rebuilt);
  return std::equal(
      mine.begin(), mine.end(), others.begin(), others.end(),
      [](const auto& a, const auto& b) { return a.first == b.first && *a.second == *b.second; });
}

void QuotaCounters::reconfigured(const Records& records, ChangedKinds) {
  rules_ = std::make_unique<const QuotaRules>(records.configuration());
  ++configured_, last_asked_ = nullptr;
  find_counted_names();
  constexpr std::size_t most_kept = 100'000;
  if (rules_->empty() || memberships_.size() > most_kept) memberships_.clear();
  if (rules_->empty()) return tables_.clear(), counted_.clear(), instances_.clear();
  names_->at.assign(records.configuration().instances().size(), {});
  const bool are_others = are_instances_others();
  std::map<std::string, std::shared_ptr<Counted>> before;
  for (auto& table : std::exchange(tables_, {})) before.emplace(table->basis, std::move(table));
  counted_.clear();
  for (const auto& set : rules_->sets()) {
    auto basis = basis_of(*set.quotas);
    const auto known = before.find(basis);
    const bool stays = known != before.end() && !are_others;
    counted_.push_back(!stays);
    if (stays) {
      tables_.push_back(std::move(known->second));
      continue;
    }
    tables_.push_back(std::make_shared<Counted>());
    tables_.back()->meaning = known != before.end() ? known->second->meaning : ++meanings_;
    tables_.back()->basis = std::move(basis);
  }
  if (std::count(counted_.begin(), counted_.end(), true) > 0) count_all();
  counted_.assign(tables_.size(), true);
}

// What a hold has on an instance that is gone is not counted, and what it has on one that is back is:
// then nothing that was counted can be taken back as it is.
bool QuotaCounters::are_instances_others() {
  std::vector<InstanceName> now;
  for (const auto& instance : records_.configuration().instances()) now.push_back(instance.name);
  std::sort(now.begin(), now.end());
  return std::exchange(instances_, now) != now;
}

// All that decides which rules of the set concern whom, and what consumables take.
std::string QuotaCounters::basis_of(const QuotaSet& set) const {
  const auto& configuration = records_.configuration();
  QuotaHosts hosts(configuration);
  std::string basis = set.name;
  if (configuration.global().quotas_in_reservations) basis += '!';
  const auto add = [&](const std::string& text) { basis += '\0' + text; };
  const auto add_users = [&](const std::string& word) {
    for (const auto& [name, userset] : configuration.usersets())
      if (matches_pattern(word.substr(1), name))
        for (const auto& entry : userset.entries) add(entry);
  };
  const auto add_hosts = [&](const std::string& word) {
    for (const auto& host : hosts.hosts_of(word)) add(host);
  };
  for (const auto& rule : set.rules) {
    add(almanac::text_of(rule));
    each_group(rule.scope(QuotaFilter::users), add_users);
    each_group(rule.scope(QuotaFilter::hosts), add_hosts);
    for (const auto& limit : rule.limits)
      if (const auto* complex = configuration.complexes().find(limit.complex))
        add(complex->name + std::to_string(static_cast<int>(complex->consumable)) + "/" +
            std::to_string(static_cast<int>(complex->relation)) + "/" + complex->default_request);
  }
  return basis;
}

// What is asked for of anything else makes no difference here.
void QuotaCounters::find_counted_names() {
  counted_names_.clear(), consumables_.clear();
  const auto& configuration = records_.configuration();
  for (const auto& [name, complex] : configuration.complexes().all())
    if (complex.is_consumable() && configuration.is_limited(name))
      counted_names_.emplace(name, true), counted_names_.emplace(complex.shortcut, true);
}

void QuotaCounters::count_all() {
  records_.each_job([&](const Job& job, const Listing<Task>& tasks) {
    if (!aside_.contains(job.key))
      for (const auto& hold : job.holds) count(job, hold, 1);
    for (const auto& task : tasks) count(job, task, 1);
  });
}

void QuotaCounters::changed(const Task* before, const Task* after) {
  if (tables_.empty()) return;
  if (before && after && before->booked == after->booked && before->grants == after->grants) return;
  const auto* job = records_.find<Job>((before ? before : after)->job);
  if (!job) return;
  if (before) count(*job, *before, -1);
  if (after) count(*job, *after, 1);
}

void QuotaCounters::changed(const Job* before, const Job* after) {
  if (tables_.empty()) return;
  const bool same = before && after && same_party(*before, *after);
  if (same && before->holds == after->holds) return;
  const auto count_holds = [&](const Job* job, std::int64_t sign) {
    if (job && !aside_.contains(job->key))
      for (const auto& hold : job->holds) count(*job, hold, sign);
  };
  count_holds(before, -1), count_holds(after, 1);
  if (same || !before || !after) return;
  for (const auto& task : records_.tasks_of(after->key))
    count(*before, task, -1), count(*after, task, 1);
}

void QuotaCounters::set_aside(JobKey key) {
  if (const auto* job = records_.find<Job>(key))
    for (const auto& hold : job->holds) count(*job, hold, -1);
  aside_.insert(key);
}

void QuotaCounters::put_back(JobKey key) {
  aside_.erase(key);
  if (const auto* job = records_.find<Job>(key))
    for (const auto& hold : job->holds) count(*job, hold, 1);
}

// ---- counting ---------------------------------------------------------------------------------

void QuotaCounters::count(const Job& job, const Hold& hold, std::int64_t sign) {
  count(job, hold.pe, hold.grants, hold.window, sign);
}

void QuotaCounters::count(const Job& job, const Task& task, std::int64_t sign) {
  if (!counts(task)) return;
  count(job, task.pe, task.grants, task.booked, sign);
}

void QuotaCounters::count(const Job& job, const std::string& pe, const std::vector<Grant>& grants,
                          Window window, std::int64_t sign) {
  if (tables_.empty() || grants.empty() || !counts(job)) return;
  const auto& of =
      *membership({job.owner.user, primary_group(job.owner), job.request->project, pe});
  const auto& consumables = consumables_of(*job.request);
  const auto book = [&](const QuotaUse& use) {
    auto& table = tables_[use.set]->table;
    if (sign > 0) table.add(use.key, window, use.amount);
    else table.remove(use.key, window, use.amount);
  };
  if (grants.size() == 1) return each_use(of, consumables, grants, 0, book);
  for (const auto& use : uses_of(of, consumables, grants)) book(use);
}

// Jobs in a reservation stand outside of quotas, unless the site wants it otherwise (Q4.35, Q4.40).
bool QuotaCounters::counts(const Job& job) const {
  return !job.reservation_key || records_.configuration().global().quotas_in_reservations;
}

bool QuotaCounters::counts(const Task& task) const {
  return !task.attracted_by || records_.configuration().global().quotas_in_reservations;
}

std::vector<QuotaUse> QuotaCounters::uses_of(const Job& job, const std::string& pe,
                                             const std::vector<Grant>& grants) const {
  if (tables_.empty() || grants.empty() || !counts(job)) return {};
  const auto of = membership({job.owner.user, primary_group(job.owner), job.request->project, pe});
  return uses_of(*of, consumables_of(*job.request), grants);
}

std::vector<Booking> QuotaCounters::bookings_of(const Job& job, const std::string& pe,
                                                const std::vector<Grant>& grants) const {
  std::vector<Booking> bookings;
  for (const auto& use : uses_of(job, pe, grants)) {
    const auto& set = *rules_->sets()[use.set].quotas;
    const auto& limit = set.rules[use.key.rule].limits[use.key.limit];
    bookings.push_back({Container::quota(rule_label(set, use.key.rule) + " " + text_of(use.key)),
                        Resource(limit.complex, use.key.beside), use.amount});
  }
  return bookings;
}

const std::vector<ConsumableDemand>&
QuotaCounters::consumables_of(const JobRequest& request) const {
  std::string asked;
  for (const auto& [name, value] : request.resources)
    if (counted_names_.contains(name)) asked += name + '=' + value + '\n';
  if (const auto* known = consumables_.find(asked)) return *known;
  constexpr std::size_t most_kept = 10'000;
  if (consumables_.size() >= most_kept) consumables_.clear();
  auto taken = almanac::consumables_of(records_.configuration(), request.resources);
  std::erase_if(taken, [&](const auto& one) { return !counted_names_.contains(one.resource); });
  return consumables_.emplace(asked, std::move(taken));
}

const QuotaMembership* QuotaCounters::membership(const QuotaParty::Asked& party) const {
  if (last_asked_ && party == last_asked_->party) return last_asked_;
  auto* known = memberships_.find(party);
  if (!known) {
    const auto& [user, group, project, pe] = party;
    QuotaParty own{std::string(user), std::string(group), std::string(project), std::string(pe)};
    known = &memberships_.emplace(own);
    known->party = std::move(own);
  }
  if (known->configured_ != configured_) adapt(*known);
  return last_asked_ = known;
}

// Which rules of a set may concern it is found again only where the set means something else.
void QuotaCounters::adapt(QuotaMembership& membership) const {
  auto before = std::exchange(membership.candidates, {});
  const auto meant = std::exchange(membership.meanings_, {});
  membership.everywhere.clear(), membership.placed.clear();
  membership.configured_ = configured_;
  auto next = meant.begin(); // sets mostly keep their order
  for (std::size_t set = 0; set < tables_.size(); ++set) {
    const auto meaning = tables_[set]->meaning;
    auto same = std::find(next, meant.end(), meaning);
    if (same != meant.end()) next = std::next(same);
    else if (same = std::find(meant.begin(), next, meaning); same == next) same = meant.end();
    membership.meanings_.push_back(meaning);
    membership.candidates.push_back(
        same == meant.end() ? rules_->candidates(set, membership.party)
                            : std::move(before[static_cast<std::size_t>(same - meant.begin())]));
    const auto& candidates = membership.candidates.back();
    if (candidates.empty()) continue;
    const bool is_same = rules_->are_same_everywhere(set, candidates);
    (is_same ? membership.everywhere : membership.placed).push_back(set);
  }
}

QuotaKey QuotaCounters::key(std::size_t set, std::size_t rule, std::size_t limit,
                            const QuotaMembership& of, const QueueInstance& instance,
                            bool beside) const {
  const auto [by_member, by_place] = rules_->sets()[set].expansions[rule];
  auto& member = of.members_.at(by_member);
  if (member == 0) member = names_->member(of, by_member);
  const auto position =
      static_cast<std::size_t>(&instance - records_.configuration().instances().data());
  auto& place = names_->at[position].at(by_place);
  if (place == 0) place = names_->place(instance.name, by_place);
  return {static_cast<std::uint16_t>(rule), static_cast<std::uint16_t>(limit), member, place,
          beside};
}

std::string QuotaCounters::text_of(const QuotaKey& key) const { return names_->text_of(key); }
QuotaMember QuotaCounters::member_of(const QuotaKey& key) const { return names_->parts_of(key); }

namespace {

// What one grant takes of a consumable; 0: others of the same job have it.
std::int64_t amount_of(const ConsumableDemand& taken, const std::vector<Grant>& grants,
                       std::size_t grant) {
  const auto& host = grants[grant].instance.host;
  switch (taken.taking) {
  case Taking::per_job: return grant == 0 ? taken.amount : 0;
  case Taking::per_host:
    return std::none_of(grants.begin(), grants.begin() + static_cast<std::ptrdiff_t>(grant),
                        [&](const Grant& before) { return before.instance.host == host; })
               ? taken.amount
               : 0;
  default: return amount_for(taken, grants[grant].slots);
  }
}

// Each counter once.
void merge(std::vector<QuotaUse>& uses) {
  const auto name = [](const QuotaUse& use) { return std::pair(use.set, use.key); };
  std::stable_sort(uses.begin(), uses.end(),
                   [&](const QuotaUse& x, const QuotaUse& y) { return name(x) < name(y); });
  auto last = uses.begin();
  for (auto it = uses.begin(); it != uses.end(); ++it) {
    if (it == last) continue;
    if (name(*it) == name(*last)) last->amount += it->amount;
    else *++last = *it;
  }
  if (!uses.empty()) uses.erase(std::next(last), uses.end());
}

} // namespace

// Takes what one of the grants takes of each counter.
template <class Take> void QuotaCounters::each_use(const QuotaMembership& of,
                                                   const std::vector<ConsumableDemand>& consumables,
                                                   const std::vector<Grant>& grants,
                                                   std::size_t grant, Take take) const {
  const auto* instance = records_.configuration().instance(grants[grant].instance);
  if (!instance) return;
  for (std::size_t set = 0; set < tables_.size(); ++set) {
    if (!counted_[set]) continue;
    const auto rule = rules_->rule_at(set, of.candidates[set], *instance);
    if (!rule) continue;
    const auto& limits = rules_->sets()[set].quotas->rules[*rule].limits;
    for (std::size_t limit = 0; limit < limits.size(); ++limit)
      for (const auto& taken : consumables) {
        if (taken.resource != limits[limit].complex) continue;
        const auto amount = amount_of(taken, grants, grant);
        if (amount == 0) continue;
        const bool beside = taken.taking == Taking::beside;
        take(QuotaUse{set, key(set, *rule, limit, of, *instance, beside), amount, instance});
      }
  }
}

std::vector<QuotaUse> QuotaCounters::uses_of(const QuotaMembership& of,
                                             const std::vector<ConsumableDemand>& consumables,
                                             const std::vector<Grant>& grants) const {
  std::vector<QuotaUse> uses;
  uses.reserve(tables_.size());
  for (std::size_t grant = 0; grant < grants.size(); ++grant)
    each_use(of, consumables, grants, grant, [&](const QuotaUse& use) { uses.push_back(use); });
  if (grants.size() > 1) merge(uses);
  return uses;
}

} // namespace almanac
