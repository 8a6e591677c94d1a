// The host groups of a cell, as the master has them, and the hosts in them.
#pragma once

#include "tools/commands/context.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace almanac {

class HostGroups {
public:
  /// The exit status of asking for them.
  int fetch(Context& context);

  bool has(const std::string& group) const { return members_.contains(group); }
  std::vector<std::string> names() const;
  /// Hosts and groups of a group, in its order.
  const std::vector<std::string>& members_of(const std::string& group) const;
  /// The hosts that a list of hosts and groups comes to, each once.
  std::vector<std::string> hosts_of(const std::vector<std::string>& hosts_and_groups) const;
  bool is_in(const std::string& host, const std::string& group) const;

private:
  std::map<std::string, std::vector<std::string>> members_;
  std::map<std::string, std::set<std::string>> hosts_; ///< of each group, in small letters
};

} // namespace almanac
