#include "core/configuration/value_change.hpp"

#include "core/configuration/foreign_attributes.hpp"
#include "core/configuration/objects/lists.hpp"
#include "core/configuration/override_purge.hpp"
#include "core/text/names.hpp"
#include "core/text/numbers.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace almanac {

namespace {

// ---- lists ------------------------------------------------------------------------------------

struct Element {
  std::string key;  ///< elements with the same one are the same
  std::string name; ///< what a note calls it
  std::string text; ///< as it is written
};
using Elements = std::vector<Element>;

Elements elements_of(ValueShape shape, std::string_view text) {
  Elements elements;
  for (const auto& word : parse_name_list(text)) {
    const auto name = shape == ValueShape::amounts ? word.substr(0, word.find('=')) : word;
    elements.push_back({shape == ValueShape::hosts ? lower(name) : name, name, word});
  }
  return elements;
}

// With the separator that the list had; hosts are separated by blanks (spec/objects.md, O0.4).
std::string text_of(ValueShape shape, const Elements& elements, std::string_view stored) {
  std::vector<std::string> texts;
  for (const auto& element : elements) texts.push_back(element.text);
  const bool has_blanks = trim(stored).find(' ') != std::string_view::npos;
  const bool has_commas = stored.find(',') != std::string_view::npos;
  const bool by_blanks = shape == ValueShape::hosts || (has_blanks && !has_commas);
  return texts.empty() ? "NONE" : join(texts, by_blanks ? " " : ",");
}

constexpr std::size_t most_notes = 100; ///< a list of a large cell has thousands of elements

// What is said of elements of one list of one kind of objects.
class Notes {
public:
  Notes(std::vector<Statement>& into, std::string_view list, std::string_view object)
      : into_(into), list_(list), object_(object) {}

  void say(AnswerCode code, const std::string& element) {
    if (into_.size() == most_notes) return;
    into_.push_back({code, {{"value", excerpt(element)}, {"list", list_}, {"object", object_}}});
  }

private:
  std::vector<Statement>& into_;
  std::string list_, object_;
};

Elements changed(ChangeVerb verb, Elements list, const Elements& given, Notes& notes) {
  if (verb == ChangeVerb::replace_values) return given;
  const bool was_empty = list.empty();
  if (verb == ChangeVerb::modify_values && was_empty) notes.say(AnswerCode::list_is_empty, "");
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < list.size(); ++i) places.emplace(list[i].key, i);
  std::set<std::string> gone;
  for (const auto& element : given) {
    const auto at = places.find(element.key);
    const bool is_there = at != places.end();
    if (verb == ChangeVerb::remove_values) {
      if (is_there) gone.insert(element.key), places.erase(at);
      else notes.say(AnswerCode::value_is_missing, element.name);
    } else if (!is_there) {
      if (verb == ChangeVerb::modify_values && !was_empty)
        notes.say(AnswerCode::value_is_added, element.name);
      places.emplace(element.key, list.size());
      list.push_back(element);
    } else if (verb == ChangeVerb::modify_values) list[at->second] = element;
    else notes.say(AnswerCode::value_is_there, element.name);
  }
  std::erase_if(list, [&](const Element& element) { return gone.contains(element.key); });
  return list;
}

// ---- the value of an attribute ----------------------------------------------------------------

// The parts of a name: "all.q@n1", "A/cap".
struct Target {
  std::string object;
  std::optional<std::string> part;
};

Target target_of(ObjectKind kind, const std::string& name) {
  const char separator = kind == ObjectKind::cluster_queue ? '@' : '/';
  const bool has_parts = kind == ObjectKind::cluster_queue || kind == ObjectKind::quota_set;
  const auto at = has_parts ? name.find(separator) : std::string::npos;
  if (at == std::string::npos) return {name, std::nullopt};
  return {name.substr(0, at), name.substr(at + 1)};
}

