#include "schema/store/checkpoint.hpp"

#include <map>
#include <utility>

namespace almanac::store {

std::vector<Write> checkpoint_writes(const RecordSet& records, std::int64_t sequence) {
  std::vector<Write> writes;
  for (auto& write : writes_of(records)) {
    const auto key = name_of(write.family) + ("/" + write.key);
    writes.push_back({Family::checkpoint, key, std::move(write.value)});
  }
  writes.push_back({Family::checkpoint, checkpoint_sequence_key, number_key(sequence)});
  return writes;
}

Result<Checkpoint> read_checkpoint(const Scan& scan) {
  Checkpoint checkpoint;
  bool found = false;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> families;
  scan(Family::checkpoint, [&](std::string_view key, std::string_view value) {
    if (key == checkpoint_sequence_key) {
      checkpoint.sequence = key_number(value);
      found = true;
      return;
    }
    const auto slash = key.find('/');
    families[std::string(key.substr(0, slash))].emplace_back(key.substr(slash + 1), value);
  });
  if (!found) return Error{"the store has no checkpoint"};
  auto records = read_records([&](Family family, const auto& visit) {
    for (const auto& [key, value] : families[name_of(family)]) visit(key, value);
  });
  if (!records) return records.error();
  checkpoint.records = std::move(*records);
  return checkpoint;
}

} // namespace almanac::store
