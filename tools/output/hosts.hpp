// Hosts as qhost shows them: text and XML (spec/cli.md section 7, client contract C10;
// share/schemas/qhost.xsd).
#pragma once

#include "tools/output/cluster_list.hpp"
#include "tools/output/job_table.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace almanac {

struct HostDetail {
  bool queues = false;              ///< -q
  bool jobs = false;                ///< -j
  bool resources = false;           ///< -F
  bool topology = false;            ///< -cb
  std::vector<std::string> named{}; ///< of -F; empty: all
};

/// What is shown of a host: its row, and what stands below it.
class HostTable {
public:
  HostTable(std::ostream& out, const ClusterList& cluster, const std::vector<JobRow>& rows,
            const HostDetail& detail)
      : out_(out),
        cluster_(cluster),
        instances_(cluster),
        rows_(rows),
        number_width_(number_width(rows)),
        detail_(detail) {}

  /// The heading and the row "global", with what the cell offers.
  void print_heading();
  void print(const door::HostView& host);

private:
  void print_resources(const std::vector<door::ResourceView>& resources);
  void print_drain(const std::string& host);
  void print_queues(const std::string& host);

  std::ostream& out_;
  const ClusterList& cluster_;
  InstancesByHost instances_;
  RowsByInstance rows_;
  std::size_t number_width_;
  const HostDetail& detail_;
};

/// Those of the hosts that are `shown`.
void print_hosts_xml(std::ostream& out, const ClusterList& cluster,
                     const std::vector<const door::HostView*>& shown,
                     const std::vector<JobRow>& rows, const HostDetail& detail);
/// Likewise; the cell itself is no host there.
void print_hosts_json(std::ostream& out, const ClusterList& cluster,
                      const std::vector<const door::HostView*>& shown,
                      const std::vector<JobRow>& rows, const HostDetail& detail);

} // namespace almanac
