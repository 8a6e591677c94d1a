// A copy of all records, under the sequence number of the last input that they contain.
//
// Its entries lie in one family: the name of the record's family, '/', and the record's key.
#pragma once

#include "schema/store/records.hpp"

#include <vector>

namespace almanac::store {

std::vector<Write> checkpoint_writes(const RecordSet& records, std::int64_t sequence);

struct Checkpoint {
  std::int64_t sequence = 0;
  RecordSet records;
};
Result<Checkpoint> read_checkpoint(const Scan& scan);

/// Where its sequence number lies, as number_key() writes it.
inline constexpr const char* checkpoint_sequence_key = "sequence";

} // namespace almanac::store
