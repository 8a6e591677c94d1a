#include "schema/store/records.hpp"

#include "core/base/fingerprint.hpp"
#include "core/request/valid.hpp"
#include "schema/codec.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <type_traits>

namespace almanac::store {

namespace {

template <class R> constexpr Family family_of() {
#define KIND(type, table, family)                                                                  \
  if constexpr (std::is_same_v<R, type>) return Family::table;                                     \
  else
#include "core/records/kinds.def"
#undef KIND
  static_assert(std::is_void_v<R>, "no kind of record");
}

struct WriteOf {
  template <class R> Write operator()(const R& record) const {
    return {family_of<R>(), stored_key(key_of(record)), encode(record)};
  }
  template <class R> Write operator()(const Erased<R>& gone) const {
    return {family_of<R>(), stored_key(gone.key), std::nullopt};
  }
  template <class R> Write operator()(const std::shared_ptr<const R>& record) const {
    return (*this)(*record);
  }
  Write operator()(const ConfigurationObject& object) const {
    return {Family::objects, object_key(object.kind, object.name), encode(object)};
  }
  Write operator()(const ObjectErased& gone) const {
    return {Family::objects, object_key(gone.kind, gone.name), std::nullopt};
  }
  Write operator()(const Counters& counters) const {
    return {Family::meta, counters_key, encode(counters)};
  }
  Write operator()(const AccountingRecord& record) const {
    return {Family::accounting, number_key(record.sequence), encode(record)};
  }
  Write operator()(const Letter& letter) const {
    return {Family::letters, number_key(letter.sequence), encode(letter)};
  }
  Write operator()(const HookCall& call) const {
    return {Family::hooks, number_key(call.sequence), encode(call)};
  }
  Write operator()(const ReportingRecord& record) const {
    return {Family::reports, number_key(record.sequence), encode(record)};
  }
};

template <class T> Outcome read_family(const Scan& scan, Family family, std::vector<T>& into) {
  Outcome outcome = Done{};
  scan(family, [&](std::string_view key, std::string_view value) {
    auto record = decode<T>(value);
    if (record) into.push_back(std::move(*record));
    else
      outcome = Error{std::string("store, family ") + name_of(family) + ", key of " +
                      std::to_string(key.size()) + " bytes: " + record.what()};
  });
  return outcome;
}

std::int64_t stored_key_of(const Series& series) { return series.number.value; }
template <class T> std::int64_t stored_key_of(const T& record) { return record.key.value; }

// Jobs, reservations and series: what is wrong with one of them concerns it alone.
template <class T> void read_valid(const Scan& scan, Family family, std::vector<T>& into,
                                   std::vector<SetAside>& set_aside) {
  std::set<decltype(T::number)> numbers;
  scan(family, [&](std::string_view key, std::string_view value) {
    const auto stored_key = key_number(key);
    auto record = decode<T>(value);
    const auto put_aside = [&](const std::string& why) {
      set_aside.push_back({family, stored_key, record ? record->number.value : 0, why});
    };
    if (!record) return put_aside(record.what());
    if (auto checked = valid(*record); !checked) return put_aside(checked.what());
    if (stored_key_of(*record) != stored_key) return put_aside("it lies under the key of another");
    if (!numbers.insert(record->number).second) return put_aside("another one has its number");
    into.push_back(std::move(*record));
  });
}

// A job of which a task can't be worked with is set aside with all of them: none is lost.
std::vector<Task> read_tasks(const Scan& scan, StoredRecords& stored) {
  std::map<JobKey, const Job*> jobs;
  for (const auto& job : stored.records.jobs) jobs[job.key] = &job;
  std::vector<Task> tasks;
  std::map<JobKey, std::string> spoiled;
  scan(Family::tasks, [&](std::string_view key, std::string_view value) {
    const auto id = key_of_stored<TaskId>(key);
    const auto job = jobs.find(id.job);
    if (job == jobs.end()) return; // set aside, or removed
    auto task = decode<Task>(value);
    auto checked = task ? valid(*task, *job->second) : Outcome(task.error());
    if (checked && task->id() != id) checked = Error{"it lies under the key of another"};
    if (checked) tasks.push_back(std::move(*task));
    else spoiled.emplace(id.job, "its task " + std::to_string(id.task) + ": " + checked.what());
  });
  std::erase_if(stored.records.jobs, [&](const Job& job) {
    const auto why = spoiled.find(job.key);
    if (why == spoiled.end()) return false;
    stored.set_aside.push_back({Family::jobs, job.key.value, job.number.value, why->second});
    return true;
  });
  return tasks;
}

// Jobs lie before tasks in kinds.def.
template <class R>
Outcome read_kind(const Scan& scan, std::vector<R>& into, StoredRecords& stored) {
  constexpr bool may_be_set_aside =
      std::is_same_v<R, Job> || std::is_same_v<R, Reservation> || std::is_same_v<R, Series>;
  if constexpr (std::is_same_v<R, Task>) into = read_tasks(scan, stored);
  else if constexpr (may_be_set_aside) read_valid(scan, family_of<R>(), into, stored.set_aside);
  else return read_family(scan, family_of<R>(), into);
  return Done{};
}

Outcome read_counters(const Scan& scan, Counters& into) {
  Outcome outcome = Done{};
  scan(Family::meta, [&](std::string_view key, std::string_view value) {
    if (key != counters_key) return;
    auto counters = decode<Counters>(value);
    if (counters) into = *counters;
    else outcome = Error{"store, counters: " + counters.what()};
  });
  return outcome;
}

void drop_tasks_without_jobs(RecordSet& records) {
  std::set<JobKey> known;
  for (const auto& job : records.jobs) known.insert(job.key);
  std::erase_if(records.tasks, [&](const Task& task) { return !known.contains(task.job); });
}

// A job can't be without the reservation that it runs in.
void set_aside_orphaned_jobs(StoredRecords& stored) {
  std::set<ReservationKey> known{{}};
  for (const auto& reservation : stored.records.reservations) known.insert(reservation.key);
  std::set<JobKey> orphaned;
  for (const auto& task : stored.records.tasks)
    if (!known.contains(task.attracted_by)) orphaned.insert(task.job);
  std::erase_if(stored.records.jobs, [&](const Job& job) {
    if (known.contains(job.reservation_key) && !orphaned.contains(job.key)) return false;
    stored.set_aside.push_back({Family::jobs, job.key.value, job.number.value,
                                "the advance reservation that it runs in is missing"});
    return true;
  });
}

// Nor does a job start because one that it waits for can't be read. Who waits has the higher key.
void set_aside_successors(StoredRecords& stored) {
  std::set<JobKey> gone;
  for (const auto& one : stored.set_aside)
    if (one.family == Family::jobs) gone.insert({one.key});
  std::erase_if(stored.records.jobs, [&](const Job& job) {
    const auto missing = std::find_if(job.waits_for.begin(), job.waits_for.end(),
                                      [&](JobKey key) { return gone.contains(key); });
    if (missing == job.waits_for.end()) return false;
    stored.set_aside.push_back(
        {Family::jobs, job.key.value, job.number.value,
         "a job that it waits for, with the key " + to_string(*missing) + ", is not read"});
    gone.insert(job.key);
    return true;
  });
}

} // namespace

// ---- writing ----------------------------------------------------------------------------------

Write write_of(const Effect& effect) { return std::visit(WriteOf(), effect); }

std::vector<Write> writes_of(const Decisions& decisions) {
  std::vector<Write> writes;
  for (const auto& effect : decisions.effects) writes.push_back(write_of(effect));
  return writes;
}

Write index_of(const AccountingRecord& record) {
  return {Family::accounting_of_job, accounting_key(record.job_number, record.sequence), ""};
}

std::uint64_t fingerprint(const Decisions& decisions, const std::vector<Write>& writes) {
  Fingerprint digest;
  if (decisions.answer) digest.add_number(fingerprint(*decisions.answer));
  for (const auto& write : writes) {
    digest.add_number(static_cast<std::uint64_t>(write.family));
    digest.add(write.key);
    digest.add(write.value ? *write.value : "");
  }
  return std::max<std::uint64_t>(digest.value(), 1);
}

std::vector<Write> writes_of(const RecordSet& records) {
  std::vector<Write> writes;
  const auto add = [&](const auto& kind) {
    for (const auto& record : kind) writes.push_back(WriteOf()(record));
  };
  add(records.objects);
#define KIND(type, table, family) add(records.table);
#include "core/records/kinds.def"
#undef KIND
  writes.push_back(WriteOf()(records.counters));
  return writes;
}

// ---- reading ----------------------------------------------------------------------------------

Result<StoredRecords> read_stored(const Scan& scan) {
  StoredRecords stored;
  auto& records = stored.records;
  if (auto read = read_family(scan, Family::objects, records.objects); !read) return read.error();
#define KIND(type, table, family)                                                                  \
  if (auto read = read_kind(scan, records.table, stored); !read) return read.error();
#include "core/records/kinds.def"
#undef KIND
  set_aside_orphaned_jobs(stored);
  set_aside_successors(stored);
  drop_tasks_without_jobs(records);
  if (auto read = read_counters(scan, records.counters); !read) return read.error();
  return stored;
}

Result<RecordSet> read_records(const Scan& scan) {
  auto stored = read_stored(scan);
  if (!stored) return stored.error();
  return std::move(stored->records);
}

} // namespace almanac::store
