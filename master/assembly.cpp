#include "master/assembly.hpp"

#include "actors/master/calendar.hpp"
#include "actors/directory.hpp"
#include "actors/master/gate.hpp"
#include "actors/master/postman.hpp"
#include "actors/session/session.hpp"
#include "actors/master/views.hpp"
#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"
#include "schema/stored_records.hpp"

#include <spdlog/spdlog.h>

namespace almanac {

namespace {

store::Scan scan_of(const Journal& journal) {
  return [&journal](store::Family family, const auto& visit) { journal.scan(family, visit); };
}

KeptAnswers kept_answers(const Journal& journal) {
  std::map<std::string, KeptAnswer> answers;
  journal.scan(store::Family::answers, [&](std::string_view key, std::string_view value) {
    if (auto kept = decode_answer(value)) answers.emplace(key, std::move(*kept));
  });
  return KeptAnswers(std::move(answers));
}

} // namespace

LastInput last_input(const Journal& journal) {
  const auto latest = journal.last(store::Family::inputs);
  if (!latest) return {};
  const auto input = decode<JournaledInput>(*latest);
  return input ? LastInput{input->sequence, input->now, input->version} : LastInput();
}

Outcome renew_checkpoint(Journal& journal, Term term, std::int64_t inputs_kept) {
  const auto newest = last_input(journal);
  const auto last = newest.sequence;
  const auto checkpoint = journal.get(store::Family::checkpoint, store::checkpoint_sequence_key);
  const auto since = last.value - (checkpoint ? store::key_number(*checkpoint) : 0);
  if (since <= inputs_kept && newest.version == Planner::version) return Done{};
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
  for (auto& write : store::checkpoint_writes(*records, last)) writes.push_back(std::move(write));
  if (journal.commit(writes, term) != Commit::durable)
    return Error{"the new checkpoint can't be written"};
  return Done{};
}

Result<Master> assemble_master(caf::actor_system& system, const MasterPorts& ports) {
  auto stored = store::read_stored(scan_of(*ports.journal));
  if (!stored) return stored.error();
  for (const auto& one : stored->set_aside)
    spdlog::error("{} {} (record {}) is set aside: {}. It stays in the store until almanac-admin "
                  "remove-record takes it out",
                  one.family == store::Family::jobs ? "job" : "reservation",
                  one.number > 0 ? std::to_string(one.number) : "of an unknown number", one.key,
                  one.why);
  auto planner = Planner::restore(std::move(stored->records));
  if (!planner) return planner.error();
  if (ports.checks) planner->set_checking(true);
  const auto last = last_input(*ports.journal);

  auto directory = spawn_directory(system, *ports.clock);
  auto journal = spawn_journal(system, directory, *ports.journal, ports.term, ports.journal_thread);
  auto views = spawn_views(system, directory, ports.notebook, ports.journal);
  auto exporter = spawn_exporter(system, directory, *ports.journal, ports.exports,
                                 planner->state().configuration().global().writes_accounting);
  PostmanActor postman;
  if (ports.mailer)
    postman =
        spawn_postman(system, {ports.mailer, ports.clock, ports.journal, journal, directory,
                               ports.store_id, planner->state().configuration().global().mailer});
  auto gate = spawn_gate(system, directory, views, journal);
  auto calendar = spawn_calendar(system, {std::move(*planner),
                                          last.sequence,
                                          last.now,
                                          kept_answers(*ports.journal),
                                          ports.store_id,
                                          ports.term,
                                          ports.identity,
                                          ports.clock,
                                          ports.journal,
                                          ports.notebook,
                                          ports.passes_off,
                                          ports.zone,
                                          ports.host,
                                          directory,
                                          journal,
                                          views,
                                          exporter,
                                          postman,
                                          gate,
                                          ports.set_log_level,
                                          ports.vouched});
  SessionSetup session;
  session.identity = ports.identity, session.random = ports.random, session.directory = directory;
  session.calendar = calendar;
  session.welcome = {ports.term, ports.store_id};
  return Master{directory, journal, views, gate, calendar, std::move(session)};
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

} // namespace

Result<Replay> replay(const Journal& journal, Instant from, Instant to) {
  auto checkpoint = store::read_checkpoint(scan_of(journal));
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
