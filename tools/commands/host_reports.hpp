// What hosts reported last, as `qconf -se` shows it beside what is configured (spec/objects.md O2.4,
// O2.5).
#pragma once

#include "core/configuration/objects/object.hpp"
#include "tools/commands/context.hpp"

#include <map>
#include <string>

namespace almanac {

class HostReports {
public:
  /// The exit status of asking for them.
  int fetch(Context& context);

  /// The exec host with load_values and processors: NONE and 0 of a host that is not there.
  ConfigurationObject with_report(const ConfigurationObject& host) const;

private:
  std::map<std::string, door::HostView> hosts_;
};

/// Whether it is one of these: a file that was shown has them, and changes nothing by them.
bool is_only_shown(ObjectKind kind, std::string_view attribute);

} // namespace almanac
