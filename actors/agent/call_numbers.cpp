#include "actors/agent/call_numbers.hpp"

#include "core/request/valid_report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace almanac {

namespace {

template <class Names>
std::optional<std::int64_t> number_in(const Names& names, const typename Names::key_type& name) {
  const auto it = names.find(name);
  return it == names.end() ? std::nullopt : std::optional(it->second);
}

} // namespace

std::int64_t CallNumbers::add_of_user(const Attempt& attempt, std::int64_t uid,
                                      const std::string& request, const std::string& host) {
  calls_[++last_] = {attempt, host};
  return of_users_[{uid, request}] = last_;
}

std::int64_t CallNumbers::add_of_guest(const Attempt& attempt, std::uint64_t session,
                                       std::int64_t number) {
  calls_[++last_] = {attempt, ""};
  return of_guests_[{session, number}] = last_;
}

std::optional<std::int64_t> CallNumbers::find_of_user(std::int64_t uid,
                                                      const std::string& request) const {
  return number_in(of_users_, {uid, request});
}

std::optional<std::int64_t> CallNumbers::find_of_guest(std::uint64_t session,
                                                       std::int64_t number) const {
  return number_in(of_guests_, {session, number});
}

std::vector<std::int64_t> CallNumbers::of_guest(std::uint64_t session) const {
  std::vector<std::int64_t> all;
  for (auto it = of_guests_.lower_bound({session, INT64_MIN});
       it != of_guests_.end() && it->first.first == session; ++it)
    all.push_back(it->second);
  return all;
}

std::optional<Attempt> CallNumbers::attempt_of(std::int64_t call) const {
  const auto it = calls_.find(call);
  return it == calls_.end() ? std::nullopt : std::optional(it->second.attempt);
}

std::size_t CallNumbers::running_of(const Attempt& attempt) const {
  return static_cast<std::size_t>(
      std::count_if(calls_.begin(), calls_.end(), [&](const auto& entry) {
        return entry.second.attempt == attempt && !entry.second.host.empty();
      }));
}

void CallNumbers::forget(std::int64_t call) {
  calls_.erase(call);
  const auto is_it = [call](const auto& entry) { return entry.second == call; };
  std::erase_if(of_users_, is_it);
  std::erase_if(of_guests_, is_it);
}

// One that never began is nobody's to account for.
void CallNumbers::Used::add(const std::string& host, const ExitRecord& record) {
  add_usage(sum, record);
  if (record.failed == failed::before_job) return;
  const bool is_listed = !host.empty() && processes.size() + 1 < most_processes_told;
  if (is_listed) processes.push_back({host, ++on_host[host], within_bounds(record)});
  else add_usage(unlisted, record);
}

void CallNumbers::end(std::int64_t call, const ExitRecord& record) {
  if (const auto it = calls_.find(call); it != calls_.end())
    used_[it->second.attempt].add(it->second.host, record);
  forget(call);
}

session::TaskReport CallNumbers::with_usage(session::TaskReport report) const {
  const auto used = used_.find(report.attempt);
  if (report.phase != session::TaskPhase::ended || used == used_.end()) return report;
  const auto& [sum, unlisted, processes, on_host] = used->second;
  if (!processes.empty()) {
    auto own = report.record;
    add_usage(own, unlisted), own.reason.clear();
    report.processes = {{"", 0, within_bounds(std::move(own))}};
    report.processes.insert(report.processes.end(), processes.begin(), processes.end());
  }
  add_usage(report.record, sum);
  report.record = within_bounds(std::move(report.record));
  return report;
}

void CallNumbers::forget(const Attempt& attempt) {
  used_.erase(attempt);
  std::vector<std::int64_t> ended;
  for (const auto& [number, call] : calls_)
    if (call.attempt == attempt) ended.push_back(number);
  for (const auto call : ended) forget(call);
}

} // namespace almanac
