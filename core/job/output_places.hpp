// Where the output of a job goes: what -o and -e say, or its name in its directory (spec/cli.md
// section 9).
#pragma once

#include "core/job/job.hpp"
#include "core/job/task.hpp"

#include <string>
#include <string_view>

namespace almanac {

/// The entry of a list "[[host]:]path,…", as -S, -o and -e have them: that of the host, else the
/// first that is for any; "" if there is none.
std::string entry_for_host(const std::string& list, std::string_view host);

/// What stands for the pseudo variables of a path that the job does not know itself.
struct PathWords {
  std::string home, directory; ///< the user's home; where a path without a leading / begins
  std::string host, task;
};
/// A path with its pseudo variables replaced; "" stays. What gets longer than any path may be is cut
/// to one that nothing can be opened by.
std::string expanded_path(const std::string& path, const Job& job, const PathWords& words);

/// For who looks for the output; "" where there is none of that kind (-j y, interactive jobs). The
/// home is that of where the job was submitted, and -o may name a folder on the host.
struct OutputPlaces {
  std::string output, error;
};
/// Of any task, before one has its place: $TASK_ID and $HOSTNAME are said as such.
OutputPlaces output_places(const Job& job);
/// Of a task that has its place.
OutputPlaces output_places(const Job& job, const Task& task);

} // namespace almanac
