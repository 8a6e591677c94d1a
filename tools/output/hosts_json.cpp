#include "tools/output/hosts.hpp"
#include "tools/output/job_json.hpp"

namespace almanac {

namespace {

// What is not known of it is left out.
Json host_of(const door::HostView& host) {
  const auto& facts = host.state.facts;
  Json made{{"name", host.state.name}, {"is_up", host.state.phase == HostPhase::up}};
  put_if_set(made, "arch", facts.arch);
  if (facts.processors > 0) made["processors"] = facts.processors;
  put_if_set(made, "notice", host.notice);
  if (host.state.phase == HostPhase::unknown) return made;
  made["memory_total_bytes"] = facts.memory;
  if (!host.load.is_known()) return made;
  made["load_avg"] = static_cast<double>(host.load.load_medium) / 100;
  made["memory_used_bytes"] = facts.memory - host.load.memory_free;
  made["swap_total_bytes"] = host.load.swap_total;
  made["swap_used_bytes"] = host.load.swap_total - host.load.swap_free;
  return made;
}

Json queue_of(const door::InstanceView& instance) {
  return {{"name", instance.queue},        {"type", instance.qtype},
          {"slots_used", instance.used},   {"slots_reserved", instance.most_reserved},
          {"slots_total", instance.total}, {"state", instance.letters}};
}

Json resources_of(const std::vector<door::ResourceView>& resources, const HostDetail& detail) {
  return json_list(named_resources(resources, detail.named),
                   [](const door::ResourceView& resource) { return json_of(resource); });
}

} // namespace

void print_hosts_json(std::ostream& out, const ClusterList& cluster,
                      const std::vector<const door::HostView*>& shown,
                      const std::vector<JobRow>& rows, const HostDetail& detail) {
  const InstancesByHost instances(cluster);
  const RowsByInstance running(rows);
  auto hosts = Json::array();
  for (const auto* host : shown) {
    auto made = host_of(*host);
    if (detail.resources) made["resources"] = resources_of(host->resources, detail);
    auto queues = Json::array(), jobs = Json::array();
    for (const auto* instance : instances.on(host->state.name)) {
      queues.push_back(queue_of(*instance));
      for (const auto& row : running.on(instance->name)) jobs.push_back(json_of(row));
    }
    if (detail.queues) made["queues"] = std::move(queues);
    if (detail.jobs) made["jobs"] = std::move(jobs);
    hosts.push_back(std::move(made));
  }
  print_json(out, {{"hosts", std::move(hosts)}});
}

} // namespace almanac
