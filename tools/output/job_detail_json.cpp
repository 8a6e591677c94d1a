#include "core/text/ranges.hpp"
#include "tools/output/job_detail.hpp"
#include "tools/output/job_json.hpp"

namespace almanac {

namespace {

Json numbers(const std::vector<JobNumber>& jobs) {
  return json_list(jobs, [](JobNumber job) { return Json(job.value); });
}

// As the options of qsub had it.
void put_requests(Json& made, const JobRequest& request) {
  made["name"] = request.name, made["account"] = request.account;
  put_if_set(made, "project", request.project);
  put_if_set(made, "execution_time", request.execution_time);
  put_if_set(made, "deadline", request.deadline);
  put_if_set(made, "directory", request.directory), put_if_set(made, "shell", request.shell);
  put_if_set(made, "output", request.output), put_if_set(made, "error", request.error);
  put_if_set(made, "input", request.input);
  made["join"] = request.join, made["notify"] = request.notify, made["reserve"] = request.reserve;
  if (request.rerun != Rerun::as_queue) made["rerunnable"] = request.rerun == Rerun::yes;
  made["posix_priority"] = request.priority, made["job_share"] = request.job_share;
  made["override_tickets"] = request.override_tickets;
  put_if_set(made, "mail_options", request.mail_at), put_if_set(made, "mail_list", request.mail_to);
  put_if_set(made, "hard_resources", request.resources);
  put_if_set(made, "soft_resources", request.soft_resources);
  put_if_set(made, "queues", request.queues), put_if_set(made, "soft_queues", request.soft_queues);
  put_if_set(made, "master_queues", request.master_queues);
  put_if_set(made, "master_resources", request.master_resources);
  put_if_set(made, "slave_resources", request.slave_resources);
  put_if_set(made, "slave_queues", request.slave_queues);
  put_if_set(made, "pe", request.pe), put_if_set(made, "allocation_rule", request.allocation_rule);
  put_if_set(made, "pe_rule", request.pe_rule);
  put_if_set(made, "slots", request.slots.empty() ? "" : print_slot_ranges(request.slots));
  put_if_set(made, "checkpoint", request.checkpoint);
  put_if_set(made, "binding", request.binding);
  if (request.reservation) made["reservation"] = request.reservation.value;
  made["command"] = request.command;
  put_if_set(made, "arguments", request.arguments);
  put_if_set(made, "environment", request.environment);
  put_if_set(made, "context", request.context);
  put_if_set(made, "predecessors_asked", request.predecessors);
  if (request.tasks.is_array())
    made["task_range"] = {
        {"first", request.tasks.first}, {"last", request.tasks.last}, {"step", request.tasks.step}};
  if (request.most_running > 0) made["most_running"] = request.most_running;
  if (request.concurrent) made["concurrent"] = true;
}

Json json_of(const door::TaskView& task, bool held) {
  Json made{{"state", task.letters(held)}};
  if (task.number > 0) made["number"] = task.number;
  put_if_set(made, "started", task.started), put_if_set(made, "granted_pe", task.pe);
  if (!task.grants.empty())
    made["granted"] = json_list(task.grants, [](const Grant& grant) { return json_of(grant); });
  if (!task.usage.empty()) made["usage"] = json_of(task.usage.front());
  put_if_set(made, "binding", task.binding);
  put_if_set(made, "suspended", why_suspended(task));
  put_if_set(made, "message", task.reason);
  return made;
}

Json json_of(const door::JobView& view, const std::vector<std::string>& reasons) {
  const auto& job = view.job;
  Json made{{"id", job.number.value},
            {"owner", job.owner.user},
            {"uid", job.owner.uid},
            {"group", job.owner.group},
            {"gid", job.owner.gid}};
  put_if_set(made, "submitted", job.submitted);
  put_if_set(made, "department", view.department);
  put_requests(made, job.request);
  const auto places = output_places(job);
  put_if_set(made, "output_path", places.output), put_if_set(made, "error_path", places.error);
  made["predecessors"] = numbers(view.predecessors), made["successors"] = numbers(view.successors);
  made["waiting_tasks"] = job.waiting_tasks();
  made["tasks"] = json_list(
      job.tasks, [&](const door::TaskView& task) { return json_of(task, job.is_held()); });
  put_if_set(made, "scheduling_info", reasons);
  return made;
}

} // namespace

void print_jobs_in_detail_json(std::ostream& out, const std::vector<door::JobView>& jobs,
                               const SchedulingInfo& info,
                               const std::vector<std::string>& unknown) {
  const auto one = [&](const door::JobView& view) {
    const auto reasons = info.find(view.job.number);
    return json_of(view, reasons == info.end() ? std::vector<std::string>() : reasons->second);
  };
  print_json(out, {{"jobs", json_list(jobs, one)}, {"unknown", unknown}});
}

void print_reasons_json(std::ostream& out, const std::vector<KeptJobs>& reasons) {
  print_json(out, {{"reasons", json_list(reasons, [](const KeptJobs& kept) -> Json {
                      return {{"reason", kept.reason}, {"jobs", numbers(kept.jobs)}};
                    })}});
}

} // namespace almanac
