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

/// Makes all changes or, where one is refused, none; prints the answer. The exit code.
///
/// What is more than a request can hold goes in several: all of them are tried before the first is made.
/// Only what happens meanwhile can still stop them half way; then that is said.
int change_quota_sets(Context& context, std::vector<ConfigurationChange> changes,
                      const WrittenSets& written = {});

} // namespace almanac
