// How the planner's records lie in the store: families of keys, and what each change writes.
//
// Keys are big-endian numbers or names, so that a scan meets them in their natural order.
#pragma once

#include "core/planning/decisions.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac::store {

/// The number of the format; a store of a newer one is refused (design.md section 7, Upgrades).
inline constexpr std::int64_t format = 2;

enum class Family : std::uint8_t {
  meta,
  inputs,
  objects,
  hosts,
  instances,
  jobs,
  reservations,
  accounting,
  answers,
  scripts,
  checkpoint,
  letters,     ///< that have not been sent
  keys,        ///< of hosts
  tasks,       ///< by job and number
  transactions ///< of reservations, that were settled
};
inline constexpr std::array family_names{"meta",      "inputs",  "objects",      "hosts",
                                         "instances", "jobs",    "reservations", "accounting",
                                         "answers",   "scripts", "checkpoint",   "letters",
                                         "keys",      "tasks",   "transactions"};

struct Write {
  Family family = Family::meta;
  std::string key;
  std::optional<std::string> value; ///< nothing: the key is removed
};

/// Eight bytes that sort like the number; numbers are not negative.
std::string number_key(std::int64_t number);
std::int64_t key_number(std::string_view key);
/// Of the family of tasks: a scan meets the tasks of a job one after the other.
std::string task_key(const TaskId& id);
TaskId key_task(std::string_view key);
/// Of the family of transactions: number and name.
std::string transaction_key(const TransactionKey& key);
TransactionKey key_transaction(std::string_view key);
/// Of the family of objects: a letter for the kind, then the name.
std::string object_key(ObjectKind kind, const std::string& name);
std::pair<ObjectKind, std::string> key_object(std::string_view key);

/// What an effect writes.
Write write_of(const Effect& effect);
/// What the effects of a decision write, in their order.
std::vector<Write> writes_of(const Decisions& decisions);
/// A fingerprint of one decision, its answer and its writes: equal decisions have equal ones, and
/// none is 0.
std::uint64_t fingerprint(const Decisions& decisions, const std::vector<Write>& writes);
/// All records of a new store.
std::vector<Write> writes_of(const RecordSet& records);

/// Calls `visit(key, value)` for each entry of a family in the order of keys.
using Scan = std::function<void(
    Family, const std::function<void(std::string_view key, std::string_view value)>&)>;

/// Reads the records back; the error names the family and what is wrong.
Result<RecordSet> read_records(const Scan& scan);

/// A checkpoint is a copy of all records under the sequence number of the last input they contain.
/// Its entries lie in one family: the name of the record's family, '/', and the record's key.
std::vector<Write> checkpoint_writes(const RecordSet& records, Sequence sequence);
struct Checkpoint {
  Sequence sequence;
  RecordSet records;
};
Result<Checkpoint> read_checkpoint(const Scan& scan);
/// Where its sequence number lies, as number_key() writes it.
inline constexpr const char* checkpoint_sequence_key = "sequence";

} // namespace almanac::store
