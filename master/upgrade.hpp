// Brings a store of an earlier format to that of this version (design.md section 7, Upgrades).
#pragma once

#include "master/rocks_journal.hpp"

namespace almanac {

/// Before anything is written: checks that there is space, and leaves a copy of the store as it was
/// at PATH.format1, which its own version can open. Cut at any point, the next call begins anew. An
/// error: nothing was changed.
Outcome prepare_upgrade(RocksJournal& journal);

/// Changes record after record; cut at any point, it goes on with the next call. Says how far it is
/// in the log.
Outcome upgrade(RocksJournal& journal);

} // namespace almanac
