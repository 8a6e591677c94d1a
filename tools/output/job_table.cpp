#include "tools/output/job_table.hpp"

#include "core/text/numbers.hpp"
#include "core/text/table.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/output/local_time.hpp"
#include "tools/output/task_usage.hpp"

#include <algorithm>
#include <ostream>

namespace almanac {

namespace {

std::string weight(std::int64_t millionths) {
  return fixed(static_cast<double>(millionths) / 1e6, 5);
}
std::string whole(std::int64_t millionths, std::size_t width) {
  return right(std::to_string(millionths / 1'000'000), width) + " ";
}

// Each part once, whichever of the options asks for it.
std::string priority_cells(const door::JobLines& job, const JobColumns& columns) {
  const auto& priority = job.priority;
  std::string text;
  if (columns.priority || columns.urgency) text += weight(priority.normal_urgency) + " ";
  if (columns.priority) text += weight(priority.posix) + " ";
  if (columns.priority || columns.extended) text += weight(priority.normal_tickets) + " ";
  if (columns.urgency)
    text += whole(priority.urgency.sum(), 8) + whole(priority.urgency.resources, 8) +
            whole(priority.urgency.waiting, 8) + whole(priority.urgency.deadline, 8);
  if (columns.priority) text += right(std::to_string(job.posix_priority), 5) + " ";
  return text;
}

// Without a share tree there are no tickets of it, and no shares.
std::string ticket_cells(const door::JobLines& job) {
  const auto& tickets = job.priority.tickets;
  const auto column = [](std::int64_t number) { return right(std::to_string(number), 5) + " "; };
  return column(tickets.sum()) + column(job.override_tickets) + column(tickets.override_part) +
         column(tickets.functional_part) + column(0) + "0.00  ";
}

// Nobody tells it of what waits, and of what has just begun.
std::string usage_cells(const std::vector<TaskUsage>& known) {
  if (known.empty()) return left("NA", 10) + " " + left("NA", 7) + " " + left("NA", 7) + " ";
  const auto& usage = known.front();
  return left(processor_time(usage), 10) + " " + left(gigabyte_seconds(usage), 7) + " " +
         left(gigabytes_of_io(usage), 7) + " ";
}

std::string heading(const JobColumns& columns, JobTable::Queue queue) {
  std::string text = left("job-ID", columns.number_width) + " prior   ";
  if (columns.priority || columns.urgency) text += "nurg    ";
  if (columns.priority) text += "npprior ";
  if (columns.priority || columns.extended) text += "ntckts  ";
  if (columns.urgency) text += "    urg  rrcontr  wtcontr  dlcontr ";
  if (columns.priority) text += " ppri ";
  text += "name       user         ";
  if (columns.extended) text += "project          department ";
  text += "state submit/start at     ";
  if (columns.urgency) text += "deadline            ";
  if (columns.extended) text += "cpu        mem     io      tckts ovrts otckt ftckt stckt share ";
  if (queue == JobTable::Queue::shown) text += left("queue", columns.queue_width) + " ";
  text += columns.roles ? "master ja-task-ID " : "slots ja-task-ID ";
  if (columns.tasks) text += "task-ID      state cpu        mem     io      stat failed ";
  return text;
}

class RequestLines {
public:
  RequestLines(std::ostream& out, const std::string& indent)
      : out_(out), indent_(indent + std::string(7, ' ')) {}

