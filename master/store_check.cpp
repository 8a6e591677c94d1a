#include "master/store_check.hpp"

#include "actors/master/kept_answers.hpp"
#include "actors/master/checkpoints.hpp"
#include "actors/trust/keyring.hpp"
#include "core/planning/planner.hpp"
#include "core/text/names.hpp"
#include "core/utilization/usage_span.hpp"
#include "master/replay.hpp"
#include "schema/codec.hpp"
#include "schema/store/changes.hpp"
#include "schema/store/checkpoint.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>

namespace almanac {

namespace {

using store::Family;

// A key as people can read it: a number, or the text.
std::string shown(std::string_view key) {
  const bool is_text = std::all_of(key.begin(), key.end(), [](char c) { return !is_control(c); });
  if (is_text) return excerpt(key);
  return key.size() == 8 ? std::to_string(store::key_number(key)) : to_hex(std::string(key));
}

std::string named(Family family, std::string_view key) {
  return std::string(store::name_of(family)) + " " + shown(key);
}

// Reads one value under its key; the error says what is wrong.
using Reader = std::function<Outcome(std::string_view key, std::string_view value)>;

template <class T> Outcome read_as(std::string_view value) {
  const auto record = decode<T>(value);
  return record ? Outcome(Done{}) : Outcome(record.error());
}

// Under its own number.
template <class T> Outcome read_in_order(std::string_view key, std::string_view value) {
  const auto record = decode<T>(value);
  if (!record) return record.error();
  return store::write_of(Effect(*record)).key == key
             ? Outcome(Done{})
             : Outcome(Error{"it lies under the key of another"});
}

Outcome read_input(std::string_view key, std::string_view value) {
  const auto input = decode<JournaledInput>(value);
  if (!input) return input.error();
  if (store::number_key(input->sequence.value) != key)
    return Error{"it lies under the key of another"};
  return Done{};
}

class Check {
public:
  explicit Check(const RocksJournal& journal) : journal_(journal) {}

  StoreCheck run() {
    guarded("the engine", [&] { note("the engine", journal_.verify()); });
    for (const auto& [family, read] : readers())
      guarded(store::name_of(family), [&, family = family, &read = read] { each(family, read); });
    guarded("the records", [&] { look_at_records(); });
    guarded("the checkpoints", [&] { look_at_checkpoints(); });
    guarded("the journal", [&] { decide_again(); });
    return std::move(found_);
  }

private:
  // What a broken promise or the engine throws is a fault of the store, too.
  template <class Look> void guarded(const char* what, Look look) {
    try {
      look();
    } catch (const std::exception& problem) {
      found_.complain(std::string(what) + ": " + problem.what());
    }
  }
  void note(const std::string& what, const Outcome& outcome) {
    if (!outcome) found_.complain(what + ": " + outcome.what());
  }
  void each(Family family, const Reader& read) {
    journal_.scan(family, [&](std::string_view key, std::string_view value) {
      ++found_.records;
      note(named(family, key), read(key, value));
    });
  }

  std::vector<std::pair<Family, Reader>> readers() const;
  Outcome read_script(std::string_view key, std::string_view value) const;
  Outcome read_index(std::string_view key) const;
  void look_at_records();
  void look_at_counters(const RecordSet& records);
  void look_at_scripts(const RecordSet& records);
  void look_at_checkpoints();
  void decide_again();

