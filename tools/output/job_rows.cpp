#include "tools/output/job_rows.hpp"

#include "core/text/ranges.hpp"
#include "core/text/task_numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace almanac {

namespace {

JobRow::Kind kind_of(const JobLine& line) {
  if (line.state == "z") return JobRow::Kind::finished;
  return line.running ? JobRow::Kind::running : JobRow::Kind::pending;
}

JobRow whole_row(const door::JobLines& job, const JobLine& line) {
  JobRow row{&job, &line, kind_of(line), {}, line.slots, line.tasks, {}};
  if (!line.grants.empty()) row.instance = line.grants.front().instance.text();
  return row;
}

// The tasks of "7,9" or "5-9:2"; the text itself where it is none of these.
std::vector<std::string> each_task(const std::string& text) {
  std::vector<std::string> tasks;
  for (const auto& piece : split(text, ',')) {
    const auto range = parse_task_range(piece);
    if (!range) return {text};
    for (const auto task : TaskNumbers(*range)) tasks.push_back(std::to_string(task));
  }
  return tasks.empty() ? std::vector<std::string>{text} : tasks;
}

void add_tasks(std::vector<JobRow>& rows, const JobRow& row) {
  for (auto& task : each_task(row.tasks)) {
    rows.push_back(row);
    rows.back().tasks = std::move(task);
  }
}

// The script has a slot of its own, or none: then there is a row more than slots.
void add_slots(std::vector<JobRow>& rows, JobRow row) {
  row.slots = 1;
  bool is_first = true;
  for (const auto& grant : row.line->grants) {
    const auto count =
        std::min(grant.slots, most_slots) + (is_first && row.line->has_spare_slave ? 1 : 0);
    for (std::int64_t slot = 0; slot < count; ++slot) {
      rows.push_back(row);
      rows.back().instance = grant.instance.text();
      rows.back().role = std::exchange(is_first, false) ? "MASTER" : "SLAVE";
    }
  }
}

} // namespace

std::vector<JobRow> job_rows(const std::vector<door::Lines>& frames, JobGrouping grouping) {
  std::vector<JobRow> whole, rows;
  for (const auto& frame : frames)
    for (const auto& job : frame.jobs)
      for (const auto& line : job.lines) whole.push_back(whole_row(job, line));
  std::stable_sort(whole.begin(), whole.end(), [](const JobRow& a, const JobRow& b) {
    return std::make_tuple(a.kind, -a.job->priority.value, a.job->number) <
           std::make_tuple(b.kind, -b.job->priority.value, b.job->number);
  });
  if (!grouping.each_task && !grouping.each_slot) return whole;
  for (const auto& row : whole)
    if (grouping.each_slot && row.kind == JobRow::Kind::running) add_slots(rows, row);
    else if (grouping.each_task && row.kind == JobRow::Kind::pending) add_tasks(rows, row);
    else rows.push_back(row);
  return rows;
}

RowsByInstance::RowsByInstance(const std::vector<JobRow>& rows) {
  for (const auto& row : rows) {
    if (row.kind != JobRow::Kind::running) continue;
    if (!row.role.empty()) { // it is a process already
      rows_[row.instance].push_back(row);
      continue;
    }
    for (const auto& grant : row.line->grants) {
      const auto instance = grant.instance.text();
      auto& here = rows_[instance];
      here.push_back(row);
      here.back().instance = instance, here.back().slots = grant.slots;
    }
  }
}

const std::vector<JobRow>& RowsByInstance::on(const std::string& instance) const {
  static const std::vector<JobRow> none;
  const auto found = rows_.find(instance);
  return found == rows_.end() ? none : found->second;
}

Result<JobStates> JobStates::parse(const std::string& text) {
  JobStates states;
  states.pending_ = states.running_ = false;
  const auto wrong = [&] {
    return Error{"option -s " + text +
                 ": expected letters of p, r, s, z, f, h and a, or h with one of u, o, s, d, j, a"};
  };
  if (text.empty()) return wrong();
  for (std::size_t i = 0; i < text.size(); ++i) switch (text[i]) {
    case 'p': states.pending_ = true; break;
    case 'r': states.running_ = true; break;
    case 's': states.suspended_ = true; break;
    case 'z':
    case 'f': states.finished_ = true; break;
    case 'a': states.pending_ = states.running_ = true; break;
    case 'h':
      states.only_held_ = true;
      if (i + 1 < text.size() && std::string("uosdja").find(text[i + 1]) != std::string::npos)
        states.holds_ += text[++i];
      else states.holds_ += "uosdja";
      break;
    default: return wrong();
    }
  return states;
}

bool JobStates::wants(const JobRow& row) const {
  const auto& line = *row.line;
  switch (row.kind) {
  case JobRow::Kind::finished: return finished_;
  case JobRow::Kind::running: return running_ || (suspended_ && line.suspended);
  case JobRow::Kind::pending:
    return pending_ || (only_held_ && line.holds.find_first_of(holds_) != std::string::npos);
  }
  return false;
}

door::Lines finished_lines(const std::vector<AccountingRecord>& records) {
  door::Lines frame;
  for (const auto& record : records) {
    JobLine line;
    line.state = "z", line.time = record.started.seconds ? record.started : record.submitted;
    line.slots = record.slots, line.pe = record.pe;
    line.grants = record.grants;
    if (line.grants.empty()) line.grants = {{{record.queue, record.host}, record.slots}};
    if (record.task > 0) line.tasks = std::to_string(record.task);
    door::JobLines job;
    job.number = record.job_number, job.name = record.job_name, job.user = record.owner;
    job.project = record.project, job.department = record.department;
    job.posix_priority = record.priority, job.lines = {std::move(line)};
    frame.jobs.push_back(std::move(job));
  }
  return frame;
}

} // namespace almanac