// The shape of what stands in the value for everybody, or for one host.
ValueShape inside(ValueShape shape) {
  switch (shape) {
  case ValueShape::single_by_host: return ValueShape::single;
  case ValueShape::names_by_host: return ValueShape::names;
  case ValueShape::amounts_by_host: return ValueShape::amounts;
  default: return shape;
  }
}

// Overrides with the same one are of the same hosts: names of groups differ in their letter case.
std::string key_of_override(const std::string& target) {
  return target.starts_with('@') ? target : lower(target);
}

// The overrides of a value, found by whose they are.
class OverrideList {
public:
  explicit OverrideList(std::vector<Attribute> all) {
    for (auto& one : all) add(std::move(one));
  }

  std::string* find(const std::string& target) {
    const auto place = places_.find(key_of_override(target));
    return place == places_.end() ? nullptr : &all_[place->second]->value;
  }
  void add(Attribute one) {
    places_.emplace(key_of_override(one.name), all_.size());
    all_.emplace_back(std::move(one));
  }
  void erase(const std::string& target) {
    const auto place = places_.find(key_of_override(target));
    all_[place->second].reset();
    places_.erase(place);
  }
  std::vector<Attribute> all() && {
    std::vector<Attribute> left;
    for (auto& one : all_)
      if (one) left.push_back(std::move(*one));
    return left;
  }

private:
  std::vector<std::optional<Attribute>> all_; ///< nothing: erased
  std::map<std::string, std::size_t> places_;
};

constexpr const char* one_value =
    "it has one value: only elements of lists, and values of hosts and groups, can be deleted";

class ValueEditor {
public:
  ValueEditor(ChangeVerb verb, ValueShape shape, Notes& notes)
      : verb_(verb), shape_(inside(shape)), notes_(notes) {}

  Result<std::string> plain(const std::string& stored, const std::string& given) {
    if (shape_ == ValueShape::single && verb_ == ChangeVerb::remove_values) return Error{one_value};
    if (shape_ == ValueShape::single || verb_ == ChangeVerb::replace_values) return given;
    const auto elements = elements_of(shape_, given);
    if (elements.empty())
      return Error{"\"" + excerpt(given) + "\" has no element: only -rattr takes an empty list"};
    return text_of(shape_, changed(verb_, elements_of(shape_, stored), elements, notes_), stored);
  }

  // `part`: the host or @group whose value is meant.
  Result<std::string> by_host(const std::string& stored, const std::string& given,
                              const std::optional<std::string>& part) {
    auto value = OverridableValue::parse(stored);
    if (!value) return value.error();
    auto pieces = part ? pieces_of(*part, given) : OverridableValue::parse_some(given);
    if (!pieces) return pieces.error();
    if (!pieces->fallback.empty()) {
      auto next = plain(value->fallback, pieces->fallback);
      if (!next) return next.error();
      value->fallback = std::move(*next);
    }
    OverrideList overrides(std::move(value->overrides));
    for (const auto& piece : pieces->overrides)
      if (auto done = change_override(overrides, piece); !done) return done.error();
    value->overrides = std::move(overrides).all();
    return value->print();
  }

private:
  static Result<OverridableValue> pieces_of(const std::string& part, const std::string& given) {
    const bool is_group = part.starts_with('@');
    if (is_group ? !valid_object_name(part.substr(1)).ok() : !valid_host_name(part))
      return Error{"\"" + excerpt(part) + "\" is not a host or a @group"};
    // They would end the override in which they are written.
    if (given.find_first_of("[]") != std::string::npos)
      return Error{"\"" + excerpt(given) + "\": the value of one host has no brackets"};
    return OverridableValue{"", {{part, given}}};
  }

  Outcome change_override(OverrideList& overrides, const Attribute& piece) {
    auto* own = overrides.find(piece.name);
    if (verb_ == ChangeVerb::remove_values && !own) {
      notes_.say(AnswerCode::value_is_missing, piece.name);
      return Done{};
    }
    if (verb_ == ChangeVerb::remove_values && shape_ == ValueShape::single) {
      if (*own == piece.value) overrides.erase(piece.name);
      else notes_.say(AnswerCode::value_is_missing, piece.value);
      return Done{};
    }
    auto next = plain(own ? *own : "NONE", piece.value);
    if (!next) return next.error();
    if (own) *own = std::move(*next);
    else overrides.add({piece.name, std::move(*next)});
    return Done{};
  }

