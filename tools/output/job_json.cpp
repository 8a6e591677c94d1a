#include "tools/output/job_json.hpp"

#include "tools/output/local_time.hpp"

namespace almanac {

namespace {

const char* kind_of(const JobRow& row) {
  switch (row.kind) {
  case JobRow::Kind::running: return "running";
  case JobRow::Kind::pending: return "pending";
  case JobRow::Kind::finished: return "finished";
  }
  return "";
}

Json priority_of(const door::JobLines& job) {
  const auto& priority = job.priority;
  return {{"urgency", as_number(priority.urgency.sum())},
          {"urgency_of_resources", as_number(priority.urgency.resources)},
          {"urgency_of_waiting", as_number(priority.urgency.waiting)},
          {"urgency_of_deadline", as_number(priority.urgency.deadline)},
          {"posix_priority", job.posix_priority},
          {"tickets", priority.tickets.sum()},
          {"override_tickets", job.override_tickets},
          {"job_share", job.job_share},
          {"normal_urgency", as_number(priority.normal_urgency)},
          {"normal_priority", as_number(priority.posix)},
          {"normal_tickets", as_number(priority.normal_tickets)}};
}

Json requests_of(const door::JobRequestsView& asked) {
  auto requests = Json::object();
  put_if_set(requests, "pe", asked.pe);
  put_if_set(requests, "slots", asked.slots);
  const auto of_list = [](const std::vector<door::AskedResourceView>& list) {
    return json_list(list, [](const door::AskedResourceView& one) -> Json {
      return {{"name", one.name}, {"value", one.value}, {"urgency", as_number(one.urgency)}};
    });
  };
  requests["hard"] = of_list(asked.hard), requests["soft"] = of_list(asked.soft);
  put_if_set(requests, "queues", asked.queues);
  put_if_set(requests, "soft_queues", asked.soft_queues);
  put_if_set(requests, "master_queues", asked.master_queues);
  put_if_set(requests, "predecessors_asked", asked.predecessors_asked);
  if (!asked.predecessors.empty())
    requests["predecessors"] =
        json_list(asked.predecessors, [](JobNumber job) { return Json(job.value); });
  return requests;
}

// What is known of why an instance is disabled.
Json disabled_of(const door::DrainView& drain) {
  auto made = Json::object();
  put_if_set(made, "reason", drain.why);
  put_if_set(made, "by", drain.by);
  put_if_set(made, "since", drain.since);
  put_if_set(made, "until", drain.until);
  return made;
}

Json instance_of(const ClusterList& cluster, const door::InstanceView& instance,
                 const InstanceDetail& detail) {
  Json made{{"name", instance.name},         {"queue", instance.queue},
            {"host", instance.host},         {"type", instance.qtype},
            {"slots_used", instance.used},   {"slots_reserved", instance.reserved},
            {"slots_total", instance.total}, {"state", instance.letters}};
  const auto load = load_of(cluster, instance, detail.load);
  if (load != "-NA-") made["load"] = load;
  if (const auto* host = cluster.known_host(instance))
    put_if_set(made, "arch", host->state.facts.arch);
  if (auto disabled = disabled_of(instance.drain); !disabled.empty())
    made["disabled"] = std::move(disabled);
  put_if_set(made, "reasons", reasons_of(instance, detail.reasons));
  if (detail.resources)
    made["resources"] =
        json_list(named_resources(instance.resources, detail.named),
                  [](const door::ResourceView& resource) { return json_of(resource); });
  return made;
}

} // namespace

Json json_of(const door::ResourceView& resource) {
  return {{"name", resource.name}, {"type", resource.kind}, {"value", resource.value}};
}

Json json_of(const Grant& grant) {
  return {{"queue_instance", grant.instance.text()}, {"slots", grant.slots}};
}

Json json_of(const TaskUsage& usage) {
  return {{"cpu_seconds", as_number(usage.cpu_microseconds)},
          {"memory_kib_seconds", usage.memory_kib_seconds},
          {"io_bytes", usage.io_bytes},
          {"io_wait_seconds", as_number(usage.io_wait_microseconds)},
          {"vmem_bytes", usage.vmem_bytes},
          {"maxvmem_bytes", usage.maxvmem_bytes}};
}

Json json_of(const JobRow& row) {
  const auto& job = *row.job;
  Json made{{"id", job.number.value},
            {"name", job.name},
            {"owner", job.user},
            {"state", row.line->state},
            {"kind", kind_of(row)},
            {"slots", row.slots},
            {"priority", as_number(job.priority.value)}};
  put_if_set(made, "project", job.project), put_if_set(made, "department", job.department);
  put_if_set(made, row.kind == JobRow::Kind::pending ? "submitted" : "started", row.line->time);
  put_if_set(made, "deadline", job.deadline);
  put_if_set(made, "queue_instance", row.instance);
  put_if_set(made, "tasks", row.tasks), put_if_set(made, "role", row.role);
  put_if_set(made, "granted_pe", row.line->pe);
  made["priority_parts"] = priority_of(job);
  if (!row.line->usage.empty()) made["usage"] = json_of(row.line->usage.front());
  if (!job.requests.empty()) made["requests"] = requests_of(job.requests.front());
  return made;
}

void print_jobs_json(std::ostream& out, const std::vector<JobRow>& rows) {
  print_json(out, {{"jobs", json_list(rows, [](const JobRow& row) { return json_of(row); })}});
}

void print_instances_json(std::ostream& out, const ClusterList& cluster,
                          const std::vector<JobRow>& rows, const InstanceDetail& detail) {
  const RowsByInstance running(rows);
  auto instances = Json::array(), others = Json::array();
  for (const auto& instance : cluster.instances) {
    const auto& rows_here = running.on(instance.name);
    if (detail.hide_empty && instance.used == 0 && rows_here.empty()) continue;
    auto made = instance_of(cluster, instance, detail);
    made["jobs"] = json_list(rows_here, [](const JobRow& row) { return json_of(row); });
    instances.push_back(std::move(made));
  }
  for (const auto& row : rows)
    if (row.kind != JobRow::Kind::running) others.push_back(json_of(row));
  print_json(out, {{"queue_instances", std::move(instances)}, {"jobs", std::move(others)}});
}

} // namespace almanac
