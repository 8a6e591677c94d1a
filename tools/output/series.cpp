#include "tools/output/series.hpp"

#include "core/text/table.hpp"
#include "core/text/xml.hpp"
#include "tools/output/local_time.hpp"

#include <algorithm>
#include <ostream>

namespace almanac {

namespace {

using Words = std::vector<std::string>;

std::string next_of(const door::SeriesView& series) {
  return series.next == Instant{} ? "-" : print_time(series.next);
}

Words row_of(const door::SeriesView& series) {
  return {to_string(series.number),
          series.name.empty() ? "-" : series.name,
          series.owner,
          next_of(series),
          series.rule,
          series.zone,
          std::to_string(series.granted),
          std::to_string(series.conflicts.size())};
}

void put(std::ostream& out, int indent, const std::string& name, const std::string& text) {
  out << std::string(static_cast<std::size_t>(indent), ' ') << "<" << name << ">" << xml_text(text)
      << "</" << name << ">\n";
}

void print_conflict(std::ostream& out, const door::ConflictView& conflict) {
  out << "         <conflict>\n";
  put(out, 12, "occurrence", conflict.occurrence);
  put(out, 12, "start_time", print_iso_time(conflict.window.start));
  put(out, 12, "end_time", print_iso_time(conflict.window.end));
  put(out, 12, "message", conflict.why);
  out << "         </conflict>\n";
}

} // namespace

// Nothing is cut: rules are long, and there are few series.
void print_series_table(std::ostream& out, const std::vector<door::SeriesView>& list) {
  if (list.empty()) return;
  std::vector<Words> rows{
      {"ser-id", "name", "owner", "next", "rule", "zone", "granted", "conflicts"}};
  for (const auto& series : list) rows.push_back(row_of(series));
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::size_t whole = widths.size() - 1;
  for (const auto width : widths) whole += width;
  for (const auto& row : rows) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i)
      text += (i == 0 ? "" : " ") + left(row[i], widths[i]);
    out << line(text);
    if (&row == &rows.front()) out << std::string(whole, '-') << "\n";
  }
}

void print_conflicts(std::ostream& out, const door::SeriesView& series) {
  if (series.conflicts.empty()) return;
  out << std::string(80, '-') << "\n" << line(left("series", 30) + " " + to_string(series.number));
  for (const auto& conflict : series.conflicts)
    out << line(left("conflict", 30) + " " + conflict.occurrence + " " + conflict.why);
}

void print_series_xml(std::ostream& out, const std::vector<door::SeriesView>& list,
                      const std::vector<std::string>& unknown) {
  out << "<?xml version='1.0'?>\n<qrstat>\n   <series_list>\n";
  for (const auto& series : list) {
    out << "      <series_summary>\n";
    put(out, 9, "id", to_string(series.number));
    put(out, 9, "name", series.name);
    put(out, 9, "owner", series.owner);
    if (series.next != Instant{}) put(out, 9, "next", print_iso_time(series.next));
    put(out, 9, "rule", series.rule);
    put(out, 9, "zone", series.zone);
    put(out, 9, "granted", std::to_string(series.granted));
    put(out, 9, "conflicts", std::to_string(series.conflicts.size()));
    for (const auto& conflict : series.conflicts) print_conflict(out, conflict);
    out << "      </series_summary>\n";
  }
  out << "   </series_list>\n";
  for (const auto& id : unknown) {
    out << "   <ar_unknown>\n";
    put(out, 6, "id", id);
    out << "   </ar_unknown>\n";
  }
  out << "</qrstat>\n";
}

} // namespace almanac
