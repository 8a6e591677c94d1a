#include "tools/output/job_xml.hpp"

#include "core/text/table.hpp"
#include "core/text/values.hpp"
#include "tools/output/local_time.hpp"
#include "tools/output/task_usage.hpp"
#include "tools/output/xml_writer.hpp"

#include <ostream>

namespace almanac {

namespace {

std::string weight(std::int64_t millionths) {
  return fixed(static_cast<double>(millionths) / 1e6, 5);
}

const char* state_of(const JobRow& row) {
  switch (row.kind) {
  case JobRow::Kind::running: return "running";
  case JobRow::Kind::pending: return "pending";
  case JobRow::Kind::finished: return "finished";
  }
  return "";
}

class JobElements {
public:
  enum class Queue { shown, hidden };
  JobElements(XmlWriter& xml, const JobColumns& columns, Queue queue)
      : xml_(xml), columns_(columns), queue_(queue) {}

  void put(const JobRow& row) {
    const auto& job = *row.job;
    xml_.open("job_list", {{"state", state_of(row)}});
    xml_.put("JB_job_number", to_string(job.number));
    put_priority(job);
    xml_.put("JB_name", job.name);
    xml_.put("JB_owner", job.user);
    if (columns_.extended) {
      xml_.put("JB_project", job.project);
      xml_.put("JB_department", job.department);
    }
    xml_.put("state", row.line->state);
    xml_.put(row.kind == JobRow::Kind::pending ? "JB_submission_time" : "JAT_start_time",
             print_iso_time(row.line->time));
    if (columns_.urgency && job.deadline.seconds)
      xml_.put("JB_deadline", print_iso_time(job.deadline));
    if (columns_.extended) put_usage(row), put_tickets(job);
    if (queue_ == Queue::shown) xml_.put("queue_name", row.instance);
    if (columns_.roles && !row.role.empty()) xml_.put("master", row.role);
    xml_.put("slots", row.slots);
    if (!row.tasks.empty()) xml_.put("tasks", row.tasks);
    if (columns_.requests && !job.requests.empty()) put_requests(row, job.requests.front());
    xml_.close();
  }

private:
  void put_priority(const door::JobLines& job) {
    const auto& priority = job.priority;
    xml_.put("JAT_prio", weight(priority.value));
    if (columns_.extended || columns_.priority)
      xml_.put("JAT_ntix", weight(priority.normal_tickets));
    if (columns_.urgency || columns_.priority) xml_.put("JB_nurg", weight(priority.normal_urgency));
    if (columns_.urgency) {
      xml_.put("JB_urg", priority.urgency.sum() / 1'000'000);
      xml_.put("JB_rrcontr", priority.urgency.resources / 1'000'000);
      xml_.put("JB_wtcontr", priority.urgency.waiting / 1'000'000);
      xml_.put("JB_dlcontr", priority.urgency.deadline / 1'000'000);
    }
    if (columns_.priority) {
      xml_.put("JB_nppri", weight(priority.posix));
      xml_.put("JB_priority", job.posix_priority);
    }
  }
  void put_usage(const JobRow& row) {
    for (const auto& usage : row.line->usage) {
      xml_.put("cpu_usage", fixed(static_cast<double>(usage.cpu_microseconds) / 1e6, 5));
      xml_.put("mem_usage", gigabyte_seconds(usage));
      xml_.put("io_usage", gigabytes_of_io(usage));
    }
  }
  // Without a share tree there are no tickets of it, and no shares.
  void put_tickets(const door::JobLines& job) {
    const auto& tickets = job.priority.tickets;
    xml_.put("tickets", tickets.sum());
    xml_.put("JB_override_tickets", job.override_tickets);
    xml_.put("JB_jobshare", job.job_share);
    xml_.put("otickets", tickets.override_part);
    xml_.put("ftickets", tickets.functional_part);
    xml_.put("stickets", 0);
    xml_.put("JAT_share", "0.00000");
  }
  void put_requests(const JobRow& row, const door::JobRequestsView& asked) {
    xml_.put("full_job_name", row.job->name);
    if (!asked.pe.empty()) xml_.put("requested_pe", {{"name", asked.pe}}, asked.slots);
    if (!row.line->pe.empty())
      xml_.put("granted_pe", {{"name", row.line->pe}}, std::to_string(row.line->slots));
    for (const auto& [name, value, urgency] : asked.hard)
      xml_.put("hard_request",
               {{"name", name}, {"resource_contribution", print_millionths(urgency)}}, value);
    for (const auto& request : asked.soft)
      xml_.put("soft_request", {{"name", request.name}}, request.value);
    put_each("hard_req_queue", asked.queues);
    put_each("soft_req_queue", asked.soft_queues);
    put_each("master_hard_req_queue", asked.master_queues);
    put_each("predecessor_jobs_req", asked.predecessors_asked);
    for (const auto& job : asked.predecessors) xml_.put("predecessor_jobs", to_string(job));
  }
  void put_each(const char* name, const std::vector<std::string>& texts) {
    for (const auto& text : texts) xml_.put(name, text);
  }

