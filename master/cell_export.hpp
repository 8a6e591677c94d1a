// A cell as one JSON text, and back into an empty store: to move it to another machine, another disk, another
// format of the store.
//
// It holds the configuration, what is known of hosts and queue instances, reservations, jobs with their
// tasks and scripts, and the counters of numbers. It does not hold what was (journal, accounting, usage),
// letters and hooks that wait, and the keys of hosts: those belong to the cell's authority.
#pragma once

#include "actors/ports/journal.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct CellExport {
  std::string text;                  ///< JSON, indented
  std::vector<std::string> left_out; ///< sentences: what of the store cannot be read
  std::size_t reservations = 0, jobs = 0;
};
Result<CellExport> export_cell(const Journal& journal);

struct CellImport {
  std::size_t reservations = 0, jobs = 0;
};
/// All of the text or nothing: whatever is wrong in it is an error that names it. The store must be as
/// almanac-admin init makes it.
Result<CellImport> import_cell(Journal& journal, Term term, std::string_view text);

} // namespace almanac
