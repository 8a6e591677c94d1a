// Override and functional tickets: what users, projects, departments and jobs are entitled to
// (spec/scheduling.md section 3.3).
//
//   override     the tickets of user, project and department, divided among their jobs, and -ot
//   functional   a pool, divided by weights among the four kinds, within a kind by fshare (for jobs
//                by -js), and within a user, project or department evenly among its jobs
#pragma once

#include "core/job/job.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace almanac {

class Configuration;

/// Whose tickets a job has.
struct Party {
  std::string user, group, project;
  std::int64_t job_share = 0, override_tickets = 0;
  static Party of(const Job& job);
  bool operator==(const Party&) const = default;
};

struct Tickets {
  std::int64_t override_part = 0;   ///< otckt
  std::int64_t functional_part = 0; ///< ftckt
  std::int64_t sum() const { return override_part + functional_part; }
};
template <class V> void describe(V& visit, Tickets& tickets) {
  visit("override_part", tickets.override_part);
  visit("functional_part", tickets.functional_part);
}

/// Counts all jobs that wait or run, then says what each has.
class TicketPolicy {
public:
  /// Whether anybody can have more tickets than another, -ot apart.
  static bool is_used(const Configuration& configuration);

  explicit TicketPolicy(const Configuration& configuration) : configuration_(&configuration) {}
  void count(const Party& party, std::int64_t jobs);
  /// All jobs are counted: now the range of tickets is known.
  void settle();

  Tickets of(const Party& party) const;
  /// 0 to 1'000'000 within the range; 500'000 where all are equal.
  std::int64_t normal(std::int64_t tickets) const;

private:
  struct Kind {
    std::int64_t all_shares = 0;
    std::map<std::string, std::int64_t> jobs; ///< of each entity
  };
  const std::string& department(const Party& party) const;
  std::int64_t functional(const Party& party) const;

  const Configuration* configuration_;
  Kind users_, projects_, departments_;
  std::int64_t job_shares_ = 0;
  std::vector<Party> parties_;
  mutable std::map<std::pair<std::string, std::string>, std::string> department_of_;
  std::int64_t lowest_ = 0, highest_ = 0;
};

} // namespace almanac
