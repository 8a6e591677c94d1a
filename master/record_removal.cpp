#include "master/record_removal.hpp"

#include "core/text/names.hpp"
#include "master/replay.hpp"
#include "schema/codec.hpp"

#include <algorithm>

namespace almanac {

namespace {

const std::string& name_of(const Job& job) { return job.request->name; }
const std::string& name_of(const Reservation& reservation) { return reservation.request.name; }
const std::string& name_of(const Series& series) { return series.request.name; }

const char* kind_of(store::Family family) {
  return family == store::Family::jobs     ? "job"
         : family == store::Family::series ? "series"
                                           : "reservation";
}

struct FoundRecord {
  std::string key;
  std::string text; ///< who and what it was, as far as it can be read
};

template <class T> std::vector<FoundRecord>
find_record(const Journal& journal, store::Family family, RecordName name, std::int64_t value) {
  std::vector<FoundRecord> found;
  journal.scan(family, [&](std::string_view key, std::string_view bytes) {
    const auto record = decode<T>(bytes);
    const bool is_it = name == RecordName::key ? store::key_number(key) == value
                                               : record && record->number.value == value;
    if (!is_it) return;
    const auto number = record ? to_string(record->number) : "of an unknown number";
    found.push_back({std::string(key), number + (record ? " (" + excerpt(name_of(*record)) + ", " +
                                                              excerpt(record->owner.user) + ")"
                                                        : " (it can't be read)")});
  });
  return found;
}

std::vector<store::Write> without_tasks(const Journal& journal, JobKey key) {
  std::vector<store::Write> writes;
  journal.scan_from(store::Family::tasks, store::number_key(key.value),
                    [&](std::string_view at, std::string_view) {
                      if (store::key_of_stored<TaskId>(at).job != key) return false;
                      writes.push_back({store::Family::tasks, std::string(at), std::nullopt});
                      return true;
                    });
  return writes;
}

// What becomes of the other jobs: they wait no longer for `key`.
std::vector<store::Write> without_predecessor(const Journal& journal, JobKey key) {
  std::vector<store::Write> writes;
  journal.scan(store::Family::jobs, [&](std::string_view at, std::string_view bytes) {
    auto job = decode<Job>(bytes);
    if (job && std::erase(job->waits_for, key) > 0)
      writes.push_back({store::Family::jobs, std::string(at), encode(*job)});
  });
  return writes;
}

std::optional<JobNumber> job_in_reservation(const Journal& journal, ReservationKey key) {
  std::optional<JobNumber> number;
  journal.scan(store::Family::jobs, [&](std::string_view, std::string_view bytes) {
    if (const auto job = decode<Job>(bytes); job && job->reservation_key == key)
      number = job->number;
  });
  return number;
}

} // namespace

Result<std::string> remove_record(Journal& journal, Term term, store::Family family,
                                  RecordName name, std::int64_t value) {
  const bool is_job = family == store::Family::jobs, is_series = family == store::Family::series;
  const std::string kind = kind_of(family);
  const auto found = is_job      ? find_record<Job>(journal, family, name, value)
                     : is_series ? find_record<Series>(journal, family, name, value)
                                 : find_record<Reservation>(journal, family, name, value);
  if (found.empty())
    return Error{"the store has no " + kind + " with the " +
                 (name == RecordName::key ? "key " : "number ") + std::to_string(value)};
  if (found.size() > 1)
    return Error{std::to_string(found.size()) + " records have this number: name one by its key"};
  const auto key = store::key_number(found.front().key);
  std::vector<store::Write> writes{{family, found.front().key, std::nullopt}};
  if (is_job) {
    for (auto& write : without_tasks(journal, {key})) writes.push_back(std::move(write));
    for (auto& write : without_predecessor(journal, {key})) writes.push_back(std::move(write));
  } else if (const auto job = is_series ? std::nullopt : job_in_reservation(journal, {key}))
    return Error{"job " + to_string(*job) + " runs in this reservation: remove it first"};
  if (journal.commit(writes, term) != Commit::durable) return Error{"the store can't be written"};
  if (auto renewed = renew_checkpoint(journal, term, -1); !renewed) return renewed.error();
  return "removed " + kind + " " + found.front().text;
}

} // namespace almanac
