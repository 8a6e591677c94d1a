#include "schema/store.hpp"

#include "core/base/fingerprint.hpp"
#include "core/request/valid.hpp"
#include "schema/codec.hpp"
#include "schema/stored_records.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace almanac::store {

namespace {

const std::string counters_key = "counters";

template <class T> Outcome read_family(const Scan& scan, Family family, std::vector<T>& into) {
  Outcome outcome = Done{};
  scan(family, [&](std::string_view key, std::string_view value) {
    auto record = decode<T>(value);
    if (record) into.push_back(std::move(*record));
    else
      outcome =
          Error{std::string("store, family ") + family_names.at(static_cast<std::size_t>(family)) +
                ", key of " + std::to_string(key.size()) + " bytes: " + record.what()};
  });
  return outcome;
}

// Jobs and reservations: what is wrong with one of them concerns it alone.
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
    if (record->key.value != stored_key) return put_aside("it lies under the key of another");
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
    const auto id = key_task(key);
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

// Those of the jobs that are left.
void take_tasks(StoredRecords& stored, std::vector<Task> tasks) {
  std::set<JobKey> known;
  for (const auto& job : stored.records.jobs) known.insert(job.key);
  std::erase_if(tasks, [&](const Task& task) { return !known.contains(task.job); });
  stored.records.tasks = std::move(tasks);
}

// A job can't be without the reservation that it runs in.
void set_aside_orphaned_jobs(StoredRecords& stored) {
  std::set<ReservationKey> known{{}};
  for (const auto& reservation : stored.records.reservations) known.insert(reservation.key);
  std::erase_if(stored.records.jobs, [&](const Job& job) {
    if (known.contains(job.reservation_key)) return false;
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

std::string number_key(std::int64_t number) {
  std::string key(8, '\0');
  for (std::size_t i = 0; i < 8; ++i)
    key[i] = static_cast<char>(static_cast<std::uint64_t>(number) >> (56 - 8 * i));
  return key;
}

std::int64_t key_number(std::string_view key) {
  std::uint64_t number = 0;
  for (const unsigned char byte : key.substr(0, 8)) number = number << 8 | byte;
  return static_cast<std::int64_t>(number);
}

std::string task_key(const TaskId& id) { return number_key(id.job.value) + number_key(id.task); }

TaskId key_task(std::string_view key) {
  return {{key_number(key)}, key_number(key.substr(std::min<std::size_t>(8, key.size())))};
}

std::string transaction_key(const TransactionKey& key) {
  return number_key(key.number.value) + key.transaction;
}

TransactionKey key_transaction(std::string_view key) {
  return {{key_number(key)}, std::string(key.substr(std::min<std::size_t>(8, key.size())))};
}

std::string object_key(ObjectKind kind, const std::string& name) {
  return std::string(1, static_cast<char>('a' + static_cast<int>(kind))) + name;
}

std::pair<ObjectKind, std::string> key_object(std::string_view key) {
  return {static_cast<ObjectKind>(key.front() - 'a'), std::string(key.substr(1))};
}

Write write_of(const Effect& effect) {
  struct Visitor {
    Write operator()(const JobPtr& job) const {
      return {Family::jobs, number_key(job->key.value), encode(*job)};
    }
    Write operator()(const Erased<Job>& job) const {
      return {Family::jobs, number_key(job.key.value), std::nullopt};
    }
    Write operator()(const TaskPtr& task) const {
      return {Family::tasks, task_key(task->id()), encode(*task)};
    }
    Write operator()(const Erased<Task>& task) const {
      return {Family::tasks, task_key(task.key), std::nullopt};
    }
    Write operator()(const ReservationPtr& r) const {
      return {Family::reservations, number_key(r->key.value), encode(*r)};
    }
    Write operator()(const Erased<Reservation>& r) const {
      return {Family::reservations, number_key(r.key.value), std::nullopt};
    }
    Write operator()(const SettledTransaction& settled) const {
      return {Family::transactions, transaction_key(key_of(settled)), encode(settled)};
    }
    Write operator()(const Erased<SettledTransaction>& settled) const {
      return {Family::transactions, transaction_key(settled.key), std::nullopt};
    }
    Write operator()(const ConfigurationObject& o) const {
      return {Family::objects, object_key(o.kind, o.name), encode(o)};
    }
    Write operator()(const ObjectErased& o) const {
      return {Family::objects, object_key(o.kind, o.name), std::nullopt};
    }
    Write operator()(const HostState& host) const {
      return {Family::hosts, host.name, encode(host)};
    }
    Write operator()(const HostKey& key) const { return {Family::keys, key.host, encode(key)}; }
    Write operator()(const InstanceState& instance) const {
      return {Family::instances, instance.name.text(), encode(instance)};
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
  };
  return std::visit(Visitor(), effect);
}

std::vector<Write> writes_of(const Decisions& decisions) {
  std::vector<Write> writes;
  for (const auto& effect : decisions.effects) writes.push_back(write_of(effect));
  return writes;
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
  for (const auto& object : records.objects) writes.push_back(write_of(object));
  for (const auto& host : records.hosts) writes.push_back(write_of(host));
  for (const auto& key : records.keys) writes.push_back(write_of(key));
  for (const auto& instance : records.instances) writes.push_back(write_of(instance));
  for (const auto& job : records.jobs) writes.push_back(write_of(std::make_shared<const Job>(job)));
  for (const auto& task : records.tasks)
    writes.push_back(write_of(std::make_shared<const Task>(task)));
  for (const auto& reservation : records.reservations)
    writes.push_back(write_of(std::make_shared<const Reservation>(reservation)));
  for (const auto& settled : records.transactions) writes.push_back(write_of(settled));
  writes.push_back(write_of(records.counters));
  return writes;
}

Result<StoredRecords> read_stored(const Scan& scan) {
  StoredRecords stored;
  auto& records = stored.records;
  if (auto read = read_family(scan, Family::objects, records.objects); !read) return read.error();
  if (auto read = read_family(scan, Family::hosts, records.hosts); !read) return read.error();
  if (auto read = read_family(scan, Family::keys, records.keys); !read) return read.error();
  if (auto read = read_family(scan, Family::instances, records.instances); !read)
    return read.error();
  if (auto read = read_family(scan, Family::transactions, records.transactions); !read)
    return read.error();
  read_valid(scan, Family::reservations, records.reservations, stored.set_aside);
  read_valid(scan, Family::jobs, records.jobs, stored.set_aside);
  auto tasks = read_tasks(scan, stored);
  set_aside_orphaned_jobs(stored);
  set_aside_successors(stored);
  take_tasks(stored, std::move(tasks));
  Outcome outcome = Done{};
  scan(Family::meta, [&](std::string_view key, std::string_view value) {
    if (key != counters_key) return;
    auto counters = decode<Counters>(value);
    if (counters) records.counters = *counters;
    else outcome = Error{"store, counters: " + counters.what()};
  });
  if (!outcome) return outcome.error();
  return stored;
}

Result<RecordSet> read_records(const Scan& scan) {
  auto stored = read_stored(scan);
  if (!stored) return stored.error();
  return std::move(stored->records);
}

std::vector<Write> checkpoint_writes(const RecordSet& records, Sequence sequence) {
  std::vector<Write> writes;
  for (auto& write : writes_of(records)) {
    const std::string prefix =
        family_names.at(static_cast<std::size_t>(write.family)) + std::string("/");
    writes.push_back({Family::checkpoint, prefix + write.key, std::move(write.value)});
  }
  writes.push_back({Family::checkpoint, checkpoint_sequence_key, number_key(sequence.value)});
  return writes;
}

Result<Checkpoint> read_checkpoint(const Scan& scan) {
  Checkpoint checkpoint;
  bool found = false;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> families;
  scan(Family::checkpoint, [&](std::string_view key, std::string_view value) {
    if (key == checkpoint_sequence_key) {
      checkpoint.sequence = {key_number(value)};
      found = true;
      return;
    }
    const auto slash = key.find('/');
    families[std::string(key.substr(0, slash))].emplace_back(key.substr(slash + 1), value);
  });
  if (!found) return Error{"the store has no checkpoint"};
  auto records = read_records([&](Family family, const auto& visit) {
    for (const auto& [key, value] : families[family_names.at(static_cast<std::size_t>(family))])
      visit(key, value);
  });
  if (!records) return records.error();
  checkpoint.records = std::move(*records);
  return checkpoint;
}

} // namespace almanac::store
