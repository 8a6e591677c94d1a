#include "actors/master/upkeep.hpp"

#include "actors/master/accounting_frames.hpp"
#include "actors/master/last_record.hpp"
#include "core/planning/input.hpp"
#include "core/text/numbers.hpp"
#include "schema/codec.hpp"
#include "schema/store/spans.hpp"

#include <algorithm>

namespace almanac {

namespace {

using store::Family;

// In meta: the first record that is not indexed, or that all are.
const std::string indexed_mark = "accounting_indexed", all_indexed = "all";

std::string behind(std::string_view key) { return std::string(key) + '\0'; }

// What is kept, as far as its removal is concerned.
struct Past {
  Instant time;
  std::optional<store::Write> index; ///< the entry that finds it
};
std::optional<Past> past_of(Family family, std::string_view key, std::string_view value) {
  if (family == Family::usage) // what goes on is no past
    return store::is_open_span(key) ? std::nullopt
                                    : std::optional(Past{store::end_of_span(key), std::nullopt});
  if (family == Family::inputs) {
    const auto input = decode<JournaledInput>(value);
    return input ? std::optional(Past{input->now, std::nullopt}) : std::nullopt;
  }
  if (family == Family::reports) {
    const auto report = decode<ReportingRecord>(value);
    return report ? std::optional(Past{report->at, std::nullopt}) : std::nullopt;
  }
  const auto record = decode<AccountingRecord>(value);
  return record ? std::optional(Past{record->ended, store::index_of(*record)}) : std::nullopt;
}

} // namespace

Upkeep::Upkeep(const Archive& archive) : archive_(archive), changes_(archive) {
  const auto mark = archive.get(Family::meta, indexed_mark).value_or("0");
  is_indexed_ = mark == all_indexed;
  const auto number = parse_number(mark);
  indexed_to_ = store::number_key(number ? *number : 0); // one that can't be read: it begins anew
  if (const auto record = last_record<AccountingRecord>(archive, Family::accounting))
    index_end_ = behind(store::number_key(record->sequence));
}

void Upkeep::follow(const Retentions& retentions) {
  const auto set = [](Kept& kept, const Retention& retention) {
    kept.retention = retention;
    kept.counted_to.clear(), kept.bytes = 0;
  };
  set(accounting_, retentions.accounting);
  set(reports_, retentions.reports);
  set(spans_, retentions.accounting);
  set(inputs_, retentions.inputs);
}

Upkeep::Piece Upkeep::next(Instant now) {
  Piece piece;
  if (!is_indexed_) {
    index(piece);
    return piece;
  }
  const auto is_something = [&] { return !piece.is_last || !piece.writes.empty(); };
  if (copy_) go_on_with_checkpoint(piece);
  for (auto* kept : {&accounting_, &reports_, &spans_, &inputs_})
    if (!is_something()) remove(*kept, now, piece);
  if (!is_something()) {
    auto old = changes_.next(now, most_in_a_piece);
    piece.writes = std::move(old.writes), piece.is_last = old.is_last;
  }
  if (!is_something()) renew_checkpoint(now, piece);
  return piece;
}

void Upkeep::begin_checkpoint(std::shared_ptr<const Archive> snapshot, Sequence sequence,
                              Instant now) {
  copy_.emplace(std::move(snapshot), sequence, now);
  is_wanted_ = false;
}

void Upkeep::go_on_with_checkpoint(Piece& piece) {
  piece.writes = copy_->next(most_in_a_piece), piece.is_last = false;
  if (copy_->is_over()) copy_.reset();
}

// One that is not needed any more loses its end first: the rest is left over, as after a crash.
void Upkeep::renew_checkpoint(Instant now, Piece& piece) {
  for (auto& key : left_overs(archive_, most_in_a_piece))
    piece.writes.push_back({Family::checkpoint, std::move(key), std::nullopt});
  if (!piece.writes.empty()) return;
  const auto& retention = inputs_.retention;
  const auto serves = [&](const CheckpointMark& mark) {
    return !retention.keeps(mark.made, inputs_.bytes, now);
  };
  const auto made = checkpoints_in(archive_);
  if (made.size() > 1 && serves(made[1]))
    piece.writes.push_back(
        {Family::checkpoint, store::number_key(made.front().sequence.value), std::nullopt});
  else if (!is_wanted_ && !made.empty() && serves(made.back()))
    piece.wants_checkpoint = is_wanted_ = true;
}

void Upkeep::index(Piece& piece) {
  is_indexed_ = true, piece.is_last = false;
  archive_.scan_from(Family::accounting, indexed_to_,
                     [&](std::string_view key, std::string_view value) {
                       if (key >= index_end_) return false;
                       if (piece.writes.size() == most_in_a_piece) {
                         indexed_to_ = key, is_indexed_ = false;
                         return false;
                       }
                       if (const auto record = decode<AccountingRecord>(value))
                         piece.writes.push_back(store::index_of(*record));
                       return true;
                     });
  piece.writes.push_back(
      {Family::meta, indexed_mark,
       is_indexed_ ? all_indexed : std::to_string(store::key_number(indexed_to_))});
}

// All that is kept has to be known before the oldest can be too much.
void Upkeep::count(Kept& kept, Piece& piece) const {
  std::size_t counted = 0;
  archive_.scan_from(kept.family, kept.counted_to,
                     [&](std::string_view key, std::string_view value) {
                       if (counted++ == most_in_a_piece) {
                         piece.is_last = false;
                         return false;
                       }
                       kept.bytes += static_cast<std::int64_t>(key.size() + value.size());
                       kept.counted_to = behind(key);
                       return true;
                     });
}

void Upkeep::remove(Kept& kept, Instant now, Piece& piece) {
  if (kept.retention.megabytes > 0) count(kept, piece);
  if (!piece.is_last) return;
  const auto end = kept.family == Family::inputs ? first_input_to_stay() : std::string();
  std::optional<Instant> since;
  std::size_t removed = 0;
  archive_.scan_from(kept.family, kept.front, [&](std::string_view key, std::string_view value) {
    if (!end.empty() && key >= end) return false;
    const auto past = past_of(kept.family, key, value);
    if (!past) return true; // it stays, and is in nobody's way
    if (kept.retention.keeps(past->time, kept.bytes, now)) return false;
    if (removed++ == most_in_a_piece) {
      piece.is_last = false;
      return false;
    }
    if (kept.retention.megabytes > 0)
      kept.bytes -= static_cast<std::int64_t>(key.size() + value.size());
    piece.writes.push_back({kept.family, std::string(key), std::nullopt});
    if (past->index) piece.writes.push_back({past->index->family, past->index->key, std::nullopt});
    since = std::max(since.value_or(past->time), past->time);
    kept.front = behind(key);
    return true;
  });
  if (since) note_removal(kept.family, *since, piece);
}

// Since when all of it is known. What ended earlier may have been reported later.
void Upkeep::note_removal(Family family, Instant since, Piece& piece) const {
  const auto* key = family == Family::accounting ? accounting_since_key
                    : family == Family::usage    ? store::usage_since_key
                                                 : nullptr;
  if (!key) return;
  const auto before = parse_number(archive_.get(Family::meta, key).value_or("0"));
  if (before && *before > since.seconds) return;
  piece.writes.push_back({Family::meta, key, std::to_string(since.seconds)});
}

// An input can be decided again only from a checkpoint before it; the last one tells time and number.
std::string Upkeep::first_input_to_stay() const {
  const auto checkpoints = checkpoints_in(archive_);
  const auto newest = last_record<JournaledInput>(archive_, Family::inputs);
  if (checkpoints.empty() || !newest) return store::number_key(0);
  return store::number_key(
      std::min(checkpoints.front().sequence.value + 1, newest->sequence.value));
}

} // namespace almanac
