#include "core/configuration/objects/object.hpp"

#include "core/configuration/objects/kind.hpp"
#include "core/text/words.hpp"

#include <algorithm>

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

} // namespace almanac
