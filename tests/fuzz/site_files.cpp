// Files that a site writes for the planner: sched_conf and reservable.ad. Whatever stands in them, the
// fault is one line, and what is read orders nodes strictly.
#include "core/configuration/objects/site_file.hpp"
#include "core/configuration/objects/sort_keys.hpp"
#include "core/policy/node_order.hpp"
#include "core/text/names.hpp"
#include "core/text/natural_order.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace almanac;

namespace {

std::string lists_of(const SortKeys& keys) {
  std::string text;
  const auto add = [&](const char* name, const OrderList& list) {
    if (list.empty()) return;
    std::vector<std::pair<std::int64_t, std::string>> places;
    for (const auto& [entry, place] : list) places.emplace_back(place, entry);
    std::sort(places.begin(), places.end());
    text += std::string(name) + ":";
    for (const auto& [place, entry] : places)
      text += (place == places.front().first ? " " : ", ") + entry;
    text += "\n";
  };
  add("OwnersOrder", keys.owners), add("GroupsOrder", keys.groups), add("HostsOrder", keys.hosts);
  return text;
}

// As it would be written in the plainest way.
std::string printed(const SortKeys& keys) {
  std::string text = "JobSortKey:";
  for (const auto key : keys.jobs)
    text += (key == keys.jobs.front() ? " " : ", ") + std::string(name_of(key));
  text += "\nNodeSortKey:";
  for (const auto key : keys.nodes)
    text += (key == keys.nodes.front() ? " " : ", ") + std::string(name_of(key));
  return text + "\n" + lists_of(keys);
}

void check_keys(std::string_view text, bool is_faulty) {
  const auto keys = parse_sort_keys(text);
  check(keys.ok() || is_faulty, "what cannot be read is a fault");
  if (!keys) return;
  check(std::count_if(keys->jobs.begin(), keys->jobs.end(), is_grouping) <= 1,
        "there is one grouping stage at the most");
  // Places have gaps where a name stood twice: a second reading has none.
  const auto again = parse_sort_keys(printed(*keys));
  check(again.ok() && again->jobs == keys->jobs && again->nodes == keys->nodes, "keys read back");
  check(again->owners.size() == keys->owners.size(), "lists read back");
}

void check_nodes(std::string_view text) {
  SortKeys keys;
  std::vector<NodeFacts> nodes;
  while (!text.empty() && nodes.size() < 20) {
    const auto end = std::min(text.find('\n'), text.size());
    nodes.push_back({std::string(text.substr(0, end)), {}, {}, 0});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto order = node_order(keys, nodes);
  check(order.size() == nodes.size(), "no node gets lost");
  for (std::size_t i = 1; i < order.size(); ++i)
    check(natural_order(nodes[order[i]].name, nodes[order[i - 1]].name) >= 0, "nodes ascend");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pieces pieces(as_text(data, size));
  const auto choice = pieces.byte() % 2;
  const auto text = pieces.rest();
  const auto fault = fault_of(choice == 0 ? "sched_conf" : "reservable.ad", text);
  if (fault) check(is_utf8(*fault) && fault->find('\n') == std::string::npos, "a fault is a line");
  if (choice == 0) check_keys(text, fault.has_value()), check_nodes(text);
  return 0;
}
