// Changes of resource quota sets on their way to the master.
#pragma once

#include "core/configuration/change.hpp"
#include "tools/commands/context.hpp"

#include <string>
#include <vector>

namespace almanac {

/// Where sets were written: what is said of their rules names the line there. Without a path: nowhere.
struct WrittenSets {
  std::string path, text;
};

/// Makes all changes or, where one is refused or they are more than a request holds, none; prints the
/// answer. The exit code.
int change_quota_sets(Context& context, const std::vector<ConfigurationChange>& changes,
                      const WrittenSets& written = {});

} // namespace almanac
