#include "master/replay.hpp"

#include "actors/master/checkpoints.hpp"
#include "actors/master/last_record.hpp"
#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"
#include "schema/store/checkpoint.hpp"

namespace almanac {

store::Scan scan_of(const Journal& journal) {
  return [&journal](store::Family family, const auto& visit) { journal.scan(family, visit); };
}

LastInput last_input(const Journal& journal) {
  const auto input = last_record<JournaledInput>(journal, store::Family::inputs);
  return input ? LastInput{input->sequence, input->now, input->version} : LastInput();
}

Outcome renew_checkpoint(Journal& journal, Term term, std::int64_t inputs_kept) {
  const auto newest = last_input(journal);
  const auto last = newest.sequence;
  const auto checkpoints = checkpoints_in(journal);
  if (!checkpoints.empty() && last.value - checkpoints.back().sequence.value <= inputs_kept &&
      newest.version == Planner::version)
    return Done{};
  auto records = store::read_records(scan_of(journal));
  if (!records) return records.error();
  std::vector<store::Write> writes;
  journal.scan(store::Family::checkpoint, [&](std::string_view key, std::string_view) {
    writes.push_back({store::Family::checkpoint, std::string(key), std::nullopt});
  });
  // The last input stays: it tells number and time.
  journal.scan(store::Family::inputs, [&](std::string_view key, std::string_view) {
    if (store::key_number(key) < last.value)
      writes.push_back({store::Family::inputs, std::string(key), std::nullopt});
  });
  for (auto& write : store::checkpoint_writes(*records, last, newest.now))
    writes.push_back(std::move(write));
  if (journal.commit(writes, term) != Commit::durable)
    return Error{"the new checkpoint can't be written"};
  return Done{};
}

namespace {

// Decides one input again; the error says how it differs from what was recorded.
Outcome decide_again(Replay& replay, const JournaledInput& input, Instant from) {
  const auto named = "input " + to_string(input.sequence);
  if (input.version != Planner::version)
    return Error{named + " was decided by version " + std::to_string(input.version) +
                 " of the rules"};
  if (const auto* restarted = std::get_if<Restarted>(&input.input);
      restarted && restarted->digest != replay.planner.digest())
    return Error{"at the restart of term " + to_string(restarted->term) +
                 " the replay differs from what was stored"};
  const auto checked = validated_input(input.input);
  if (const auto* refusal = std::get_if<Answer>(&checked))
    return Error{named + " is not valid: " + gridengine::first_line_of(*refusal)};
  const auto decisions = replay.planner.handle(std::get<ValidInput>(checked), input.now);
  if (replay.inputs++ == 0) replay.first = input.now;
  replay.last = input.now;
  if (input.decision == 0 || input.now < from) return Done{};
  ++replay.compared;
  if (store::fingerprint(decisions, store::writes_of(decisions)) != input.decision)
    return Error{named + " at " + std::to_string(input.now.seconds) +
                 " is decided otherwise than it was recorded"};
  return Done{};
}

// The latest one that was made before, or the oldest.
std::optional<Sequence> checkpoint_before(const Journal& journal, Instant time) {
  std::optional<Sequence> found;
  for (const auto& one : checkpoints_in(journal))
    if (!found || one.made <= time) found = one.sequence;
  return found;
}

} // namespace

Result<Replay> replay(const Journal& journal, Instant from, Instant to) {
  auto checkpoint = store::read_checkpoint(scan_of(journal), checkpoint_before(journal, from));
  if (!checkpoint) return checkpoint.error();
  auto planner = Planner::restore(std::move(checkpoint->records));
  if (!planner) return planner.error();
  Replay result{std::move(*planner), {}, {}, 0, 0, 0};
  Outcome outcome = Done{};
  journal.scan(store::Family::inputs, [&](std::string_view, std::string_view value) {
    if (!outcome) return;
    auto input = decode<JournaledInput>(value);
    if (!input) outcome = input.error();
    else if (input->sequence > checkpoint->sequence && input->now <= to) {
      result.bytes += value.size();
      outcome = decide_again(result, *input, from);
    }
  });
  if (!outcome) return outcome.error();
  if (!to.is_never()) return result;
  auto records = store::read_records(scan_of(journal));
  if (!records) return records.error();
  auto stored = Planner::restore(std::move(*records));
  if (!stored) return stored.error();
  if (stored->digest() != result.planner.digest())
    return Error{"the replay ends in another state than the records"};
  return result;
}

} // namespace almanac
