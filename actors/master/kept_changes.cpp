#include "actors/master/kept_changes.hpp"

#include "core/text/numbers.hpp"

namespace almanac {

KeptChanges::KeptChanges(const Archive& store, Term term, Sequence last)
    : store_(store),
      starts_(MasterStarts::parse(store.get(store::Family::meta, store::starts_key).value_or(""))),
      end_{term, last} {
  starts_.add(term, {last.value + 1});
}

bool KeptChanges::reach_back_to(const ChangeCursor& cursor) const {
  if (cursor.sequence > end_.sequence || !starts_.have(cursor)) return false;
  const auto mark = store_.get(store::Family::meta, store::changes_removed_key);
  const auto removed = parse_number(mark.value_or("0"));
  if (!removed) return false;
  return cursor.sequence.value > *removed ||
         (cursor.sequence.value == *removed && cursor.position == ChangeCursor::whole);
}

// Rows are removed while they are read: whether they were there is asked afterwards.
std::optional<KeptChanges::Piece> KeptChanges::behind(const ChangeCursor& cursor,
                                                      std::size_t most) const {
  Piece piece{{}, end_};
  store_.scan_from(store::Family::changes, store::key_behind(cursor),
                   [&](std::string_view key, std::string_view value) {
                     auto row = store::change_row(key, value);
                     if (!row) return true; // of a later version, perhaps
                     if (row->sequence > end_.sequence) return false;
                     if (piece.rows.size() == most) {
                       const auto& last = piece.rows.back();
                       piece.to = {end_.term, last.sequence, last.position};
                       return false;
                     }
                     piece.rows.push_back(std::move(*row));
                     return true;
                   });
  if (!reach_back_to(cursor)) return std::nullopt;
  return piece;
}

} // namespace almanac
