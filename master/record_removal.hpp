// Taking one job, reservation or series out of a store that no master works with: the way out when a record
// keeps the cell from working, valid or not.
#pragma once

#include "actors/ports/journal.hpp"

#include <cstdint>
#include <string>

namespace almanac {

enum class RecordName { number, key }; ///< as users see it; as the log names what was set aside

/// Removes it with all that refers to it: jobs no longer wait for a removed job. Accounting hears
/// nothing of it, and a task of it that runs is ended by its host. Since no input tells of the
/// removal, the journal begins anew with a checkpoint. The sentence says what was removed.
Result<std::string> remove_record(Journal& journal, Term term, store::Family family,
                                  RecordName name, std::int64_t value);

} // namespace almanac
