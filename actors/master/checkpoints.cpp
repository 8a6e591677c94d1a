#include "actors/master/checkpoints.hpp"

#include "core/text/numbers.hpp"

#include <optional>

namespace almanac {

namespace {

using store::Family;

const std::size_t length_of_number = store::number_key(0).size();

// The number of the first checkpoint from this one on, and its end where it is whole. Its end comes
// first among its keys.
struct First {
  Sequence sequence;
  std::optional<Instant> made;
};
std::optional<First> first_from(const Archive& archive, Sequence sequence) {
  std::optional<First> first;
  archive.scan_from(Family::checkpoint, store::number_key(sequence.value),
                    [&](std::string_view key, std::string_view value) {
                      if (key.front() != '\0') return false; // as earlier versions wrote it
                      first = {{store::key_number(key)}, std::nullopt};
                      const auto made = parse_number(value);
                      if (key.size() == length_of_number) first->made = Instant{made ? *made : 0};
                      return false;
                    });
  return first;
}

Sequence behind(const First& first) { return {first.sequence.value + 1}; }

} // namespace

std::vector<CheckpointMark> checkpoints_in(const Archive& archive) {
  std::vector<CheckpointMark> marks;
  for (auto first = first_from(archive, {}); first; first = first_from(archive, behind(*first)))
    if (first->made) marks.push_back({first->sequence, *first->made});
  return marks;
}

std::vector<std::string> left_overs(const Archive& archive, std::size_t most) {
  std::vector<std::string> keys;
  for (auto first = first_from(archive, {}); first && keys.size() < most;
       first = first_from(archive, behind(*first))) {
    if (first->made) continue;
    const auto prefix = store::number_key(first->sequence.value);
    archive.scan_from(Family::checkpoint, prefix, [&](std::string_view key, std::string_view) {
      if (!key.starts_with(prefix) || keys.size() == most) return false;
      keys.emplace_back(key);
      return true;
    });
  }
  return keys;
}

std::vector<store::Write> CheckpointCopy::next(std::size_t most) {
  std::vector<store::Write> writes;
  while (writes.size() < most && family_ < store::checkpoint_families.size()) {
    const auto family = store::checkpoint_families.at(family_);
    bool is_whole = true;
    snapshot_->scan_from(family, from_, [&](std::string_view key, std::string_view value) {
      if (writes.size() == most) {
        from_ = key, is_whole = false;
        return false;
      }
      writes.push_back(
          {Family::checkpoint, store::checkpoint_key(sequence_, family, key), std::string(value)});
      return true;
    });
    if (is_whole) ++family_, from_.clear();
  }
  if (family_ < store::checkpoint_families.size()) return writes;
  if (auto counters = snapshot_->get(Family::meta, store::counters_key))
    writes.push_back({Family::checkpoint,
                      store::checkpoint_key(sequence_, Family::meta, store::counters_key),
                      std::move(*counters)});
  writes.push_back(store::checkpoint_end(sequence_, made_));
  is_over_ = true;
  return writes;
}

} // namespace almanac