  const RocksJournal& journal_;
  StoreCheck found_;
};

// Of all families that no other look covers: records of the planner are read as at a start.
std::vector<std::pair<Family, Reader>> Check::readers() const {
  const auto value_of = [](auto read) -> Reader {
    return [read](std::string_view, std::string_view value) { return read(value); };
  };
  return {
      {Family::inputs, read_input},
      {Family::accounting, read_in_order<AccountingRecord>},
      {Family::letters, read_in_order<Letter>},
      {Family::hooks, read_in_order<HookCall>},
      {Family::reports, read_in_order<ReportingRecord>},
      {Family::usage, value_of(read_as<UsageSpan>)},
      {Family::answers, value_of([](std::string_view value) {
         const auto answer = decode_answer(value);
         return answer ? Outcome(Done{}) : Outcome(answer.error());
       })},
      {Family::changes,
       [](std::string_view key, std::string_view value) {
         return store::change_row(key, value) ? Outcome(Done{})
                                              : Outcome(Error{"it can't be read"});
       }},
      {Family::scripts, [this](auto key, auto value) { return read_script(key, value); }},
      {Family::accounting_of_job, [this](auto key, std::string_view) { return read_index(key); }}};
}

Outcome Check::read_script(std::string_view key, std::string_view value) const {
  return sha256(std::string(value)) == key ? Outcome(Done{})
                                           : Outcome(Error{"it is not what its hash says"});
}

// Its key ends with that of the record.
Outcome Check::read_index(std::string_view key) const {
  constexpr std::size_t number = 8;
  const bool is_there =
      key.size() == 2 * number && journal_.get(Family::accounting, std::string(key.substr(number)));
  return is_there ? Outcome(Done{}) : Outcome(Error{"the accounting record is missing"});
}

void Check::look_at_records() {
  auto stored = store::read_stored(scan_of(journal_));
  if (!stored) return found_.complain(stored.what());
  for (const auto& one : stored->set_aside)
    found_.complain(named(one.family, store::number_key(one.key)) + " (number " +
                    std::to_string(one.number) + ") would be set aside: " + one.why);
  const auto& records = stored->records;
  for (const auto& write : store::writes_of(records)) found_.records += write.value.has_value();
  look_at_counters(records);
  look_at_scripts(records);
  const auto planner = Planner::restore(std::move(stored->records));
  if (!planner) return found_.complain("no planner can be made of the records: " + planner.what());
  if (!planner->state().records().followers_agree())
    found_.complain("what is derived from the records differs from the records");
}

void Check::look_at_counters(const RecordSet& records) {
  const auto& counters = records.counters;
  note("the counters", valid(counters));
  std::int64_t key = 0;
  for (const auto& one : records.jobs) key = std::max(key, one.key.value);
  for (const auto& one : records.reservations) key = std::max(key, one.key.value);
  if (counters.last_key < key)
    found_.complain("the counters: the last key is " + std::to_string(counters.last_key) +
                    ", and a record has the key " + std::to_string(key));
  journal_.scan_from(Family::accounting, store::number_key(counters.last_accounting + 1),
                     [&](std::string_view at, std::string_view) {
                       found_.complain(named(Family::accounting, at) +
                                       ": it is beyond the last one that was given, " +
                                       std::to_string(counters.last_accounting));
                       return false;
                     });
}

void Check::look_at_scripts(const RecordSet& records) {
  for (const auto& job : records.jobs)
    if (!job.script_hash.empty() && !journal_.get(Family::scripts, job.script_hash))
      found_.complain("job " + to_string(job.number) + ": its script is missing");
}

void Check::look_at_checkpoints() {
  const auto checkpoints = checkpoints_in(journal_);
  if (checkpoints.empty()) found_.complain("there is no whole checkpoint");
  for (const auto& mark : checkpoints) {
    const auto named = "checkpoint " + to_string(mark.sequence);
    auto read = store::read_checkpoint(scan_of(journal_), mark.sequence);
    if (!read) {
      found_.complain(named + ": " + read.what());
      continue;
    }
    const auto planner = Planner::restore(std::move(read->records));
    if (!planner) found_.complain(named + ": " + planner.what());
  }
}

void Check::decide_again() {
  if (const auto last = last_input(journal_); last.version != Planner::version) {
    found_.notes.push_back("the journal was written by version " + std::to_string(last.version) +
                           " of the rules, and this is version " +
                           std::to_string(Planner::version) + ": it is not decided again");
    return;
  }
  const auto done = replay(journal_);
  if (!done) return found_.complain("the journal: " + done.what());
  found_.inputs = done->inputs;
  if (!done->planner.state().records().followers_agree())
    found_.complain("the books that the journal comes to differ from those made of the records");
}

} // namespace

void StoreCheck::complain(std::string what) {
  if (faults.size() < most_faults) faults.push_back(std::move(what));
  else ++left_out;
}

StoreCheck check_store(const RocksJournal& journal) { return Check(journal).run(); }

} // namespace almanac
