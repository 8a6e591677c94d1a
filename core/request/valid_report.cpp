#include "core/request/valid_report.hpp"

#include "core/text/topology.hpp"
#include "core/request/findings.hpp"
#include "core/request/valid.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::int64_t most_counted = 1LL << 56; // 2,000 years in microseconds
constexpr std::int64_t most_bytes = 1LL << 60;
constexpr std::int64_t most_processors = 1'000'000;
constexpr std::int64_t highest_average = 1'000'000'000; // hundredths
constexpr std::int64_t all_processors = 10'000;         // hundredths of a percent
constexpr std::int64_t highest_status = 999;
constexpr std::int64_t highest_signal = 64;
constexpr std::int64_t highest_key = 1LL << 62;

// Of a number in an exit record; none is below 0.
std::int64_t highest_of(std::string_view name) {
  if (name == "failed" || name == "exit_status" || name == "step_status") return highest_status;
  if (name == "signal") return highest_signal;
  if (name == "wallclock") return longest_time;
  if (name == "ended") return last_second;
  return most_counted;
}

struct RecordCheck {
  Findings& findings;
  void operator()(const char* name, std::int64_t value) {
    findings.range(name, value, 0, highest_of(name));
  }
  void operator()(const char*, const std::string& reason) {
    findings.size("characters of a reason", reason.size(), longest_reason);
  }
};

struct RecordFit {
  void operator()(const char* name, std::int64_t& value) {
    value = std::clamp<std::int64_t>(value, 0, highest_of(name));
  }
  // The beginning says what failed, the end why.
  void operator()(const char*, std::string& reason) {
    constexpr std::size_t most = longest_reason / 4 - 1; // one byte is shown as four at the most
    constexpr std::size_t end = most / 4;
    auto shown = printable(reason);
    if (shown.size() > longest_reason)
      shown = printable(reason.substr(0, most - end)) + "..." +
              printable(reason.substr(reason.size() - end));
    reason = std::move(shown);
  }
};

} // namespace

Outcome valid_host_text(const std::string& text, const char* what) {
  Findings findings;
  findings.size(what, text.size(), longest_host_text);
  if (!findings.any()) findings.note(valid_texts({text}));
  return findings.outcome();
}

Outcome valid_topology(const std::string& topology) {
  if (is_topology(topology)) return Done{};
  return Error{"a topology is not made of up to " + std::to_string(longest_topology) +
               " letters for sockets, cores and threads"};
}

Outcome valid(const HostFacts& facts) {
  Findings findings;
  for (const auto* text : {&facts.arch, &facts.boot_id, &facts.spool_id, &facts.address})
    findings.note(valid_host_text(*text, "characters of a fact"));
  findings.range("the number of processors", facts.processors, 0, most_processors);
  findings.range("memory", facts.memory, 0, most_bytes);
  findings.note(valid_topology(facts.topology));
  return findings.outcome();
}

Outcome valid(const HostLoad& load) {
  Findings findings;
  for (const auto average : {load.load_short, load.load_medium, load.load_long})
    findings.range("load average", average, -1, highest_average);
  findings.range("use of the processors", load.cpu, -1, all_processors);
  for (const auto bytes : {load.memory_free, load.swap_total, load.swap_free})
    findings.range("memory", bytes, -1, most_bytes);
  findings.note(valid_topology(load.topology_in_use));
  findings.size("load values", load.values.size(), most_load_values);
  if (findings.any()) return findings.outcome();
  for (const auto& [name, value, host] : load.values) {
    findings.size("characters of a load value's name", name.size(), longest_load_name);
    findings.size("characters of a load value", value.size(), longest_load_value);
    findings.require(host.empty() || host == whole_cell,
                     "a load value is neither the host's nor the cell's");
    if (!findings.any()) findings.note(valid_texts({name, value}));
  }
  return findings.outcome();
}

Outcome valid(const TaskUsage& usage) {
  Findings findings;
  RecordCheck check{findings};
  describe(check, const_cast<TaskUsage&>(usage)); // reads only
  return findings.outcome();
}

Outcome valid(const Attempt& attempt) {
  Findings findings;
  findings.range("key of a job", attempt.job.value, 0, highest_key);
  findings.range("task", attempt.task, 0, most_slots);
  findings.range("attempt", attempt.attempt, 0, highest_key);
  return findings.outcome();
}

Outcome valid(const ExitRecord& record) {
  Findings findings;
  RecordCheck check{findings};
  describe(check, const_cast<ExitRecord&>(record)); // reads only
  if (!findings.any()) check_texts(findings, record);
  return findings.outcome();
}

Outcome valid(const std::vector<ProcessEnd>& processes) {
  Findings findings;
  findings.size("processes of a task", processes.size(), most_processes_told);
  if (findings.any()) return findings.outcome();
  for (const auto& [host, number, record] : processes) {
    findings.note(valid_host_text(host, "characters of a host"));
    findings.range("number of a process", number, 0, most_counted);
    findings.note(valid(record));
  }
  return findings.outcome();
}

ExitRecord within_bounds(ExitRecord record) {
  RecordFit fit;
  describe(fit, record);
  return record;
}

} // namespace almanac
