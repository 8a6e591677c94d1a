// Cluster queues with sums over their instances: qstat -g c (spec/cli.md section 6.3).
#pragma once

#include "tools/output/cluster_list.hpp"

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// The letters of -ext, in their order.
inline constexpr std::string_view summary_letters = "sASCuadDcoE";

struct QueueSummary {
  std::string name;
  std::optional<double> load; ///< mean np_load_avg by slots; nothing where no load is known
  std::int64_t used = 0, reserved = 0, available = 0, total = 0;
  std::int64_t closed = 0; ///< slots in states of aoACDS, and in none of the others
  std::int64_t broken = 0; ///< slots in states of cdsuE
  std::array<std::int64_t, summary_letters.size()> in_state{}; ///< slots, by letter
};

/// By name.
std::vector<QueueSummary> summaries_of(const ClusterList& cluster);

enum class SummaryStates { hidden, shown }; ///< -ext

void print_summaries(std::ostream& out, const std::vector<QueueSummary>& queues,
                     SummaryStates states);
void print_summaries_xml(std::ostream& out, const std::vector<QueueSummary>& queues,
                         SummaryStates states);
void print_summaries_json(std::ostream& out, const std::vector<QueueSummary>& queues);

} // namespace almanac
