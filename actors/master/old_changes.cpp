#include "actors/master/old_changes.hpp"

#include "core/planning/input.hpp"
#include "core/records/change_cursor.hpp"
#include "schema/codec.hpp"
#include "schema/store/changes.hpp"

#include <utility>

namespace almanac {

namespace {

std::string key_after(std::string_view key) { return std::string(key) + '\0'; }

} // namespace

OldChanges::Piece OldChanges::next(Instant now, std::size_t most) {
  Piece piece;
  piece.is_last = count(most);
  if (!piece.is_last || counted_ <= most_old_changes) return piece;
  std::int64_t removed_to = 0;
  archive_.scan_from(store::Family::changes, front_, [&](std::string_view key, std::string_view) {
    if (counted_ <= most_old_changes || !is_old(key, now)) return false;
    if (piece.writes.size() == most) {
      piece.is_last = false;
      return false;
    }
    piece.writes.push_back({store::Family::changes, std::string(key), std::nullopt});
    front_ = key_after(key), removed_to = store::key_number(key);
    --counted_;
    return true;
  });
  if (!piece.writes.empty())
    piece.writes.push_back(
        {store::Family::meta, store::changes_removed_key, std::to_string(removed_to)});
  return piece;
}

// Whether all rows are counted.
bool OldChanges::count(std::size_t most) {
  std::size_t looked_at = 0;
  bool is_all = true;
  archive_.scan_from(store::Family::changes, counted_to_,
                     [&](std::string_view key, std::string_view) {
                       if (looked_at++ == most) return is_all = false;
                       counted_to_ = key_after(key);
                       ++counted_;
                       return true;
                     });
  return is_all;
}

bool OldChanges::is_old(std::string_view key, Instant now) {
  const auto sequence = store::key_number(key);
  if (std::exchange(looked_up_, sequence) != sequence) {
    const auto value = archive_.get(store::Family::inputs, store::number_key(sequence));
    const auto input = value ? decode<JournaledInput>(*value) : Result<JournaledInput>(Error{});
    time_ = input ? std::optional(input->now) : std::nullopt;
  }
  return !time_ || *time_ + Duration{changes_kept_seconds} < now;
}

} // namespace almanac
