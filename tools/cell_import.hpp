// almanac-admin import-gridengine: the objects of a Grid Engine cell become those of a living one.
#pragma once

#include <string>
#include <vector>

namespace almanac {

struct CellImport {
  std::string directory; ///< the cell's; its master runs
  std::string from;      ///< $SGE_ROOT/$SGE_CELL, a spool, or what save_sge_config.sh made
  bool only_tries = false;
  bool takes_part = false; ///< what is refused is left out, the rest is made
};

/// Prints what it did, or all reasons why not; the exit code.
int import_gridengine(const CellImport& wanted);

} // namespace almanac
