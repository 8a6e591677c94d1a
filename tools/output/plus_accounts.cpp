#include "tools/output/plus_accounts.hpp"

#include "core/base/wide.hpp"
#include "core/text/table.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>

namespace almanac {

namespace {

using View = door::ReservationUsageView;

std::vector<NodeUsage> nodes_of(const View& usage, const AccountsWanted& wanted) {
  auto nodes = usage.nodes;
  if (wanted.nodes.empty()) return nodes;
  std::erase_if(nodes, [&](const NodeUsage& node) {
    return std::find(wanted.nodes.begin(), wanted.nodes.end(), node.host) == wanted.nodes.end();
  });
  return nodes;
}

bool is_by_node(AccountRow row) {
  return row == AccountRow::node || row == AccountRow::owner_and_node;
}

// Rows in the order of their keys: numbers of reservations come as numbers.
using Key = std::pair<std::int64_t, std::vector<std::string>>;

Key key_of(const View& usage, const std::string& node, AccountRow row) {
  switch (row) {
  case AccountRow::owner: return {0, {usage.owner}};
  case AccountRow::node: return {0, {node}};
  case AccountRow::owner_and_node: return {0, {usage.owner, node}};
  case AccountRow::reservation:
    return {usage.number.value,
            {"R" + to_string(usage.number), usage.owner, std::to_string(usage.submitted.seconds)}};
  case AccountRow::all: break;
  }
  return {0, {"total"}};
}

void grow(std::int64_t& sum, std::int64_t seconds) { sum = clamped(Wide(sum) + seconds); }

void add(PlusAccount& row, const View& usage, const std::vector<NodeUsage>& nodes,
         std::int64_t reserved) {
  ++row.reservations, row.canceled += usage.given_up ? 1 : 0;
  grow(row.reserved, reserved);
  for (const auto& node : nodes) grow(row.of_nodes, node.reserved), grow(row.used, node.used);
}

std::int64_t longest(const std::vector<NodeUsage>& nodes) {
  std::int64_t most = 0;
  for (const auto& node : nodes) most = std::max(most, node.reserved);
  return most;
}

// With two decimals, rounded.
std::string hours(std::int64_t seconds) {
  const auto hundredths = clamped((Wide(seconds) + 18) / 36);
  const auto rest = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (rest.size() < 2 ? ".0" : ".") + rest;
}

// "88.9"
std::string percent(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "-";
  const auto tenths = clamped((Wide(part) * 1000 + whole / 2) / whole);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::vector<std::string> heads_of(AccountRow row) {
  switch (row) {
  case AccountRow::node: return {"node"};
  case AccountRow::owner_and_node: return {"owner", "node"};
  case AccountRow::reservation: return {"id", "owner"};
  default: return {"owner"};
  }
}

std::string row_of(const std::vector<std::string>& names, const std::vector<std::string>& figures) {
  constexpr std::size_t name_width = 10, widths[] = {12, 8, 14, 10, 15, 12};
  std::string text;
  for (const auto& name : names) text += left(name, name_width) + " ";
  for (std::size_t i = 0; i < figures.size(); ++i)
    text += (i == 0 ? "" : " ") + right(figures[i], widths[i]);
  return line(text);
}

} // namespace

std::vector<PlusAccount> accounts_of(const std::vector<View>& usage, const AccountsWanted& wanted) {
  std::map<Key, PlusAccount> rows;
  for (const auto& one : usage) {
    const auto nodes = nodes_of(one, wanted);
    if (nodes.empty() || (!wanted.owner.empty() && one.owner != wanted.owner)) continue;
    if (is_by_node(wanted.row)) {
      for (const auto& node : nodes)
        add(rows[key_of(one, node.host, wanted.row)], one, {node}, node.reserved);
    } else {
      // Of some of its nodes it is not known how their times overlap; mostly they are the same.
      const auto reserved = wanted.nodes.empty() ? one.reserved_for : longest(nodes);
      add(rows[key_of(one, "", wanted.row)], one, nodes, reserved);
    }
  }
  std::vector<PlusAccount> list;
  for (auto& [key, row] : rows) {
    row.name = key.second;
    row.name.resize(heads_of(wanted.row).size());
    list.push_back(std::move(row));
  }
  return list;
}

void print_plus_accounts(std::ostream& out, AccountRow row, const std::vector<PlusAccount>& list) {
  if (list.empty()) return;
  out << row_of(heads_of(row), {"reservations", "canceled", "reserved_hours", "node_hours",
                                "used_node_hours", "utilisation%"});
  for (const auto& one : list)
    out << row_of(one.name, {std::to_string(one.reservations), std::to_string(one.canceled),
                             hours(one.reserved), hours(one.of_nodes), hours(one.used),
                             percent(one.used, one.of_nodes)});
}

} // namespace almanac
