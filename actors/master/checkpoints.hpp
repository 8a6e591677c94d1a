// The checkpoints in a store: copies of all records, from each of which its inputs can be decided
// again (schema/store/checkpoint.hpp).
#pragma once

#include "actors/ports/archive.hpp"
#include "schema/store/checkpoint.hpp"

#include <memory>
#include <string>
#include <vector>

namespace almanac {

struct CheckpointMark {
  Sequence sequence; ///< of the last input in it
  Instant made;
};

/// Those that are whole, oldest first.
std::vector<CheckpointMark> checkpoints_in(const Archive& archive);

/// Of copies that are not whole: at most so many keys.
std::vector<std::string> left_overs(const Archive& archive, std::size_t most);

/// Makes a checkpoint of a snapshot, a piece at a time.
class CheckpointCopy {
public:
  /// `sequence`: of the last input that the snapshot has.
  CheckpointCopy(std::shared_ptr<const Archive> snapshot, Sequence sequence, Instant made)
      : snapshot_(std::move(snapshot)), sequence_(sequence), made_(made) {}

  /// At most so many writes; with the last ones the checkpoint is whole.
  std::vector<store::Write> next(std::size_t most);
  bool is_over() const { return is_over_; }
  Sequence sequence() const { return sequence_; }

private:
  std::shared_ptr<const Archive> snapshot_;
  Sequence sequence_;
  Instant made_;
  std::size_t family_ = 0; ///< of store::checkpoint_families
  std::string from_;
  bool is_over_ = false;
};

} // namespace almanac
