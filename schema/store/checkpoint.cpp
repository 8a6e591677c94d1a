#include "schema/store/checkpoint.hpp"

#include <map>
#include <utility>

namespace almanac::store {

std::string checkpoint_key(Sequence sequence, Family family, std::string_view key) {
  return number_key(sequence.value) + name_of(family) + '/' + std::string(key);
}

Write checkpoint_end(Sequence sequence, Instant made) {
  return {Family::checkpoint, number_key(sequence.value), std::to_string(made.seconds)};
}

std::vector<Write> checkpoint_writes(const RecordSet& records, Sequence sequence, Instant made) {
  std::vector<Write> writes;
  for (auto& write : writes_of(records))
    writes.push_back({Family::checkpoint, checkpoint_key(sequence, write.family, write.key),
                      std::move(write.value)});
  writes.push_back(checkpoint_end(sequence, made));
  return writes;
}

namespace {

// As earlier versions wrote it: the only one, and its entries have no number.
std::optional<Sequence> unnumbered(const std::map<std::string, std::string>& entries) {
  const auto sequence = entries.find("sequence");
  return sequence == entries.end() ? std::nullopt
                                   : std::optional(Sequence{key_number(sequence->second)});
}

std::optional<Sequence> oldest_whole(const std::map<std::string, std::string>& entries) {
  for (const auto& [key, value] : entries)
    if (key.size() == number_key(0).size() && key.front() == '\0') return Sequence{key_number(key)};
  return std::nullopt;
}

} // namespace

Result<Checkpoint> read_checkpoint(const Scan& scan, std::optional<Sequence> sequence) {
  std::map<std::string, std::string> entries;
  scan(Family::checkpoint,
       [&](std::string_view key, std::string_view value) { entries.emplace(key, value); });
  Checkpoint checkpoint;
  std::string prefix;
  if (!sequence) sequence = oldest_whole(entries);
  if (sequence) checkpoint.sequence = *sequence, prefix = number_key(sequence->value);
  else if (const auto only = unnumbered(entries)) checkpoint.sequence = *only;
  else return Error{"the store has no checkpoint"};
  auto records = read_records([&](Family family, const auto& visit) {
    const auto begin = prefix + name_of(family) + '/';
    for (auto it = entries.lower_bound(begin); it != entries.end() && it->first.starts_with(begin);
         ++it)
      visit(std::string_view(it->first).substr(begin.size()), it->second);
  });
  if (!records) return records.error();
  checkpoint.records = std::move(*records);
  return checkpoint;
}

} // namespace almanac::store
