// A copy of all records, under the sequence number of the last input that they contain.
//
// Its entries lie in one family. Their keys begin with that number; then come the name of the
// record's family, '/', and the record's key. The entry with nothing behind the number is written
// last, and says when the checkpoint was made: without it there is none.
#pragma once

#include "schema/store/records.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac::store {

/// The families that it has a copy of; of meta, the counters alone.
inline constexpr std::array checkpoint_families{
    Family::objects,
#define KIND(type, table, family) Family::table,
#include "core/records/kinds.def"
#undef KIND
};

std::string checkpoint_key(Sequence sequence, Family family, std::string_view key);
/// What makes it whole.
Write checkpoint_end(Sequence sequence, Instant made);
std::vector<Write> checkpoint_writes(const RecordSet& records, Sequence sequence,
                                     Instant made = {});

struct Checkpoint {
  Sequence sequence;
  RecordSet records;
};
/// The one with this number, or the oldest that is whole.
Result<Checkpoint> read_checkpoint(const Scan& scan,
                                   std::optional<Sequence> sequence = std::nullopt);

} // namespace almanac::store
