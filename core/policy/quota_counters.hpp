// What is used of the limits of quota sets, and when: counted from tasks and holds outside
// reservations.
//
// 1. A limit has a counter for each member of the filters that are written in braces; all others
//    share one (spec/quotas.md Q4.1 to Q4.8).
// 2. Nothing of it is stored. When a set is switched on, or its rules or what they name change, its
//    counters are made anew from what runs, at once (Q4.34); those of other sets stay.
// 3. Disabled sets have no counters (Q4.33). Suspended tasks count, waiting ones do not (Q4.20,
//    Q4.21).
//
// Source: spec/quotas.md section 4.
#pragma once

#include "core/base/lookup.hpp"
#include "core/job/consumables.hpp"
#include "core/job/hold.hpp"
#include "core/policy/quota_rules.hpp"
#include "core/policy/quota_table.hpp"
#include "core/records/index.hpp"
#include "core/utilization/booking.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace almanac {

/// A party with the rules that may concern it, and its numbers as a member.
class QuotaMembership {
public:
  QuotaParty party;
  std::vector<QuotaRules::Candidates> candidates; ///< of each set
  /// Sets of which a rule may concern it: where what is counted is the same everywhere, and others.
  std::vector<std::size_t> everywhere, placed;

private:
  friend class QuotaCounters;
  mutable std::array<std::uint32_t, 8> members_{}; ///< by which of user, project, PE are expanded
  std::vector<std::uint64_t> meanings_;            ///< of the sets that it was made for
  std::uint64_t configured_ = 0;                   ///< the configuration that it was made for
};

/// Where grants in a window count, and how much of it.
struct QuotaUse {
  std::size_t set = 0;
  QuotaKey key;
  std::int64_t amount = 0;
  const QueueInstance* instance = nullptr; ///< the first of those where it counts
};

/// Whom a counter is of, in the order of the filters; "" where the filter is not in braces.
using QuotaMember = std::array<std::string_view, quota_filters>;

class QuotaCounters : public Index {
public:
  explicit QuotaCounters(const Records& records);
  QuotaCounters(const QuotaCounters&) = delete;
  QuotaCounters& operator=(const QuotaCounters&) = delete;
  ~QuotaCounters() override;

  using Index::changed;
  void rebuild(const Records& records) override;
  bool agrees(const Records& records) const override;
  void reconfigured(const Records& records, ChangedKinds kinds) override;
  void changed(const Job* before, const Job* after) override;
  void changed(const Task* before, const Task* after) override;

  const QuotaRules& rules() const { return *rules_; }
  /// It holds until the configuration changes. There are no more than parties that had jobs.
  const QuotaMembership* membership(const QuotaParty::Asked& party) const;
  /// The counter of a limit of the rule that is used for such a party there.
  QuotaKey key(std::size_t set, std::size_t rule, std::size_t limit, const QuotaMembership& of,
               const QueueInstance& instance, bool beside = false) const;
  /// nullptr: nothing is used of it.
  const Diagram* used(std::size_t set, const QuotaKey& key) const {
    return tables_[set]->table.find(key);
  }
  const QuotaTable& table(std::size_t set) const { return tables_[set]->table; }
  /// "ann////h1/" (Q4.1).
  std::string text_of(const QuotaKey& key) const;
  /// The same in parts, as long as nothing changes.
  QuotaMember member_of(const QuotaKey& key) const;
  /// Of one that an assumption changes: an empty one where nothing is used.
  const Diagram& at(std::size_t set, const QuotaKey& key) const {
    return tables_[set]->table.at(key);
  }
  /// Whether the task stands within quotas, if its job does: not one that a reservation attracted,
  /// unless the site wants it otherwise.
  bool counts(const Task& task) const;
  /// What a task or a hold of the job takes.
  std::vector<QuotaUse> uses_of(const Job& job, const std::string& pe,
                                const std::vector<Grant>& grants) const;
  /// What a place takes, the master's instance first.
  std::vector<QuotaUse> uses_of(const QuotaMembership& of,
                                const std::vector<ConsumableDemand>& consumables,
                                const std::vector<Grant>& grants) const;
  /// The same as bookings in containers of quotas: "A/1 ann/////". For those who name who has what.
  std::vector<Booking> bookings_of(const Job& job, const std::string& pe,
                                   const std::vector<Grant>& grants) const;

private:
  friend class Unbooked;
  // A set is known by its text and what its words mean: as long as these stay, so do its counters, and
  // which rules of it may concern whom.
  struct Counted {
    std::string basis;
    std::uint64_t meaning = 0; ///< a number that no other basis had
    QuotaTable table;
  };
  class Names;

  /// Nothing is counted of the job's holds until it is put back.
  void set_aside(JobKey key);
  void put_back(JobKey key);
  void count(const Job& job, const Hold& hold, std::int64_t sign);
  void count(const Job& job, const Task& task, std::int64_t sign);
  void count(const Job& job, const std::string& pe, const std::vector<Grant>& grants, Window window,
             std::int64_t sign);
  void count_all();
  bool counts(const Job& job) const;
  bool are_instances_others();
  void find_counted_names();
  void adapt(QuotaMembership& membership) const;
  template <class Take>
  void each_use(const QuotaMembership& of, const std::vector<ConsumableDemand>& consumables,
                const std::vector<Grant>& grants, std::size_t grant, Take take) const;
  std::string basis_of(const QuotaSet& set) const;
  const std::vector<ConsumableDemand>& consumables_of(const JobRequest& request) const;

  const Records& records_;
  std::unique_ptr<const QuotaRules> rules_;
  std::vector<std::shared_ptr<Counted>> tables_; ///< of each set of the rules
  std::vector<InstanceName> instances_;          ///< that there are, ascending
  std::vector<bool> counted_; ///< sets that count: all of them, but while new ones are begun
  std::set<JobKey> aside_;
  std::unique_ptr<Names> names_;
  std::uint64_t configured_ = 0; ///< counts configurations
  std::uint64_t meanings_ = 0;   ///< that were given out
  mutable Lookup<QuotaMembership, QuotaParty> memberships_;
  mutable const QuotaMembership* last_asked_ = nullptr; ///< parties come again and again
  Lookup<bool> counted_names_; ///< of consumables that a set limits, and their shortcuts
  mutable Lookup<std::vector<ConsumableDemand>> consumables_; ///< by what is asked for of these
};

} // namespace almanac
