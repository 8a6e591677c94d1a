#include "master/cell_export.hpp"

#include "actors/record_json.hpp"
#include "actors/trust/keyring.hpp"
#include "core/planning/planner.hpp"
#include "master/replay.hpp"
#include "schema/store/records.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t format = 1; // of the text

using Scripts = std::map<std::string, std::string>; // by hash

// The parts of the text, each with its name.
template <class Part> void each_part(RecordSet& records, Part part) {
  part("objects", records.objects);
  part("hosts", records.hosts);
  part("instances", records.instances);
  part("series", records.series);
  part("reservations", records.reservations);
  part("jobs", records.jobs);
  part("tasks", records.tasks);
  part("transactions", records.transactions);
  part("counters", records.counters);
}

// ---- export -------------------------------------------------------------------------------------

Scripts scripts_of(const Journal& journal, const RecordSet& records) {
  Scripts scripts;
  for (const auto& job : records.jobs)
    if (!job.script_hash.empty() && !scripts.contains(job.script_hash))
      if (auto script = journal.get(store::Family::scripts, job.script_hash))
        scripts.emplace(job.script_hash, std::move(*script));
  return scripts;
}

Json to_json_of(const Scripts& scripts) {
  auto object = Json::object();
  for (const auto& [hash, content] : scripts)
    object[hash] = JsonWriter<JsonBytes::whole>::text(content);
  return object;
}

// ---- import -------------------------------------------------------------------------------------

struct Read {
  RecordSet records;
  Scripts scripts;
};

void check_format(const Json& all) {
  if (!all.is_object() || !all.contains("format") || !all.at("format").is_number_integer())
    throw Error{"it is no export of a cell"};
  if (const auto found = all.at("format").get<std::int64_t>(); found != format)
    throw Error{"it has format " + std::to_string(found) + ": this version reads format " +
                std::to_string(format)};
}

// A hash that is not that of its script would give a job another one.
Scripts read_scripts(const Json& from) {
  if (!from.is_object()) throw Error{"scripts is not an object"};
  Scripts scripts;
  for (const auto& item : from.items()) {
    std::string content;
    JsonReader::read_text(item.value(), content, "scripts." + excerpt(item.key()));
    if (sha256(content) != item.key())
      throw Error{"script " + excerpt(item.key()) + " is not what its hash says"};
    scripts.emplace(item.key(), std::move(content));
  }
  return scripts;
}

Result<Read> read_all(std::string_view text) {
  const auto all = Json::parse(text, nullptr, false);
  if (all.is_discarded()) return Error{"it is not JSON, or not all of it"};
  Read read;
  std::set<std::string> known{"format", "scripts"};
  try {
    check_format(all);
    each_part(read.records, [&](const char* name, auto& part) {
      known.insert(name);
      if (!all.contains(name)) throw Error{std::string("it has no ") + name};
      JsonReader::read(all.at(name), part, name);
    });
    for (const auto& item : all.items())
      if (!known.contains(item.key()))
        throw Error{"\"" + excerpt(item.key()) + "\" is not known to this version"};
    if (all.contains("scripts")) read.scripts = read_scripts(all.at("scripts"));
  } catch (const Error& error) {
    return error;
  }
  return read;
}

// As they come out of a store, and what is set aside there is refused here.
Result<RecordSet> checked(const RecordSet& records) {
  std::map<store::Family, std::map<std::string, std::string>> families;
  for (auto& write : store::writes_of(records))
    if (!families[write.family].emplace(write.key, *write.value).second)
      return Error{std::string("two records of ") + store::name_of(write.family) +
                   " have the same key"};
  auto stored = store::read_stored([&](store::Family family, const auto& visit) {
    for (const auto& [key, value] : families[family]) visit(key, value);
  });
  if (!stored) return stored.error();
  if (!stored->set_aside.empty()) {
    const auto& first = stored->set_aside.front();
    return Error{std::string(first.family == store::Family::jobs ? "job " : "reservation ") +
                 std::to_string(first.number) + ": " + first.why};
  }
  if (stored->records.tasks.size() != records.tasks.size())
    return Error{"there are tasks without their job"};
  return std::move(stored->records);
}

