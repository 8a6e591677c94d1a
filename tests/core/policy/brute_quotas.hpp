// What resource quota sets say of the records, found the slow way: each word of each filter is looked
// at, and every task and hold is counted again for each question.
//
// It shares nothing with core/policy and core/matching, and is written from docs/spec/quotas.md,
// sections 3 and 4. It knows consumables of whole numbers, and no names of rules.
#pragma once

#include "core/records/records.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

class BruteQuotas {
public:
  explicit BruteQuotas(const Records& records) : records_(records) {}

  /// What is taken of a limit.
  struct Use {
    std::string counter; ///< "A/1 slots ann/////", "A/1 exclusive beside /////"
    std::int64_t amount = 0;
    std::int64_t limit = 0;
    Window window;
  };
  /// Of all tasks and holds outside reservations, each by itself.
  std::vector<Use> all() const;
  /// Of one task or hold.
  std::vector<Use> of(const Job& job, const std::string& pe, const std::vector<Grant>& grants,
                      Window window) const;
  /// What is used of the counter at the time.
  static std::int64_t sum(const std::vector<Use>& uses, const std::string& counter, Instant at);
  /// The same, at the most during the window.
  static std::int64_t most(const std::vector<Use>& uses, const std::string& counter, Window window);

  /// Whether all sets let the job have one slot there, in no parallel environment.
  bool admit(const Job& job, const InstanceName& there, Window window) const;

private:
  struct Place {
    const Job& job;
    std::string pe;
    InstanceName instance;
  };
  std::optional<std::size_t> rule_of(const QuotaSet& set, const Place& place) const;
  bool matches(const QuotaRule& rule, const Place& place) const;
  bool is_user(const std::string& word, const Job& job) const;
  bool is_host(const std::string& word, const std::string& host) const;
  bool is_in_group(const std::string& group, const std::string& host) const;
  std::int64_t limit_on(const QuotaLimit& limit, const std::string& host) const;
  std::optional<std::int64_t> processors(const std::string& host) const;
  std::vector<Use> uses_at(const Place& place, std::int64_t slots, bool is_master,
                           bool is_first_of_host, Window window) const;
  bool is_fixed_request_denied(const QuotaLimit& limit, const Job& job) const;

  const Records& records_;
};

} // namespace almanac