  void put(const std::string& label, const std::string& value) {
    out_ << line(indent_ + left(label + ":", 18) + value);
  }
  void put_list(const std::string& label, const std::vector<std::string>& values) {
    if (!values.empty()) out_ << line(indent_ + label + ": " + join(values, ", "));
  }
  void put_each(const std::string& label, const std::vector<std::string>& values) {
    auto begin = left(label + ":", 18);
    for (const auto& value : values) {
      out_ << line(indent_ + begin + value);
      begin.assign(begin.size(), ' ');
    }
    if (values.empty()) put(label, "");
  }

private:
  std::ostream& out_;
  std::string indent_;
};

std::vector<std::string> numbers(const std::vector<JobNumber>& jobs) {
  std::vector<std::string> texts;
  for (const auto& job : jobs) texts.push_back(to_string(job));
  return texts;
}

} // namespace

void JobTable::print_heading() {
  const auto head = heading(columns_, queue_); // ends with a blank, which the dashes leave out
  out_ << indent_ << head << "\n" << indent_ << std::string(head.size() - 1, '-') << "\n";
}

std::string JobTable::cells(const JobRow& row) const {
  const auto& job = *row.job;
  const auto& shown = *row.line;
  auto text = right(to_string(job.number), columns_.number_width) + " " +
              weight(job.priority.value) + " " + priority_cells(job, columns_) +
              left_cut(job.name, 10) + " " + left_cut(job.user, 12) + " ";
  if (columns_.extended)
    text += left_cut(job.project.empty() ? "NA" : job.project, 16) + " " +
            left_cut(job.department, 10) + " ";
  text += in_colour_of(shown.state, left_cut(shown.state, 5), columns_.colour) + " " +
          print_time(shown.time) + " ";
  if (columns_.urgency)
    text += left(job.deadline.seconds ? print_time(job.deadline) : "", 19) + " ";
  if (columns_.extended) text += usage_cells(shown.usage) + ticket_cells(job);
  if (queue_ == Queue::shown) text += left_cut(row.instance, columns_.queue_width) + " ";
  text += columns_.roles ? left(row.role, 7) : right(std::to_string(row.slots), 5) + " ";
  text += row.tasks;
  // What is used is known of the whole task, which the row of its script stands for; of a slave by
  // itself nobody tells the master.
  if (columns_.tasks && !row.role.empty())
    text += std::string(row.tasks.size() < 11 ? 11 - row.tasks.size() : 1, ' ') +
            left(row.role == "MASTER" ? "" : "petask", 12) + " " + left_cut(shown.state, 5) + " " +
            usage_cells(row.role == "MASTER" ? shown.usage : std::vector<TaskUsage>());
  return text;
}

void JobTable::print_requests(const JobRow& row) {
  if (row.job->requests.empty()) return;
  const auto& asked = row.job->requests.front();
  RequestLines lines(out_, indent_);
  lines.put("Full jobname", row.job->name);
  if (row.kind == JobRow::Kind::running)
    lines.put("Master Queue", row.line->grants.front().instance.text());
  if (!asked.pe.empty()) lines.put("Requested PE", asked.pe + " " + asked.slots);
  if (!row.line->pe.empty())
    lines.put("Granted PE", row.line->pe + " " + std::to_string(row.line->slots));
  std::vector<std::string> hard, soft;
  for (const auto& [name, value, urgency] : asked.hard)
    hard.push_back(name + "=" + value + " (" + print_millionths(urgency) + ")");
  for (const auto& request : asked.soft) soft.push_back(request.name + "=" + request.value);
  lines.put_each("Hard Resources", hard), lines.put_each("Soft Resources", soft);
  lines.put_list("Hard requested queues", asked.queues);
  lines.put_list("Soft requested queues", asked.soft_queues);
  lines.put_list("Master task hard requested queues", asked.master_queues);
  lines.put_list("Predecessor Jobs (request)", asked.predecessors_asked);
  lines.put_list("Predecessor Jobs", numbers(asked.predecessors));
}

void JobTable::print(const JobRow& row) {
  out_ << line(indent_ + cells(row));
  if (columns_.requests) print_requests(row);
}

void print_jobs(std::ostream& out, const std::vector<JobRow>& rows, const JobColumns& columns) {
  if (rows.empty()) return;
  JobTable table(out, columns, JobTable::Queue::shown);
  table.print_heading();
  for (const auto& row : rows) table.print(row);
}

std::size_t number_width(const std::vector<JobRow>& rows) {
  std::size_t width = 7;
  for (const auto& row : rows) width = std::max(width, to_string(row.job->number).size());
  return width;
}

std::size_t queue_width(const std::string* long_names, const std::vector<JobRow>& rows) {
  constexpr std::size_t usual = 30, least = 10, most = 1'000;
  const auto wanted = long_names ? parse_signed(*long_names) : Result<std::int64_t>(0);
  if (!wanted || *wanted == 0) return usual;
  if (*wanted > 0) return std::clamp(static_cast<std::size_t>(*wanted), least, most);
  auto width = least;
  for (const auto& row : rows) width = std::max(width, row.instance.size());
  return std::min(width, most);
}

} // namespace almanac