  ChangeVerb verb_;
  ValueShape shape_;
  Notes& notes_;
};

// ---- quota sets -------------------------------------------------------------------------------

Error invalid(const Attribute& given) {
  return {"The attribute name (\"" + excerpt(given.name) + "\") and/or value (\"" +
          excerpt(given.value) + "\") is invalid"};
}

// Which rule is meant: by its number, counted from 1, else by its name (quotas Q5.23).
std::optional<std::size_t> rule_called(const std::vector<QuotaRule>& rules, std::string_view id) {
  if (const auto number = all_digits(id) ? parse_number(id) : Result<std::int64_t>(0);
      number && *number >= 1 && static_cast<std::size_t>(*number) <= rules.size())
    return static_cast<std::size_t>(*number) - 1;
  const auto named = std::find_if(rules.begin(), rules.end(), [&](const QuotaRule& rule) {
    return !rule.name.empty() && equal_ignoring_case(rule.name, id);
  });
  if (named == rules.end()) return std::nullopt;
  return static_cast<std::size_t>(named - rules.begin());
}

// Limits with the full names of their complexes (quotas Q2.12).
Result<Elements> limits_of(ChangeVerb verb, std::string_view text, const ComplexTable& complexes) {
  Elements elements;
  for (const auto& word : words(text)) {
    const auto equals = word.find('=');
    const bool has_value = equals != std::string::npos && equals + 1 < word.size();
    if (equals == 0 || (!has_value && verb != ChangeVerb::remove_values))
      return Error{"a limit must be written complex=value\n\"" + excerpt(word) + "\""};
    const auto given = word.substr(0, equals);
    const auto* complex = complexes.find(given);
    const auto name = complex ? complex->name : given;
    if (std::any_of(elements.begin(), elements.end(), [&](auto& one) { return one.name == name; }))
      return Error{"attribute \"" + excerpt(name) + "\" appears more than once\n\"" +
                   excerpt(word) + "\""};
    elements.push_back({name, name, has_value ? word.substr(equals + 1) : ""});
  }
  if (elements.empty()) return Error{"a limit must be written complex=value\n\"\""};
  return elements;
}

// The rule is left out with its last limit (quotas Q5.26).
void change_limits(std::vector<QuotaRule>& rules, std::size_t place, ChangeVerb verb,
                   const Elements& given, Notes& notes) {
  auto& rule = rules.at(place);
  Elements stored;
  for (const auto& limit : rule.limits)
    stored.push_back({limit.complex, limit.complex, limit.text});
  rule.limits.clear();
  for (const auto& limit : changed(verb, stored, given, notes))
    rule.limits.push_back({limit.name, limit.text, std::nullopt, 0});
  if (rule.limits.empty()) rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(place));
}

// ---- objects ----------------------------------------------------------------------------------

class ObjectEditor {
public:
  ObjectEditor(const ConfigurationObject& object, std::optional<std::string> part, ChangeVerb verb,
               const ComplexTable& complexes, std::vector<Statement>& said)
      : object_(object), part_(std::move(part)), verb_(verb), complexes_(complexes), said_(said) {}

  Outcome take(const Attribute& given) {
    if (trim(given.value).empty()) return in_attribute(excerpt(given.name), "no value is given");
    return object_.kind == ObjectKind::quota_set ? take_of_quota_set(given) : take_other(given);
  }
  const ConfigurationObject& object() const { return object_; }
  const std::vector<Attribute>& changed_attributes() const { return changed_.attributes; }

private:
  Notes notes(std::string_view list) { return {said_, list, kind_of(object_.kind).switch_word}; }
  void put(const std::string& attribute, const std::string& value) {
    object_.set(attribute, value), changed_.set(attribute, value);
  }
  std::string stored(const std::string& attribute) const {
    const auto* own = object_.find(attribute);
    const auto pattern = template_of(object_.kind, "");
    const auto* usual = pattern.find(attribute);
    return own ? *own : usual ? *usual : "";
  }