  XmlWriter& xml_;
  const JobColumns& columns_;
  Queue queue_;
};

void put_waiting(XmlWriter& xml, const std::vector<JobRow>& rows, JobElements& jobs) {
  xml.open("job_info");
  for (const auto& row : rows)
    if (row.kind != JobRow::Kind::running) jobs.put(row);
  xml.close();
}

void put_instance(XmlWriter& xml, const ClusterList& cluster, const door::InstanceView& instance,
                  const InstanceDetail& detail) {
  xml.put("name", instance.name);
  xml.put("qtype", instance.qtype);
  xml.put("slots_used", instance.used);
  xml.put("slots_resv", instance.reserved);
  xml.put("slots_total", instance.total);
  const auto load = load_of(cluster, instance, detail.load);
  if (load != "-NA-") xml.put("load_avg", load);
  if (const auto* host = cluster.known_host(instance)) xml.put("arch", host->state.facts.arch);
  if (!instance.letters.empty()) xml.put("state", instance.letters);
  const auto explained = explained_states(detail, instance);
  const auto wants = [&](char letter) { return explained.find(letter) != std::string::npos; };
  if (wants('a') && !instance.load_alarm.empty()) xml.put("load-alarm-reason", instance.load_alarm);
  if (wants('A') && !instance.suspend_alarm.empty())
    xml.put("suspend-alarm-reason", instance.suspend_alarm);
  for (const char letter : {'c', 'E', 'd'})
    if (wants(letter))
      for (const auto& reason : reasons_of(instance, {letter})) xml.put("message", reason);
  if (detail.resources)
    for (const auto& resource : named_resources(instance.resources, detail.named))
      xml.put("resource", {{"name", resource.name}, {"type", resource.kind}}, resource.value);
}

} // namespace

void print_jobs_xml(std::ostream& out, const std::vector<JobRow>& rows, const JobColumns& columns) {
  XmlWriter xml(out);
  JobElements jobs(xml, columns, JobElements::Queue::shown);
  xml.begin("job_info", "qstat");
  xml.open("queue_info");
  for (const auto& row : rows)
    if (row.kind == JobRow::Kind::running) jobs.put(row);
  xml.close();
  put_waiting(xml, rows, jobs);
  xml.close();
}

void print_instances_xml(std::ostream& out, const ClusterList& cluster,
                         const std::vector<JobRow>& rows, const InstanceDetail& detail,
                         const JobColumns& columns) {
  XmlWriter xml(out);
  const RowsByInstance running(rows);
  JobElements jobs(xml, columns, JobElements::Queue::hidden);
  xml.begin("job_info", "qstat");
  xml.open("queue_info");
  for (const auto& instance : cluster.instances) {
    const auto& rows_here = running.on(instance.name);
    if (detail.hide_empty && instance.used == 0 && rows_here.empty()) continue;
    xml.open("Queue-List");
    put_instance(xml, cluster, instance, detail);
    for (const auto& row : rows_here) jobs.put(row);
    xml.close();
  }
  xml.close();
  put_waiting(xml, rows, jobs);
  xml.close();
}

} // namespace almanac
