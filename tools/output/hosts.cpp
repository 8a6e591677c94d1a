#include "tools/output/hosts.hpp"

#include "core/text/topology.hpp"
#include "core/text/table.hpp"
#include "tools/output/drain.hpp"
#include "tools/output/job_table.hpp"
#include "tools/output/xml_writer.hpp"

#include <ostream>
#include <set>

namespace almanac {

namespace {

// The values of the columns behind the name, each with its name in XML.
struct HostValues {
  std::string arch = "-", processors = "-", load = "-", memory = "-", memory_used = "-", swap = "-",
              swap_used = "-", sockets = "-", cores = "-", threads = "-";

  HostValues() = default;
  explicit HostValues(const door::HostView& host) {
    const auto& facts = host.state.facts;
    const auto& measured = host.load;
    if (!facts.arch.empty()) arch = facts.arch;
    if (facts.processors) processors = std::to_string(facts.processors);
    sockets = counted(facts, "m_socket"), cores = counted(facts, "m_core");
    threads = counted(facts, "m_thread");
    if (host.state.phase == HostPhase::unknown) return;
    memory = bytes(facts.memory);
    if (!measured.is_known()) return;
    load = fixed(static_cast<double>(measured.load_medium) / 100, 2);
    memory_used = bytes(facts.memory - measured.memory_free);
    swap = bytes(measured.swap_total), swap_used = bytes(measured.swap_total - measured.swap_free);
  }
  static std::string counted(const door::MachineView& facts, const char* name) {
    return topology_value(facts.topology, name).value_or("-");
  }
  static std::string bytes(std::int64_t count) { return short_memory(static_cast<double>(count)); }
};

std::string host_row(const std::string& name, const HostValues& values, bool topology) {
  auto text = left(name, 23) + " " + left(values.arch, 13) + right(values.processors, 5);
  if (topology)
    for (const auto* part : {&values.sockets, &values.cores, &values.threads})
      text += right(*part, 5);
  return line(text + right(values.load, 7) + right(values.memory, 8) +
              right(values.memory_used, 8) + right(values.swap, 8) + right(values.swap_used, 8));
}

std::string slots_of(const door::InstanceView& instance) {
  return std::to_string(instance.most_reserved) + "/" + std::to_string(instance.used) + "/" +
         std::to_string(instance.total);
}

std::vector<door::ResourceView> of_the_cell(const ClusterList& cluster) {
  std::vector<door::ResourceView> list;
  if (cluster.hosts.empty()) return list;
  for (const auto& resource : cluster.hosts.begin()->second.resources)
    if (resource.kind.starts_with('g')) list.push_back(resource);
  return list;
}

class HostElements {
public:
  HostElements(XmlWriter& xml, const HostDetail& detail) : xml_(xml), detail_(detail) {}

