#include "actors/master/next_commit.hpp"

#include "core/planning/planner.hpp"
#include "schema/codec.hpp"
#include "schema/store/records.hpp"
#include "schema/store/spans.hpp"

#include <iterator>
#include <utility>

namespace almanac {

namespace {

using store::Family;

constexpr Duration between_cleanings{600};

} // namespace

void NextCommit::write(Family family, std::string key, std::optional<std::string> value) {
  writes_.push_back({family, std::move(key), std::move(value)});
}

void NextCommit::begin(const std::vector<Effect>& records, const Archive& store, Term term) {
  auto starts = MasterStarts::parse(store.get(Family::meta, store::starts_key).value_or(""));
  starts.add(term, {last_sequence_.value + 1});
  write(Family::meta, store::starts_key, starts.text());
  for (const auto& effect : records)
    if (const auto* job = std::get_if<JobPtr>(&effect)) scripts_.note(**job);
  store.scan(Family::scripts, [this](std::string_view hash, std::string_view) {
    if (!scripts_.has(std::string(hash))) write(Family::scripts, std::string(hash), std::nullopt);
  });
}

void NextCommit::add(ValidInput input, Instant at, const Decisions& decisions,
                     const std::vector<store::ChangeRow>& changes) {
  const Sequence sequence{++last_sequence_.value};
  auto changed = store::writes_of(decisions);
  write(Family::inputs, store::number_key(sequence.value),
        encode(JournaledInput{sequence, at, Planner::version, *std::move(input),
                              store::fingerprint(decisions, changed)}));
  writes_.insert(writes_.end(), std::make_move_iterator(changed.begin()),
                 std::make_move_iterator(changed.end()));
  for (const auto& effect : decisions.effects) follow(effect);
  for (const auto& row : changes) writes_.push_back(store::write_of(row));
}

void NextCommit::follow(const Effect& effect) {
  if (const auto* record = std::get_if<AccountingRecord>(&effect)) {
    writes_.push_back(store::index_of(*record));
    for (auto& span : store::spans_of(*record)) writes_.push_back(std::move(span));
  } else if (const auto* job = std::get_if<JobPtr>(&effect)) scripts_.note(**job);
  else if (const auto* gone = std::get_if<Erased<Job>>(&effect))
    if (auto hash = scripts_.forget(gone->key))
      write(Family::scripts, std::move(*hash), std::nullopt);
}

void NextCommit::add_script(const std::string& hash, const std::string& content) {
  if (scripts_.has(hash)) write(Family::scripts, hash, content);
}

void NextCommit::keep_answer(const std::string& key, KeptAnswer kept) {
  write(Family::answers, key, encode_answer(kept));
  for (auto& dropped : answers_.keep(key, std::move(kept)))
    write(Family::answers, std::move(dropped), std::nullopt);
}

void NextCommit::forget_old_answers(Instant now) {
  if (now < next_cleaning_) return;
  next_cleaning_ = now + between_cleanings;
  for (auto& key : answers_.forget_old(now)) write(Family::answers, std::move(key), std::nullopt);
}

std::shared_ptr<const std::vector<store::Write>> NextCommit::take() {
  return std::make_shared<const std::vector<store::Write>>(std::exchange(writes_, {}));
}

} // namespace almanac
