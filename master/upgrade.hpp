// Brings a store of an earlier format to that of this version (design.md section 7, Upgrades).
#pragma once

#include "master/rocks_journal.hpp"

namespace almanac {

/// Checks that there is space, leaves a copy of the store as it was at PATH.format1, and changes
/// record after record; cut at any point, it goes on with the next call. Says how far it is in the
/// log. An error: nothing was changed.
Outcome upgrade(RocksJournal& journal);

} // namespace almanac