  Outcome take_other(const Attribute& given) {
    const auto known = shape_of(object_.kind, given.name);
    if (!known && given.name != name_attribute(object_.kind))
      if (auto foreign = check_foreign(object_.kind, given); !foreign) return foreign;
    const auto shape = known.value_or(ValueShape::single);
    const bool is_by_host = shape != inside(shape);
    if (part_ && !is_by_host)
      return in_attribute(given.name, "it has no values of single hosts and groups");
    auto list = notes(given.name);
    ValueEditor editor(verb_, shape, list);
    auto next = is_by_host ? editor.by_host(stored(given.name), given.value, part_)
                           : editor.plain(stored(given.name), given.value);
    if (!next) return in_attribute(excerpt(given.name), next.what());
    put(given.name, *next);
    return Done{};
  }

  Outcome take_of_quota_set(const Attribute& given) {
    if (given.name == "limit") return take_limit(given);
    const bool is_name = given.name == name_attribute(object_.kind);
    if (part_ || (!is_name && shape_of(object_.kind, given.name) != ValueShape::single))
      return invalid(given);
    if (verb_ == ChangeVerb::remove_values) return in_attribute(given.name, one_value);
    if (given.name == "enabled")
      if (const auto on = parse_enabled(given.value); !on) return on.error(); // V9.4
    if (is_name) object_.name = given.value;
    else put(given.name, given.value);
    return Done{};
  }

  Outcome take_limit(const Attribute& given) {
    std::vector<QuotaRule> rules;
    for (const auto& text : split_rules(stored("limit"))) {
      auto rule = parse_quota_rule(text);
      if (!rule) return rule.error();
      rules.push_back(std::move(*rule));
    }
    const auto place = part_ ? rule_called(rules, *part_) : std::nullopt;
    if (!place) return Error{"no resource quota rule specified for modification"};
    const auto limits = limits_of(verb_, given.value, complexes_);
    if (!limits) return limits.error();
    auto list = notes("resource_quota_rules");
    change_limits(rules, *place, verb_, *limits, list);
    put("limit", join_rules(rules));
    return Done{};
  }

  ConfigurationObject object_;
  ConfigurationObject changed_; ///< what was changed of it
  std::optional<std::string> part_;
  ChangeVerb verb_;
  const ComplexTable& complexes_;
  std::vector<Statement>& said_;
};

} // namespace

Result<DecidedValues> decide_values(const Configuration& configuration,
                                    const ConfigurationChange& change) {
  const auto kind = change.object.kind;
  const auto title = std::string(kind_name(kind));
  if (kind_of(kind).switch_word.empty())
    return Error{"Modification of object \"" + title + "\" not supported"};
  if (change.verb == ChangeVerb::purge_values) return decide_purge(configuration, change);
  const auto [name, part] = target_of(kind, change.object.name);
  const auto* object = configuration.find(kind, name);
  if (!object) return Error{"denied: " + title + " \"" + name + "\" does not exist"};
  DecidedValues decided{{}, name, {}};
  ObjectEditor editor(*object, part, change.verb, configuration.complexes(), decided.notes);
  std::set<std::string> names;
  for (const auto& given : change.object.attributes) {
    if (!names.insert(given.name).second)
      return Error{"attribute \"" + excerpt(given.name) + "\" appears more than once"};
    if (auto taken = editor.take(given); !taken) return taken.error();
  }
  const auto& next = editor.object();
  if (next.name == name)
    decided.changes = {{ChangeVerb::modify, {kind, name, editor.changed_attributes()}, {}}};
  else // the same under another name, in the same place
    decided.changes = {{ChangeVerb::erase, {kind, name, {}}, {}}, {ChangeVerb::add, next, {}}};
  return decided;
}

} // namespace almanac
