// What is done to the store beside the work: what is over long enough is removed, checkpoints are
// made so that inputs can be removed, and the index of the accounting records is completed after an
// upgrade.
//
// 1. Inputs are kept from the oldest checkpoint on: each of them can be decided again.
// 2. A new checkpoint is wanted when the newest is older than inputs are kept, or when inputs take
//    more than they may. The oldest goes when the next one serves as well.
//
// A piece at a time, so that commits come in between. Threads: the archive's.
#pragma once

#include "actors/master/checkpoints.hpp"
#include "actors/master/old_changes.hpp"
#include "actors/ports/archive.hpp"
#include "core/configuration/objects/retention.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

class Upkeep {
public:
  static constexpr std::size_t most_in_a_piece = 1'000; ///< records

  /// Records that come later are indexed as they are written.
  explicit Upkeep(const Archive& archive);

  void follow(const Retentions& retentions);
  /// Whether each record that is kept can be found by the number of its job.
  bool is_indexed() const { return is_indexed_; }

  struct Piece {
    std::vector<store::Write> writes; ///< to be committed before the next piece
    bool is_last = true;              ///< there is nothing to be done until time goes on
    bool wants_checkpoint = false;    ///< begin_checkpoint is to be called, once for all pieces
  };
  Piece next(Instant now);
  /// `snapshot`: of the store as it was behind the input with this number.
  void begin_checkpoint(std::shared_ptr<const Archive> snapshot, Sequence sequence, Instant now);

private:
  // One family, from its oldest record on.
  struct Kept {
    store::Family family;
    Retention retention;
    std::string front, counted_to; ///< keys: the oldest that may be there, the first uncounted one
    std::int64_t bytes = 0;        ///< of what is counted
  };

  void index(Piece& piece);
  void go_on_with_checkpoint(Piece& piece);
  void renew_checkpoint(Instant now, Piece& piece);
  void count(Kept& kept, Piece& piece) const;
  void remove(Kept& kept, Instant now, Piece& piece);
  void note_removal(store::Family family, Instant since, Piece& piece) const;

  std::string first_input_to_stay() const;

  const Archive& archive_;
  Kept accounting_{store::Family::accounting, {}, {}, {}, 0};
  Kept reports_{store::Family::reports, {}, {}, {}, 0};
  Kept spans_{store::Family::usage, {}, {}, {}, 0};
  Kept inputs_{store::Family::inputs, {}, {}, {}, 0};
  OldChanges changes_;
  std::string indexed_to_,
      index_end_; ///< keys: the first that is not indexed, the first that need not be
  bool is_indexed_ = false;
  std::optional<CheckpointCopy> copy_; ///< the checkpoint that is being made
  bool is_wanted_ = false;             ///< somebody was asked to begin it
};

} // namespace almanac
