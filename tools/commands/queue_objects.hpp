// The cluster queues of a cell and their instances, as the master has them.
#pragma once

#include "core/configuration/objects/object.hpp"
#include "tools/commands/host_groups.hpp"

#include <string>
#include <vector>

namespace almanac {

class QueueObjects {
public:
  /// The exit status of asking for them, and for the host groups.
  int fetch(Context& context);

  const std::vector<ConfigurationObject>& queues() const { return queues_; }
  const HostGroups& groups() const { return groups_; }
  /// The hosts with an instance of the queue.
  std::vector<std::string> hosts_of(const ConfigurationObject& queue) const;
  /// What holds for the queue on the host: no hostlist, and a hostname in front.
  ConfigurationObject instance(const ConfigurationObject& queue, const std::string& host) const;

private:
  std::vector<ConfigurationObject> queues_;
  HostGroups groups_;
};

/// "queue", "queue@host" or "queue@@group", each part an expression (spec/cli.md section 2, wc_queue).
struct QueuePhrase {
  explicit QueuePhrase(const std::string& text);
  std::string queue, host, group; ///< host and group "": not said
  bool is_of_instances() const { return !host.empty() || !group.empty(); }
  bool matches_queue(const std::string& name) const;
  bool matches_host(const std::string& name, const HostGroups& groups) const;
};

} // namespace almanac
