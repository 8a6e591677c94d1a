#include "core/configuration/objects/quota_set.hpp"

#include "core/configuration/objects/quota_set_name.hpp"
#include "core/configuration/objects/readers.hpp"
#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/pattern.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

// The door takes no other control character in the value of an attribute, and no rule has one.
constexpr char between_rules = '\t';

// The rules as text: their errors have no name of an attribute in front.
struct WrittenSet {
  QuotaSet set;
  std::string rules;
};

Outcome read_description(WrittenSet& written, const GivenAttribute& given) {
  written.set.description = canonical_description(given.text);
  // It would join the next line to this one.
  if (written.set.description.ends_with('\\')) return Error{"it ends with a backslash"};
  return Done{};
}

Outcome read_enabled(WrittenSet& written, const GivenAttribute& given) {
  const auto on = parse_enabled(given.text);
  if (!on) return on.error();
  written.set.enabled = *on;
  return Done{};
}

Outcome read_position(WrittenSet& written, const GivenAttribute& given) {
  const auto number = readers::number_of(given.text);
  if (!number) return number.error();
  written.set.position = *number;
  return Done{};
}

Outcome read_rules(WrittenSet& written, const GivenAttribute& given) {
  written.rules = given.text;
  return Done{};
}

const AttributeRow<WrittenSet> rows[]{
    {.name = "description",
     .fallback = "NONE",
     .shape = ValueShape::single,
     .read = read_description,
     .check = readers::anything},
    {.name = "enabled",
     .fallback = "TRUE",
     .shape = ValueShape::single,
     .read = read_enabled,
     .check = readers::anything},
    {.name = "position",
     .fallback = "0",
     .shape = ValueShape::fixed,
     .read = read_position,
     .check = readers::anything},
    {.name = "limit",
     .fallback = "NONE",
     .shape = ValueShape::limits,
     .read = read_rules,
     .check = readers::anything},
};

constexpr std::size_t most_named = 20;

// The error names the rules that are wrong, with what is.
Outcome read_all(QuotaSet& set, std::string_view text, const ComplexTable& complexes) {
  if (text.size() > longest_quota_rules)
    return Error{"resource quota set \"" + set.name + "\" has " + std::to_string(text.size()) +
                 " bytes of rules: at most " + std::to_string(longest_quota_rules) + " are taken"};
  const auto texts = split_rules(text);
  if (texts.size() > most_quota_rules)
    return Error{"resource quota set \"" + set.name + "\" has " + std::to_string(texts.size()) +
                 " rules: at most " + std::to_string(most_quota_rules) + " are taken"};
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i < texts.size() && wrong.size() < most_named; ++i) {
    const auto place = "rule " + set.name + "/" + std::to_string(i + 1);
    auto rule = parse_quota_rule(texts[i]);
    const auto resolved = rule ? resolve_limits(*rule, complexes) : Outcome(rule.error());
    if (resolved) set.rules.push_back(std::move(*rule));
    else wrong.push_back(located(resolved.error(), place).what);
  }
  if (!wrong.empty()) return Error{join(wrong, "\n")};
  return Done{};
}

} // namespace

Result<QuotaSet> QuotaSet::parse(const ConfigurationObject& object, const ComplexTable& complexes) {
  WrittenSet written;
  auto& set = written.set;
  set.name = object.name;
  if (auto sound = check_quota_set_name(set.name); !sound) return sound.error();
  if (auto read = ::almanac::read_rows(rows, object, written); !read) return read.error();
  if (auto read = read_all(set, written.rules, complexes); !read) return read.error();
  return std::move(set);
}

std::string rule_label(const QuotaSet& set, std::size_t rule) {
  const auto& name = set.rules.at(rule).name;
  const auto same = [&](const QuotaRule& other) { return equal_ignoring_case(other.name, name); };
  // A number means the rule that is counted so, and Grid Engine lets two rules have one name.
  const bool is_clear = !name.empty() && !all_digits(name) &&
                        std::count_if(set.rules.begin(), set.rules.end(), same) == 1;
  return set.name + "/" + (is_clear ? name : std::to_string(rule + 1));
}

Result<ConfigurationObject>
canonical_quota_set(const ConfigurationObject& object, const ComplexTable& complexes,
                    const std::function<std::string(const std::string& host)>& spelling) {
  auto set = QuotaSet::parse(object, complexes);
  if (!set) return set.error();
  for (auto& rule : set->rules) {
    auto& hosts = rule.scope(QuotaFilter::hosts);
    for (auto* list : {&hosts.included, &hosts.excluded})
      for (auto& host : *list)
        if (!host.starts_with('@') && !is_pattern(host)) host = spelling(host);
  }
  auto canonical = object;
  canonical.set("description", set->description);
  canonical.set("enabled", set->enabled ? "TRUE" : "FALSE");
  canonical.set("position", std::to_string(set->position));
  canonical.set("limit", join_rules(set->rules));
  return canonical;
}

std::string canonical_description(std::string_view text) {
  text = trim(text);
  while (text.size() > 1 && text.starts_with('"') && text.ends_with('"'))
    text = trim(text.substr(1, text.size() - 2));
  return text.empty() || equal_ignoring_case(text, "NONE") ? "NONE" : std::string(text);
}

Result<bool> parse_enabled(std::string_view text) {
  if (equal_ignoring_case(text, "TRUE") || text == "1") return true;
  if (equal_ignoring_case(text, "FALSE") || text == "0") return false;
  return Error{"error parsing value \"" + excerpt(text) + "\""};
}

std::string join_rules(const std::vector<QuotaRule>& rules) {
  std::vector<std::string> texts;
  for (const auto& rule : rules) texts.push_back(text_of(rule));
  return texts.empty() ? "NONE" : join(texts, std::string_view(&between_rules, 1));
}

std::vector<std::string> split_rules(std::string_view value) {
  if (value == "NONE") return {};
  return split(value, between_rules);
}

std::int64_t position_of(const ConfigurationObject& object) {
  const auto* text = object.find("position");
  const auto number = text ? readers::number_of(*text) : Result<std::int64_t>(0);
  return number ? *number : 0;
}

Kind quota_set_kind() { return kind_with<rows>("resource quota set", "name", "resource_quota"); }

} // namespace almanac
