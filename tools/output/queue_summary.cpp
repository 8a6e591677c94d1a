#include "tools/output/queue_summary.hpp"

#include "core/text/table.hpp"
#include "tools/output/xml_writer.hpp"

#include <algorithm>
#include <map>
#include <ostream>

namespace almanac {

namespace {

// What is known of the load of the host, for each of its processors.
std::optional<double> load_for_each_processor(const door::HostView* host) {
  if (!host || !host->load.is_known()) return std::nullopt;
  const auto processors = std::max<std::int64_t>(1, host->state.facts.processors);
  return static_cast<double>(host->load.load_medium) / 100 / static_cast<double>(processors);
}

struct Sums {
  QueueSummary queue;
  double load = 0, slots_with_load = 0;

  void add(const door::InstanceView& instance, const door::HostView* host) {
    const auto slots = instance.total;
    const auto is_in = [&](std::string_view letters) {
      return instance.letters.find_first_of(letters) != std::string::npos;
    };
    queue.used += instance.used, queue.reserved += instance.reserved, queue.total += slots;
    if (is_in("cdsuE")) queue.broken += slots;
    else if (is_in("aoACDS")) queue.closed += slots;
    else queue.available += std::max<std::int64_t>(0, slots - instance.used);
    for (std::size_t i = 0; i < summary_letters.size(); ++i)
      if (is_in(summary_letters.substr(i, 1))) queue.in_state.at(i) += slots;
    if (const auto one = load_for_each_processor(host)) {
      load += *one * static_cast<double>(slots);
      slots_with_load += static_cast<double>(slots);
    }
  }
  QueueSummary result() {
    if (slots_with_load > 0) queue.load = load / slots_with_load;
    return std::move(queue);
  }
};

// The names that -ext has in XML, in the order of the letters.
constexpr std::array<const char*, summary_letters.size()> elements{
    "suspend_manual", "suspend_threshold", "suspend_on_subordinate", "suspend_calendar", "unknown",
    "load_alarm",     "disabled_manual",   "disabled_calendar",      "ambiguous",        "orphaned",
    "error"};

} // namespace

std::vector<QueueSummary> summaries_of(const ClusterList& cluster) {
  std::map<std::string, Sums> sums;
  for (const auto& instance : cluster.instances) {
    auto& sum = sums[instance.queue];
    sum.queue.name = instance.queue;
    sum.add(instance, cluster.known_host(instance));
  }
  std::vector<QueueSummary> queues;
  for (auto& [name, sum] : sums) queues.push_back(sum.result());
  return queues;
}

void print_summaries(std::ostream& out, const std::vector<QueueSummary>& queues,
                     SummaryStates states) {
  if (queues.empty()) return;
  const bool all = states == SummaryStates::shown;
  const auto row = [](const std::string& name, const std::string& load,
                      const std::vector<std::string>& slots) {
    auto text = left(name, 30) + " " + right(load, 7);
    for (std::size_t i = 0; i < slots.size(); ++i) text += " " + right(slots[i], i < 6 ? 6 : 5);
    return line(text);
  };
  std::vector<std::string> titles{"USED", "RES", "AVAIL", "TOTAL", "aoACDS", "cdsuE"};
  if (all)
    for (const char letter : summary_letters) titles.emplace_back(1, letter);
  const auto head = row("CLUSTER QUEUE", "CQLOAD", titles);
  out << head << std::string(head.size() - 1, '-') << "\n";
  for (const auto& queue : queues) {
    std::vector<std::string> slots;
    for (const auto count :
         {queue.used, queue.reserved, queue.available, queue.total, queue.closed, queue.broken})
      slots.push_back(std::to_string(count));
    if (all)
      for (const auto count : queue.in_state) slots.push_back(std::to_string(count));
    out << row(queue.name, queue.load ? fixed(*queue.load, 2) : "-NA-", slots);
  }
}

void print_summaries_xml(std::ostream& out, const std::vector<QueueSummary>& queues,
                         SummaryStates states) {
  XmlWriter xml(out);
  xml.begin("job_info", "qstat");
  for (const auto& queue : queues) {
    xml.open("cluster_queue_summary");
    xml.put("name", queue.name);
    if (queue.load) xml.put("load", fixed(*queue.load, 5));
    xml.put("used", queue.used), xml.put("resv", queue.reserved);
    xml.put("available", queue.available), xml.put("total", queue.total);
    xml.put("temp_disabled", queue.closed), xml.put("manual_intervention", queue.broken);
    if (states == SummaryStates::shown)
      for (std::size_t i = 0; i < elements.size(); ++i)
        xml.put(elements.at(i), queue.in_state.at(i));
    xml.close();
  }
  xml.close();
}

} // namespace almanac