// A key is never given again.
Outcome check_counters(const RecordSet& records) {
  const auto& counters = records.counters;
  std::int64_t key = 0;
  for (const auto& one : records.jobs) key = std::max(key, one.key.value);
  for (const auto& one : records.reservations) key = std::max(key, one.key.value);
  if (counters.last_key < key)
    return Error{"counters.last_key is " + std::to_string(counters.last_key) +
                 ", and a record has the key " + std::to_string(key)};
  if (const auto valid = almanac::valid(counters); !valid) return valid;
  return Done{};
}

Outcome check_scripts(const Read& read) {
  for (const auto& job : read.records.jobs)
    if (!job.script_hash.empty() && !read.scripts.contains(job.script_hash))
      return Error{"job " + to_string(job.number) + ": its script is missing"};
  return Done{};
}

Outcome check_predecessors(const RecordSet& records) {
  std::set<JobKey> known;
  for (const auto& job : records.jobs) known.insert(job.key);
  for (const auto& job : records.jobs)
    for (const auto& awaited : job.waits_for)
      if (!known.contains(awaited))
        return Error{"job " + to_string(job.number) + ": it waits for a job that is missing"};
  return Done{};
}

Outcome check_empty(const Journal& journal) {
  for (const auto family : {store::Family::inputs, store::Family::jobs, store::Family::reservations,
                            store::Family::accounting})
    if (journal.last(family))
      return Error{std::string("the store is not empty, it has ") + store::name_of(family) +
                   ": import into a cell that almanac-admin init has just made"};
  return Done{};
}

std::vector<store::Write> writes_of(const Journal& journal, const Read& read) {
  std::vector<store::Write> writes;
  journal.scan(store::Family::objects, [&](std::string_view key, std::string_view) {
    writes.push_back({store::Family::objects, std::string(key), std::nullopt});
  });
  for (auto& write : store::writes_of(read.records)) writes.push_back(std::move(write));
  for (const auto& [hash, content] : read.scripts)
    writes.push_back({store::Family::scripts, hash, content});
  return writes;
}

} // namespace

Result<CellExport> export_cell(const Journal& journal) {
  auto stored = store::read_stored(scan_of(journal));
  if (!stored) return stored.error();
  auto& records = stored->records;
  CellExport exported;
  for (const auto& one : stored->set_aside)
    exported.left_out.push_back((one.family == store::Family::jobs ? "job " : "reservation ") +
                                std::to_string(one.number) + " is left out: " + one.why);
  exported.reservations = records.reservations.size(), exported.jobs = records.jobs.size();
  auto all = Json::object();
  all["format"] = format;
  each_part(records, [&](const char* name, auto& part) { all[name] = to_json(part); });
  all["scripts"] = to_json_of(scripts_of(journal, records));
  exported.text = all.dump(1) + "\n";
  return exported;
}

Result<CellImport> import_cell(Journal& journal, Term term, std::string_view text) {
  if (auto empty = check_empty(journal); !empty) return empty.error();
  auto read = read_all(text);
  if (!read) return read.error();
  auto records = checked(read->records);
  if (!records) return records.error();
  read->records = std::move(*records);
  for (const auto& outcome :
       {check_counters(read->records), check_predecessors(read->records), check_scripts(*read)})
    if (!outcome) return outcome.error();
  const auto planner = Planner::restore(read->records);
  if (!planner) return planner.error();
  if (journal.commit(writes_of(journal, *read), term) != Commit::durable)
    return Error{"the store can't be written"};
  if (auto renewed = renew_checkpoint(journal, term, -1); !renewed) return renewed.error();
  return CellImport{read->records.reservations.size(), read->records.jobs.size()};
}

} // namespace almanac