  /// What follows until close() is below the host.
  void open(const std::string& name, const HostValues& values,
            const std::vector<door::ResourceView>& resources) {
    xml_.open("host", {{"name", name}});
    value("arch_string", values.arch), value("num_proc", values.processors);
    if (detail_.topology)
      value("m_socket", values.sockets), value("m_core", values.cores),
          value("m_thread", values.threads);
    value("load_avg", values.load), value("mem_total", values.memory);
    value("mem_used", values.memory_used), value("swap_total", values.swap);
    value("swap_used", values.swap_used);
    if (!detail_.resources) return;
    for (const auto& resource : named_resources(resources, detail_.named))
      xml_.put("resourcevalue", {{"name", resource.name}, {"dominance", resource.kind}},
               resource.value);
  }
  void put(const door::InstanceView& instance) {
    xml_.open("queue", {{"name", instance.queue}});
    const auto queue_value = [&](const char* name, const std::string& text) {
      xml_.put("queuevalue", {{"qname", instance.queue}, {"name", name}}, text);
    };
    queue_value("qtype_string", instance.qtype);
    queue_value("slots_used", std::to_string(instance.used));
    queue_value("slots", std::to_string(instance.total));
    queue_value("slots_resv", std::to_string(instance.most_reserved));
    queue_value("state_string", instance.letters);
    xml_.close();
  }
  void put(const JobRow& row) {
    const auto number = to_string(row.job->number);
    const auto job_value = [&](const char* name, const std::string& text) {
      xml_.put("jobvalue", {{"jobid", number}, {"name", name}}, text);
    };
    xml_.open("job", {{"name", number}});
    job_value("priority", fixed(static_cast<double>(row.job->priority.value) / 1e6, 6));
    job_value("qinstance_name", row.instance);
    job_value("job_name", row.job->name), job_value("job_owner", row.job->user);
    job_value("job_state", row.line->state);
    job_value("start_time", std::to_string(row.line->time.seconds));
    job_value("queue_name", row.instance.substr(0, row.instance.find('@')));
    if (!row.tasks.empty()) job_value("taskid", row.tasks);
    job_value("pe_master", row.role);
    xml_.close();
  }

private:
  void value(const char* name, const std::string& text) {
    xml_.put("hostvalue", {{"name", name}}, text);
  }
  XmlWriter& xml_;
  const HostDetail& detail_;
};

} // namespace

void HostTable::print_heading() {
  HostValues titles;
  titles.arch = "ARCH", titles.processors = "NCPU", titles.load = "LOAD";
  titles.memory = "MEMTOT", titles.memory_used = "MEMUSE";
  titles.swap = "SWAPTO", titles.swap_used = "SWAPUS";
  titles.sockets = "NSOC", titles.cores = "NCOR", titles.threads = "NTHR";
  out_ << host_row("HOSTNAME", titles, detail_.topology)
       << std::string(detail_.topology ? 95 : 80, '-') << "\n"
       << host_row("global", {}, detail_.topology);
  if (detail_.resources) print_resources(of_the_cell(cluster_));
}

void HostTable::print(const door::HostView& host) {
  const auto& name = host.state.name;
  out_ << host_row(name, HostValues(host), detail_.topology);
  if (detail_.resources) print_resources(host.resources);
  if (!host.notice.empty()) out_ << line("   " + host.notice);
  if (!detail_.queues) print_drain(name);
  if (detail_.queues || detail_.jobs) print_queues(name);
}

// Under a title where some were named.
void HostTable::print_resources(const std::vector<door::ResourceView>& resources) {
  bool is_first = !detail_.named.empty();
  for (const auto& [kind, name, value, shortcut] : named_resources(resources, detail_.named)) {
    if (is_first) out_ << "    Host Resource(s):   ";
    is_first = false;
    out_ << "   " << kind << ":" << name << "=" << value << "\n";
  }
}

// Of a host that is out of use as a whole, with one reason.
void HostTable::print_drain(const std::string& host) {
  std::set<std::string> drains;
  for (const auto* instance : instances_.on(host))
    drains.insert(instance->drain.is_explained() ? drain_in_words(instance->drain) : "");
  if (drains.size() == 1 && !drains.begin()->empty()) out_ << line("   " + *drains.begin());
}

void HostTable::print_queues(const std::string& host) {
  JobColumns columns;
  columns.roles = true, columns.queue_width = 10, columns.number_width = number_width_;
  JobTable table(out_, columns, detail_.queues ? JobTable::Queue::hidden : JobTable::Queue::shown,
                 "   ");
  bool has_heading = false;
  for (const auto* instance : instances_.on(host)) {
    if (detail_.queues)
      out_ << line("   " + left(instance->queue, 20) + " " + left(instance->qtype, 5) + " " +
                   left(slots_of(*instance), 14) + " " + instance->letters);
    if (detail_.queues && instance->drain.is_explained())
      out_ << line("      " + drain_in_words(instance->drain));
    if (!detail_.jobs) continue;
    for (const auto& row : rows_.on(instance->name)) {
      if (!has_heading) table.print_heading();
      has_heading = true;
      table.print(row);
    }
  }
}

void print_hosts_xml(std::ostream& out, const ClusterList& cluster,
                     const std::vector<const door::HostView*>& shown,
                     const std::vector<JobRow>& rows, const HostDetail& detail) {
  XmlWriter xml(out, '\'');
  HostElements elements(xml, detail);
  const InstancesByHost instances(cluster);
  const RowsByInstance running(rows);
  xml.begin("qhost", "qhost");
  elements.open("global", {}, of_the_cell(cluster));
  xml.close();
  for (const auto* host : shown) {
    const auto& name = host->state.name;
    elements.open(name, HostValues(*host), host->resources);
    for (const auto* instance : instances.on(name)) {
      if (detail.queues) elements.put(*instance);
      if (detail.jobs)
        for (const auto& row : running.on(instance->name)) elements.put(row);
    }
    xml.close();
  }
  xml.close();
}

} // namespace almanac
