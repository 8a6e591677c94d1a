#include "tools/output/usage.hpp"

#include "core/text/table.hpp"
#include "tools/output/local_time.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

namespace almanac {

namespace {

using Json = nlohmann::ordered_json;

std::string or_dash(const std::string& name) { return name.empty() ? "-" : name; }

Json as_json(const CellUsage& cell) {
  return {{"used_inside", cell.used_inside},
          {"used_outside", cell.used_outside},
          {"down", cell.down},
          {"maintenance", cell.maintenance},
          {"closed", cell.closed},
          {"idle_reserved", cell.idle_reserved},
          {"gap", cell.gap},
          {"free", cell.free},
          {"over", cell.over},
          {"total", cell.slots_by_time()}};
}

Json as_json(const door::ReservationUsageView& one) {
  return {{"id", one.number.value},
          {"submitted", print_iso_time(one.submitted)},
          {"owner", one.owner},
          {"project", one.project},
          {"account", one.account},
          {"reserved", one.usage.reserved()},
          {"used", one.usage.used},
          {"idle", one.usage.idle},
          {"unavailable", one.usage.unavailable},
          {"charged", one.usage.charged()},
          {"gap", one.usage.gap}};
}

} // namespace

void print_cell_usage(std::ostream& out, const CellUsage& cell) {
  const auto put = [&](const char* name, std::int64_t slot_seconds) {
    out << line(left(name, 16) + right(std::to_string(slot_seconds), 20));
  };
  put("used_inside", cell.used_inside);
  put("used_outside", cell.used_outside);
  put("down", cell.down);
  put("maintenance", cell.maintenance);
  put("closed", cell.closed);
  put("idle_reserved", cell.idle_reserved);
  put("gap", cell.gap);
  put("free", cell.free);
  if (cell.over != 0) put("over", -cell.over);
  put("total", cell.slots_by_time());
}

void print_usage_json(std::ostream& out, const door::UsageReport& report) {
  auto reservations = Json::array();
  for (const auto& one : report.reservations) reservations.push_back(as_json(one));
  const Json whole{{"from", print_iso_time(report.during.start)},
                   {"to", print_iso_time(report.during.end)},
                   {"cell", as_json(report.cell)},
                   {"reservations", std::move(reservations)}};
  out << whole.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
}

void print_usage_table(std::ostream& out, const std::vector<door::ReservationUsageView>& rows) {
  if (rows.empty()) return;
  const auto row = [&](const std::vector<std::string>& names,
                       const std::vector<std::string>& figures) {
    std::string text = right(names[0], 7);
    for (std::size_t i = 1; i < names.size(); ++i) text += " " + left(names[i], 12);
    for (const auto& figure : figures) text += " " + right(figure, 12);
    out << line(text);
  };
  row({"ar-id", "owner", "project", "account"},
      {"reserved", "used", "idle", "unavailable", "charged", "gap"});
  out << std::string(123, '-') << "\n";
  for (const auto& one : rows) {
    std::vector<std::string> figures;
    for (const auto figure : {one.usage.reserved(), one.usage.used, one.usage.idle,
                              one.usage.unavailable, one.usage.charged(), one.usage.gap})
      figures.push_back(std::to_string(figure));
    row({to_string(one.number), or_dash(one.owner), or_dash(one.project), or_dash(one.account)},
        figures);
  }
}

} // namespace almanac
