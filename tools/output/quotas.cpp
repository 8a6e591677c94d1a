#include "tools/output/quotas.hpp"

#include "core/text/table.hpp"
#include "core/text/words.hpp"
#include "core/text/xml.hpp"

#include <array>
#include <ostream>

namespace almanac {

namespace {

// By filter: in the table, and in XML (Q6.25, Q6.27).
constexpr std::array<const char*, quota_filters> keywords{"users", "projects", "pes", "queues",
                                                          "hosts"};
constexpr std::array<const char*, quota_filters> elements{"user", "project", "pe", "queue", "host"};
constexpr const char* name_space =
    "https://github.com/gridengine/gridengine/raw/master/source/dist/util/resources/schemas/qquota/"
    "qquota.xsd";

std::string scope_text(const door::QuotaFilterView& filter) {
  auto words = filter.included;
  for (const auto& word : filter.excluded) words.push_back("!" + word);
  return join(words, ",");
}

// The second column begins one further right in the header than below it (Q6.20).
std::string columns(const std::string& rule, const std::string& limit, const std::string& filter) {
  return line(left(rule, 18) + " " + left(limit, 20) + " " + filter);
}

void print_elements(std::ostream& out, const std::string& name,
                    const std::vector<std::string>& words) {
  for (const auto& word : words)
    out << "   <" << name << ">" << xml_text(word) << "</" << name << ">\n";
}

std::string reason(const door::QuotaView& row, const std::string& job) {
  const std::string verdict = row.fits ? "enough" : "not enough";
  if (row.is_counted && !row.held.empty())
    return row.left + " left; " + job + " holds " + row.held + " of it";
  if (row.is_counted && row.asked.empty())
    return row.left + " left; " + job + " needs a place where nobody has it: " + verdict;
  if (row.is_counted)
    return row.left + " left; " + job + " takes " + row.asked +
           (row.is_per_slot   ? " for each slot: "
            : row.is_per_host ? " for each host: "
                              : ": ") +
           verdict;
  if (row.asked.empty()) return job + " has to ask for it, and does not: never allowed";
  return job + " asks for " + row.asked + ": " + (row.fits ? "allowed" : "never allowed");
}

} // namespace

std::string limit_text(const door::QuotaView& row) {
  return row.resource + "=" + (row.is_counted ? row.used + "/" : "") + row.limit;
}

std::string filter_text(const door::QuotaView& row) {
  std::string text;
  for (const auto& filter : row.filters)
    text += (text.empty() ? "" : " ") +
            std::string(keywords.at(static_cast<std::size_t>(filter.filter))) + " " +
            scope_text(filter);
  return text.empty() ? "-" : text;
}

std::string quota_line(const door::QuotaView& row) {
  return columns(row.rule, limit_text(row), filter_text(row));
}

void print_quota_table(std::ostream& out, const std::vector<door::QuotaView>& rows) {
  if (rows.empty()) return;
  out << columns("resource quota rule", "limit", "filter") << std::string(80, '-') << "\n";
  for (const auto& row : rows) out << quota_line(row);
}

void print_quota_xml(std::ostream& out, const std::vector<door::QuotaView>& rows) {
  out << "<?xml version='1.0'?>\n<qquota_result xmlns=\"" << name_space << "\">\n";
  for (const auto& row : rows) {
    out << " <qquota_rule name='" << xml_text(row.rule) << "'>\n";
    for (const auto& filter : row.filters) {
      const std::string element = elements.at(static_cast<std::size_t>(filter.filter));
      print_elements(out, element, filter.included);
      print_elements(out, "x" + element, filter.excluded);
    }
    out << "   <limit resource='" << xml_text(row.resource) << "' limit='" << xml_text(row.limit)
        << "'";
    if (row.is_counted) out << " value='" << xml_text(row.used) << "'";
    out << "/>\n </qquota_rule>\n";
  }
  out << "</qquota_result>\n";
}

void print_quota_reasons(std::ostream& out, const std::vector<door::QuotaView>& rows,
                         JobNumber job) {
  const auto name = "job " + to_string(job);
  if (rows.empty()) out << name << " meets no limit of a resource quota set\n";
  for (const auto& row : rows)
    out << row.rule << " (" << filter_text(row) << "): " << limit_text(row)
        << (row.is_counted ? ", " : "; ") << reason(row, name) << "\n";
}

} // namespace almanac
