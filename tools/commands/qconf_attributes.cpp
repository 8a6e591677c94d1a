#include "tools/commands/qconf_attributes.hpp"

#include "core/configuration/objects/folded_text.hpp"
#include "core/text/words.hpp"
#include "tools/commands/qconf_change.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

constexpr const char* nothing_given = "no name or value is given: is a variable not set?";

// By the second letter of the option, in small.
const std::map<char, ChangeVerb> verbs{{'a', ChangeVerb::add_values},
                                       {'d', ChangeVerb::remove_values},
                                       {'m', ChangeVerb::modify_values},
                                       {'r', ChangeVerb::replace_values}};

int unknown_kind(Context& context, const std::string& word) {
  // Programs look for this text: it stands by itself.
  context.err << "Modification of object \"" << word << "\" not supported\n";
  return 1;
}

// One by one: what can be changed is (spec/quotas.md Q5.19).
int change_values(Context& context, ChangeVerb verb, ObjectKind kind,
                  const std::vector<Attribute>& attributes, const std::string& ids) {
  const auto names = words(ids);
  if (names.empty()) return complain(context, nothing_given);
  int code = 0;
  for (const auto& name : names)
    code = std::max(code,
                    change_configuration(context, Configure{{verb, {kind, name, attributes}, {}}}));
  return code;
}

Result<std::vector<Attribute>> read_file(const Context& context, ObjectKind kind,
                                         const std::string& path) {
  const auto text = read_text_file(path.starts_with('/') ? path : context.directory + "/" + path);
  if (!text) return text.error();
  auto attributes = parse_attribute_file(*text);
  if (!attributes) return Error{path + ": " + attributes.what()};
  for (auto& [name, value] : *attributes) value = unfolded_value(kind, name, value);
  return attributes;
}

} // namespace

const std::vector<QconfVerb>& attribute_verbs() {
  static const std::vector<QconfVerb> all{
      {"-aattr", 4, "KIND ATTRIBUTE VALUE NAMES: add to a list, or to values of hosts"},
      {"-Aattr", 3, "KIND FILE NAMES: the same, with attributes and values from a file"},
      {"-dattr", 4, "KIND ATTRIBUTE VALUE NAMES: delete from a list, or from values of hosts"},
      {"-Dattr", 3, "KIND FILE NAMES: the same from a file"},
      {"-mattr", 4, "KIND ATTRIBUTE VALUE NAMES: set a value, or elements of a list"},
      {"-Mattr", 3, "KIND FILE NAMES: the same from a file"},
      {"-rattr", 4, "KIND ATTRIBUTE VALUE NAMES: set a value, or a whole list"},
      {"-Rattr", 3, "KIND FILE NAMES: the same from a file"}};
  return all;
}

std::optional<int> run_attribute_verb(Context& context, const std::string& option,
                                      const std::vector<std::string>& values) {
  const auto& all = attribute_verbs();
  if (std::none_of(all.begin(), all.end(), [&](auto& one) { return option == one.option; }))
    return std::nullopt;
  const auto kind = kind_called(values.front());
  if (!kind) return unknown_kind(context, values.front());
  if (std::any_of(values.begin(), values.end(), [](auto& value) { return trim(value).empty(); }))
    return complain(context, nothing_given);
  const auto verb = verbs.at(lower(option).at(1));
  if (values.size() == 4)
    return change_values(context, verb, *kind, {{values[1], values[2]}}, values[3]);
  const auto attributes = read_file(context, *kind, values[1]);
  if (!attributes) return complain(context, attributes.what());
  return change_values(context, verb, *kind, *attributes, values[2]);
}

} // namespace almanac
