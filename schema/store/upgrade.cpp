#include "schema/store/upgrade.hpp"

#include "schema/codec.hpp"
#include "schema/earlier_records.hpp"

namespace almanac::store {

std::vector<Write> job_in_format_2(std::string_view key, std::string_view value) {
  auto whole = decode<JobOfFormat1>(value);
  if (!whole) return {};
  std::vector<Write> writes;
  const JobKey job{key_number(key)};
  for (auto& task : whole->tasks) {
    task.job = job;
    writes.push_back({Family::tasks, stored_key(task.id()), encode(task)});
  }
  writes.push_back({Family::jobs, std::string(key), encode(static_cast<const Job&>(*whole))});
  return writes;
}

} // namespace almanac::store
