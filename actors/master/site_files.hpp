// Looks at the files of the site that the planner goes by
// (core/configuration/objects/site_file.hpp), and tells the calendar of each new text.
#pragma once

#include "actors/ports/common_files.hpp"
#include "actors/support.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace almanac {

struct SiteFilesSetup {
  /// For each file what finds it, and nothing else.
  std::map<std::string, CommonFileSource*> sources;
  /// The texts that were told last; "": that there is no file. None: whatever is there is told.
  std::map<std::string, std::optional<std::string>> known;
  /// Those of which a text is in force, perhaps an older one than that which is there.
  std::set<std::string> in_force;
  DirectoryActor directory;
  CalendarActor calendar;
};

SiteFilesActor spawn_site_files(caf::actor_system& system, SiteFilesSetup setup, Thread thread);

} // namespace almanac
