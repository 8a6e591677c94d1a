#include "core/configuration/objects/object.hpp"

#include "core/configuration/objects/kind.hpp"
#include "core/configuration/objects/quota_file.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>

namespace almanac {

namespace {

// Joins continued lines, drops comments and empty lines.
std::vector<std::string> logical_lines(std::string_view text) {
  std::vector<std::string> lines;
  std::string pending;
  for (auto& line : split(text, '\n')) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (pending.empty() && trim(line).starts_with('#')) continue;
    const bool continued = !line.empty() && line.back() == '\\';
    if (continued) line.pop_back();
    const auto piece = trim(line);
    if (!pending.empty() && !piece.empty()) pending += ' ';
    pending += piece;
    if (continued) continue;
    if (!pending.empty()) lines.push_back(std::move(pending));
    pending.clear();
  }
  if (!pending.empty()) lines.push_back(std::move(pending));
  return lines;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  if (result.size() < width) result.resize(width, ' ');
  else result += ' ';
  return result;
}

} // namespace

const std::string* ConfigurationObject::find(std::string_view attribute) const {
  const auto it = std::find_if(attributes.begin(), attributes.end(),
                               [&](auto& a) { return a.name == attribute; });
  return it == attributes.end() ? nullptr : &it->value;
}

void ConfigurationObject::set(std::string_view attribute, std::string value) {
  const auto it = std::find_if(attributes.begin(), attributes.end(),
                               [&](auto& a) { return a.name == attribute; });
  if (it == attributes.end()) attributes.push_back({std::string(attribute), std::move(value)});
  else it->value = std::move(value);
}

std::string_view kind_name(ObjectKind kind) { return kind_of(kind).name; }
std::string_view name_attribute(ObjectKind kind) { return kind_of(kind).name_attribute; }

bool is_host_set(ObjectKind kind) {
  return kind == ObjectKind::admin_hosts || kind == ObjectKind::submit_hosts;
}

bool is_single(ObjectKind kind) {
  return kind == ObjectKind::complex || kind == ObjectKind::managers ||
         kind == ObjectKind::operators || kind == ObjectKind::global_configuration ||
         kind == ObjectKind::scheduler_configuration || is_host_set(kind);
}

ConfigurationObject template_of(ObjectKind kind, std::string name) {
  return {kind, std::move(name), kind_of(kind).defaults};
}

Result<std::vector<Attribute>> parse_attribute_file(std::string_view text) {
  std::vector<Attribute> attributes;
  for (const auto& line : logical_lines(text)) {
    const auto blank = line.find_first_of(" \t");
    const auto name = line.substr(0, blank);
    if (blank == std::string::npos) return Error{"attribute \"" + name + "\" has no value"};
    for (const auto& earlier : attributes)
      if (earlier.name == name) return Error{"attribute \"" + name + "\" appears more than once"};
    attributes.push_back({name, std::string(trim(std::string_view(line).substr(blank)))});
  }
  if (attributes.empty()) return Error{"the file holds no attributes"};
  return attributes;
}

std::string print_object(const ConfigurationObject& object) {
  std::string text;
  if (object.kind == ObjectKind::complex) return print_complex_table(object);
  if (object.kind == ObjectKind::quota_set) return print_quota_set(object);
  if (!name_attribute(object.kind).empty())
    text += padded(name_attribute(object.kind), 22) + object.name + "\n";
  for (const auto& attribute : object.attributes)
    text += padded(attribute.name, 22) + attribute.value + "\n";
  return text;
}

Result<std::vector<Attribute>> parse_complex_table(std::string_view text) {
  std::vector<Attribute> rows;
  for (const auto& line : logical_lines(text)) {
    auto columns = words(line, " \t");
    if (columns.size() != 8)
      return Error{"complex line \"" + line +
                   "\" must have the 8 columns name shortcut type relop requestable consumable "
                   "default urgency"};
    const auto name = columns.front();
    for (const auto& earlier : rows)
      if (earlier.name == name)
        return Error{"complex attribute \"" + name + "\" appears more than once"};
    columns.erase(columns.begin());
    rows.push_back({name, join(columns, " ")});
  }
  return rows;
}

std::string print_complex_table(const ConfigurationObject& table) {
  auto rows = table.attributes;
  std::sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.name < b.name; });
  const std::array<std::size_t, 8> widths{20, 12, 10, 6, 12, 11, 9, 0};
  const auto print = [&](const std::vector<std::string>& columns) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) line += padded(columns[i], widths.at(i));
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  std::string text = print(
      {"#name", "shortcut", "type", "relop", "requestable", "consumable", "default", "urgency"});
  text += "#" + std::string(86, '-') + "\n";
  for (const auto& row : rows) {
    auto columns = words(row.value, " ");
    columns.insert(columns.begin(), row.name);
    text += print(columns);
  }
  return text;
}

} // namespace almanac
