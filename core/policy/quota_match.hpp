// Whom and where the rules of a resource quota set concern: a party by its names, a place by its
// queue and host.
//
// Patterns are those of the shell. Names of hosts are compared without case.
// Source: spec/quotas.md section 3.
#pragma once

#include "core/configuration/configuration.hpp"
#include "core/configuration/objects/quota_set.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// Whose jobs they are, and in which parallel environment.
struct QuotaParty {
  std::string user, group;
  std::string project, pe; ///< "": none

  bool operator==(const QuotaParty&) const = default;

  /// The same where a job has it already.
  struct Asked {
    std::string_view user, group, project, pe;
    bool operator==(const Asked&) const = default;
  };
  operator Asked() const { return {user, group, project, pe}; }
};

} // namespace almanac

template <> struct std::hash<almanac::QuotaParty::Asked> {
  std::size_t operator()(const almanac::QuotaParty::Asked& party) const noexcept {
    const std::hash<std::string_view> of;
    return of(party.user) ^ of(party.group) * 3 ^ of(party.project) * 5 ^ of(party.pe) * 7;
  }
};

namespace almanac {

/// Whether the filters of users, projects and parallel environments let the party in.
bool concerns(const Configuration& configuration, const QuotaRule& rule, const QuotaParty& party);
/// Whether the filter of queues lets a cluster queue in.
bool concerns_queue(const QuotaRule& rule, const std::string& queue);
/// Whether the filter of hosts does so with a host.
bool concerns_host(const Configuration& configuration, const QuotaRule& rule,
                   const std::string& host);

/// Whether words of a filter mean a host, where many are asked about: a group is looked up once. It
/// holds as long as the configuration.
class QuotaHosts {
public:
  explicit QuotaHosts(const Configuration& configuration) : configuration_(&configuration) {}

  bool mean(const std::string& word, const std::string& host);
  /// All hosts of the groups that the word, which begins with '@', means.
  const std::set<std::string>& hosts_of(const std::string& word);

private:
  const Configuration* configuration_;
  std::map<std::string, std::set<std::string>> groups_;
};

/// The places that each rule of a set concerns, found when they are asked for. It holds as long as
/// the configuration.
class QuotaPlaces {
public:
  QuotaPlaces(const Configuration& configuration, const QuotaSet& set);

  /// Whether the rule concerns all places there are.
  bool everywhere(std::size_t rule) const { return alike_[rule] == none; }
  bool at(std::size_t rule, const QueueInstance& instance) const {
    if (everywhere(rule)) return true;
    const auto known = known_[alike_[rule]][static_cast<std::size_t>(&instance - first_)];
    return known == unknown ? find(rule, instance) : known == yes;
  }

private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  enum Known : char { unknown, no, yes };
  bool find(std::size_t rule, const QueueInstance& instance) const;

  const QueueInstance* first_;
  const QuotaSet* set_;
  mutable QuotaHosts words_;
  std::vector<std::size_t> alike_;                ///< of each rule: where its places are
  mutable std::vector<std::vector<Known>> known_; ///< by position
};

} // namespace almanac
