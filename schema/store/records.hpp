// The planner's records in the store: what each change writes, and how they are read back as far as
// they can be worked with.
//
// A job, reservation or series that can't be read, or is not valid, is set aside: one bad record must not
// keep the master from starting. It stays in the store, and almanac-admin takes it out. Whatever
// else can't be read is an error: without its configuration a cell has no meaning.
#pragma once

#include "core/planning/decisions.hpp"
#include "schema/store/keys.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac::store {

/// The key of the counters, in the family meta.
inline constexpr const char* counters_key = "counters";

/// What an effect writes.
Write write_of(const Effect& effect);
/// What the effects of a decision write, in their order.
std::vector<Write> writes_of(const Decisions& decisions);
/// What finds the accounting records of a job again. Not among the writes of the decision: those
/// are what the fingerprint is of.
Write index_of(const AccountingRecord& record);
/// A fingerprint of one decision, its answer and its writes: equal decisions have equal ones, and
/// none is 0.
std::uint64_t fingerprint(const Decisions& decisions, const std::vector<Write>& writes);
/// All records of a new store.
std::vector<Write> writes_of(const RecordSet& records);

/// Calls `visit(key, value)` for each entry of a family in the order of keys.
using Scan = std::function<void(
    Family, const std::function<void(std::string_view key, std::string_view value)>&)>;

struct SetAside {
  Family family = Family::jobs; ///< jobs, reservations or series
  std::int64_t key = 0;
  std::int64_t number = 0; ///< as users see it; 0: not known
  std::string why;
};

struct StoredRecords {
  RecordSet records;
  std::vector<SetAside> set_aside;
};
/// Reads the records back; the error names the family and what is wrong.
Result<StoredRecords> read_stored(const Scan& scan);
/// Without what is set aside.
Result<RecordSet> read_records(const Scan& scan);

} // namespace almanac::store
