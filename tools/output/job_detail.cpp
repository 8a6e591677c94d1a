#include "tools/output/job_detail.hpp"

#include "core/request/submit_table.hpp"
#include "core/text/table.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"
#include "tools/output/local_time.hpp"
#include "tools/output/task_usage.hpp"

#include <algorithm>
#include <ostream>

namespace almanac {

namespace {

std::string listed(const std::vector<JobNumber>& jobs) {
  std::vector<std::string> numbers;
  for (const auto& job : jobs) numbers.push_back(to_string(job));
  return join(numbers, ",");
}

std::string attracted(const std::vector<ReservationNumber>& reservations) {
  std::vector<std::string> numbers;
  for (const auto& number : reservations) numbers.push_back(to_string(number));
  return numbers.empty() ? "" : join(numbers, ",") + " (attracted)";
}

// Jobs of a reservation are verified when they are submitted, whatever -w says
// (spec/observed-gridengine.md section 5).
std::string verification(const JobRequest& request) {
  if (request.reservation) return "2";
  switch (request.validation) {
  case Validation::error: return "1";
  case Validation::warning: return "3";
  default: return "";
  }
}

class DetailLines {
public:
  DetailLines(std::ostream& out, const door::JobView& view)
      : out_(out), view_(view), job_(view.job), request_(job_.request) {}

  void print() {
    out_ << std::string(62, '=') << "\n";
    put("job_number", to_string(job_.number));
    put("exec_file", "job_scripts/" + to_string(job_.number));
    put("submission_time", print_time(job_.submitted));
    put_options(Shown::Place::before_owner);
    put("owner", job_.owner.user);
    put("uid", std::to_string(job_.owner.uid));
    put("group", job_.owner.group);
    put("gid", std::to_string(job_.owner.gid));
    for (const auto& [name, value] : request_.origin)
      put_always(name == "SGE_O_LOGNAME" ? "sge_o_log_name" : lower(name), value);
    put_options(Shown::Place::before_script);
    if (!request_.arguments.empty()) put_always("job_args", join(request_.arguments, ","));
    put_always("script_file", request_.command);
    put_options(Shown::Place::after_script);
    put("ar_id", attracted(view_.attracted_by));
    put("verify_suitable_queues", verification(request_));
    const auto places = output_places(job_);
    put("output_path", places.output);
    put("error_path", places.error);
    for (const auto& task : job_.tasks) print(task);
  }
  void put_info(const std::vector<std::string>& sentences) {
    for (std::size_t i = 0; i < sentences.size(); ++i)
      out_ << left(i == 0 ? "scheduling info:" : "", 28) << sentences[i] << "\n";
  }

private:
  void put(const std::string& label, const std::string& value) {
    if (!value.empty()) put_always(label, value);
  }
  // Its value may be withheld from who asks; the line is there.
  void put_always(const std::string& label, const std::string& value) {
    auto title = left(label + ":", 28);
    if (!title.ends_with(' ')) title += ' ';
    out_ << line(title + value);
  }
  // What is known beside the options stands before those that it belongs to.
  void put_options(Shown::Place place) {
    for (const auto& option : submit_table()) {
      if (option.shown->place != place) continue;
      if (*option.name == "-ar") {
        put("jid_predecessor_list", listed(view_.predecessors));
        put("jid_successor_list", listed(view_.successors));
      }
      if (*option.name == "-t") put("department", view_.department);
      put(option.shown->label, option.shown->text(request_, print_time));
    }
  }
  void print(const door::TaskView& task) {
    const auto number = std::to_string(std::max<std::int64_t>(1, task.number));
    std::vector<std::string> grants;
    for (const auto& grant : task.grants)
      grants.push_back(grant.instance.text() + "=" + std::to_string(grant.slots));
    put("granted " + number, join(grants, ","));
    for (const auto& usage : task.usage) put("usage " + number, usage_text(usage));
    // Both are told together: before that nobody knows whether it is bound.
    if (!request_.binding.empty() && !task.usage.empty())
      out_ << line("binding " + right(number, 4) + ":" + std::string(15, ' ') +
                   (task.binding.empty() ? "NONE" : task.binding));
    put("suspended " + number, why_suspended(task));
    if (!task.reason.empty())
      put((task.state == TaskState::error ? "error reason " : "note ") + number, task.reason);
  }

  std::ostream& out_;
  const door::JobView& view_;
  const door::ShownJob& job_;
  const JobRequest& request_;
};

} // namespace

OutputPlaces output_places(const door::ShownJob& shown) {
  Job job;
  job.number = shown.number, job.owner = shown.owner, job.request = shown.request;
  return output_places(job);
}

std::string why_suspended(const door::TaskView& task) {
  std::vector<std::string> causes;
  const auto add = [&](bool is_so, const char* cause) {
    if (is_so) causes.emplace_back(cause);
  };
  add(task.suspended_by_user, "by qmod -sj");
  add(task.suspended_by_queue, "with its queue instance");
  add(task.suspended_by_slots, "for the slots of a queue above it (subordinate_list)");
  add(task.throttled, "by a suspend threshold");
  return join(causes, ", ");
}

std::string usage_text(const TaskUsage& usage) {
  const auto memory = [](std::int64_t bytes) { return short_memory(static_cast<double>(bytes)); };
  return "cpu=" + print_duration({usage.cpu_microseconds / 1'000'000}) +
         ", mem=" + gigabyte_seconds(usage) + " GB s, io=" + gigabytes_of_io(usage) +
         " GB, vmem=" + memory(usage.vmem_bytes) + ", maxvmem=" + memory(usage.maxvmem_bytes);
}

void print_job(std::ostream& out, const door::JobView& view,
               const std::vector<std::string>& scheduling_info) {
  DetailLines lines(out, view);
  lines.print();
  lines.put_info(scheduling_info);
}

} // namespace almanac
