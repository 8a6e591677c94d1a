#include "tools/output/instance_list.hpp"

#include "core/text/table.hpp"
#include "core/text/values.hpp"
#include "tools/output/drain.hpp"

#include <algorithm>
#include <ostream>

namespace almanac {

namespace {

std::string columns_of(std::size_t width, const std::string& name, const std::string& type,
                       const std::string& slots, const std::string& load, const std::string& arch,
                       const std::string& states) {
  return line(left(name, width) + " " + left(type, 5) + " " + left(slots, 14) + " " +
              left(load, 8) + " " + left(arch, 13) + " " + states);
}

// Among the others, under a title; nothing where there are none.
void print_titled(std::ostream& out, const std::string& title, JobRow::Kind kind,
                  const std::vector<JobRow>& rows, JobTable& table) {
  if (std::none_of(rows.begin(), rows.end(), [&](auto& row) { return row.kind == kind; })) return;
  out << "\n" << std::string(76, '#') << "\n";
  for (int i = 0; i < 5; ++i) out << " - " << title;
  out << "\n" << std::string(76, '#') << "\n";
  for (const auto& row : rows)
    if (row.kind == kind) table.print(row);
}

} // namespace

std::vector<std::string> reasons_of(const door::InstanceView& instance,
                                    const std::string& letters) {
  std::vector<std::string> reasons;
  const auto add = [&](char letter, const std::string& reason) {
    if (letters.find(letter) != std::string::npos && !reason.empty()) reasons.push_back(reason);
  };
  add('a', instance.load_alarm), add('A', instance.suspend_alarm);
  if (instance.letters.find('c') != std::string::npos)
    add('c',
        "host groups of " + instance.host + " have different values in queue " + instance.queue);
  add('E', instance.reason);
  add('d', drain_in_words(instance.drain));
  return reasons;
}

std::string explained_states(const InstanceDetail& detail, const door::InstanceView& instance) {
  return detail.reasons + (instance.drain.is_explained() ? "d" : "");
}

std::string load_of(const ClusterList& cluster, const door::InstanceView& instance,
                    const std::string& name) {
  const auto* host = cluster.known_host(instance);
  if (!host) return "-NA-";
  const bool is_average = name == "load_avg";
  if (is_average && !host->load.is_known()) return "-NA-";
  const auto* resource = find_resource(instance, name);
  // Without that complex there is only what was measured, which is not scaled.
  if (!resource && is_average) return fixed(static_cast<double>(host->load.load_medium) / 100, 2);
  if (!resource) return "-NA-";
  const auto number = parse_millionths(resource->value);
  return number ? fixed(static_cast<double>(*number) / 1e6, 2) : resource->value;
}

void print_instances(std::ostream& out, const ClusterList& cluster, const std::vector<JobRow>& rows,
                     const InstanceDetail& detail, const JobColumns& columns) {
  const RowsByInstance running(rows);
  JobTable table(out, columns, JobTable::Queue::hidden);
  const auto width = columns.queue_width;
  out << columns_of(width, "queuename", "qtype", "resv/used/tot.", detail.load, "arch", "states");
  for (const auto& instance : cluster.instances) {
    const auto& jobs = running.on(instance.name);
    if (detail.hide_empty && instance.used == 0 && jobs.empty()) continue;
    const auto* host = cluster.known_host(instance);
    out << std::string(width + 51, '-') << "\n"
        << columns_of(width, instance.name, instance.qtype,
                      std::to_string(instance.reserved) + "/" + std::to_string(instance.used) +
                          "/" + std::to_string(instance.total),
                      load_of(cluster, instance, detail.load),
                      host ? host->state.facts.arch : "-NA-",
                      in_colour_of(instance.letters, instance.letters, columns.colour));
    if (detail.resources)
      for (const auto& resource : named_resources(instance.resources, detail.named))
        out << "\t" << resource.kind << ":" << resource.name << "=" << resource.value << "\n";
    for (const auto& reason : reasons_of(instance, explained_states(detail, instance)))
      out << "\t" << reason << "\n";
    for (const auto& row : jobs) table.print(row);
  }
  print_titled(out, "PENDING JOBS", JobRow::Kind::pending, rows, table);
  print_titled(out, "FINISHED JOBS", JobRow::Kind::finished, rows, table);
}

} // namespace almanac
