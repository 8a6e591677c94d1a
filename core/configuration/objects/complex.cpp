#include "core/configuration/objects/complex.hpp"

#include "core/configuration/objects/built_in_complexes.hpp"
#include "core/text/names.hpp"
#include "core/text/pattern.hpp"
#include "core/text/values.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace almanac {

namespace {

constexpr std::array<std::string_view, 9> type_names{
    "INT", "DOUBLE", "TIME", "MEMORY", "BOOL", "STRING", "CSTRING", "RESTRING", "HOST"};
constexpr std::array<std::string_view, 7> relation_names{"==", "!=", ">=", ">", "<=", "<", "EXCL"};

template <class Names>
std::optional<std::size_t> index_of(const Names& names, std::string_view word) {
  const auto it = std::find(names.begin(), names.end(), word);
  if (it == names.end()) return std::nullopt;
  return static_cast<std::size_t>(it - names.begin());
}

bool is_word(std::string_view word, std::string_view long_form) {
  return equal_ignoring_case(word, long_form) || equal_ignoring_case(word, long_form.substr(0, 1));
}

} // namespace

Result<std::int64_t> Complex::amount(std::string_view value) const {
  const auto named = [&](const Error& error) {
    return Error{"attribute \"" + name + "\": " + error.what};
  };
  switch (type) {
  case ValueType::integer: {
    auto parsed = parse_number(value);
    return parsed ? parsed : named(parsed.error());
  }
  case ValueType::decimal: {
    auto parsed = parse_millionths(value);
    return parsed ? parsed : named(parsed.error());
  }
  case ValueType::time: {
    auto parsed = parse_duration(value);
    if (!parsed) return named(parsed.error());
    return parsed->seconds;
  }
  case ValueType::memory: {
    auto parsed = parse_memory(value);
    return parsed ? parsed : named(parsed.error());
  }
  case ValueType::boolean: {
    auto parsed = parse_switch(value);
    if (!parsed) return named(parsed.error());
    return *parsed ? 1 : 0;
  }
  default: return Error{"attribute \"" + name + "\" is not a number"};
  }
}

std::string Complex::print_amount(std::int64_t amount) const {
  switch (type) {
  case ValueType::decimal: return print_millionths(amount);
  case ValueType::time: return print_duration({amount});
  case ValueType::memory: return print_memory(amount);
  case ValueType::boolean: return amount ? "TRUE" : "FALSE";
  default: return std::to_string(amount);
  }
}

std::string Complex::type_amount(std::int64_t amount) const {
  if (type == ValueType::decimal) {
    auto text = print_millionths(amount);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  }
  if (type == ValueType::time) {
    constexpr std::int64_t minute = 60, hour = 60 * minute;
    return std::to_string(amount / hour) + ":" + std::to_string(amount % hour / minute) + ":" +
           std::to_string(amount % minute);
  }
  if (type != ValueType::memory || amount == 0) return print_amount(amount);
  std::string unit;
  for (const char* larger : {"K", "M", "G", "T"}) {
    if (amount % 1024 != 0) break;
    amount /= 1024, unit = larger;
  }
  return std::to_string(amount) + unit;
}

bool Complex::satisfies(std::string_view offer, std::string_view request) const {
  if (is_text()) {
    const bool folded = type == ValueType::cstring || type == ValueType::host;
    const bool same =
        matches_expression(request, offer, folded ? Case::insensitive : Case::sensitive);
    return relation == Relation::not_equal ? !same : same;
  }
  const auto have = amount(offer), want = amount(request);
  return have && want && serves(*have, *want);
}

bool Complex::serves(std::int64_t offer, std::int64_t request) const {
  switch (relation) {
  case Relation::equal: return offer == request;
  case Relation::not_equal: return offer != request;
  case Relation::at_least: return request >= offer;
  case Relation::above: return request > offer;
  case Relation::at_most: return request <= offer;
  case Relation::below: return request < offer;
  case Relation::exclusive: return request <= offer;
  }
  return false;
}

Outcome Complex::valid_value(std::string_view value, bool asked) const {
  if (is_text()) {
    if (value.empty()) return Error{"attribute \"" + name + "\" needs a value"};
    return asked ? valid_expression(value) : Outcome(Done{});
  }
  auto parsed = amount(value);
  if (!parsed) return parsed.error();
  return Done{};
}

Result<Complex> parse_complex(const Attribute& row) {
  const auto columns = words(row.value, " \t");
  const auto bad = [&](const std::string& why) {
    return Error{"complex attribute \"" + row.name + "\": " + why};
  };
  if (columns.size() != 7) return bad("expected 8 columns");
  if (auto valid = valid_name_unlike_number(row.name); !valid) return bad(valid.what());
  if (auto valid = valid_name_unlike_number(columns[0]); !valid)
    return bad("shortcut " + valid.what());
  Complex complex;
  complex.name = row.name, complex.shortcut = columns[0];
  const auto type = index_of(type_names, columns[1]);
  if (!type)
    return bad("type \"" + columns[1] +
               "\" is not one of INT DOUBLE TIME MEMORY BOOL STRING CSTRING RESTRING HOST");
  complex.type = static_cast<ValueType>(*type);
  const auto relation = index_of(relation_names, columns[2]);
  if (!relation) return bad("relop \"" + columns[2] + "\" is not one of == != >= > <= < EXCL");
  complex.relation = static_cast<Relation>(*relation);
  const bool only_equality = complex.is_text() || complex.type == ValueType::boolean;
  if (complex.is_exclusive() ? complex.type != ValueType::boolean
                             : only_equality && complex.relation > Relation::not_equal)
    return bad("relop " + columns[2] + " does not suit type " + columns[1]);
  complex.forced = is_word(columns[3], "FORCED");
  if (!complex.forced && !is_word(columns[3], "YES") && !is_word(columns[3], "NO"))
    return bad("requestable \"" + columns[3] + "\" is not YES, NO or FORCED");
  complex.requestable = !is_word(columns[3], "NO");
  if (is_word(columns[4], "JOB")) complex.consumable = Consumable::per_job;
  else if (is_word(columns[4], "HOST")) complex.consumable = Consumable::per_host;
  else if (is_word(columns[4], "YES")) complex.consumable = Consumable::per_slot;
  else if (!is_word(columns[4], "NO"))
    return bad("consumable \"" + columns[4] + "\" is not YES, NO, JOB or HOST");
  if (complex.is_exclusive() && complex.consumable != Consumable::per_slot)
    return bad("relop EXCL needs consumable YES");
  if (complex.is_consumable() && only_equality && !complex.is_exclusive())
    return bad("only numeric attributes can be consumable");
  if (complex.is_consumable() && complex.relation != Relation::at_most && !complex.is_exclusive())
    return bad("a consumable has the relop <= or EXCL");
  complex.default_request = columns[5];
  if (complex.is_consumable()) {
    auto amount = complex.amount(columns[5]);
    if (!amount) return bad("default: " + amount.what());
    if (complex.forced && *amount != 0) return bad("a FORCED attribute has no default");
  }
  auto urgency = parse_millionths(columns[6]);
  if (!urgency) return bad("urgency \"" + columns[6] + "\" is not a number");
  complex.urgency = *urgency;
  return complex;
}

Result<ComplexTable> ComplexTable::parse(const ConfigurationObject& object) {
  ComplexTable table;
  for (const auto& row : object.attributes) {
    auto complex = parse_complex(row);
    if (!complex) return complex.error();
    if (table.find(complex->name) || table.find(complex->shortcut))
      return Error{"complex attribute \"" + complex->name + "\": name or shortcut \"" +
                   complex->shortcut + "\" is already in use"};
    table.by_shortcut_[complex->shortcut] = complex->name;
    table.by_name_[complex->name] = *complex;
  }
  for (const auto& row : template_of(ObjectKind::complex, "").attributes) {
    const auto it = table.by_name_.find(row.name);
    if (it == table.by_name_.end() && may_be_missing(row.name)) continue;
    if (it == table.by_name_.end())
      return Error{"complex attribute \"" + row.name + "\" is built in and can't be deleted"};
    // STRING or RESTRING, as Grid Engine has some of them: both are matched by expressions.
    const auto plain = [](ValueType type) {
      return type == ValueType::restring ? ValueType::string : type;
    };
    if (plain(it->second.type) != plain(parse_complex(row)->type))
      return Error{"complex attribute \"" + row.name + "\" is built in and can't change its type"};
  }
  return table;
}

const Complex* ComplexTable::find(std::string_view name) const {
  auto it = by_name_.find(std::string(name));
  if (it == by_name_.end()) {
    const auto shortcut = by_shortcut_.find(std::string(name));
    if (shortcut == by_shortcut_.end()) return nullptr;
    it = by_name_.find(shortcut->second);
  }
  return it == by_name_.end() ? nullptr : &it->second;
}

namespace {

Outcome check_defaults(const ConfigurationObject& table) {
  for (const auto& row : table.attributes) {
    const auto complex = parse_complex(row);
    if (!complex || complex->is_text()) continue; // parsing says what is wrong with it
    const auto amount = complex->amount(complex->default_request);
    // Only that of a consumable counts, but each has to be a value of its type (O3.7).
    if (!amount && !equal_ignoring_case(complex->default_request, "NONE"))
      return Error{"complex attribute \"" + row.name + "\": default: " + amount.what()};
    if (complex->is_consumable() && amount && *amount < 0)
      return Error{"complex attribute \"" + row.name + "\": its default is below 0"};
  }
  return Done{};
}

// Everything that runs is counted by it.
Outcome check_slots(const ConfigurationObject& table) {
  const auto* row = table.find("slots");
  const auto built_in = parse_complex({"slots", *template_of(table.kind, "").find("slots")});
  const auto given = row ? parse_complex({"slots", *row}) : built_in;
  if (!given || (given->type == built_in->type && given->relation == built_in->relation &&
                 given->consumable == built_in->consumable && given->requestable))
    return Done{};
  return Error{"complex attribute \"slots\" is built in: type, relop, requestable and consumable "
               "can't change"};
}

} // namespace

bool is_built_in_complex(std::string_view name) {
  return template_of(ObjectKind::complex, "").find(name) != nullptr && !may_be_missing(name);
}

Result<ConfigurationObject> without_complex(ConfigurationObject table, const std::string& name) {
  const auto refused = "denied: complex entry \"" + excerpt(name) + "\" ";
  if (is_built_in_complex(name)) return Error{refused + "is built in and can't be deleted"};
  if (std::erase_if(table.attributes, [&](const Attribute& row) { return row.name == name; }) == 0)
    return Error{refused + "does not exist"};
  return table;
}

Kind complex_kind() {
  const auto complexes = built_in_complexes();
  return {"complex entry",
          "",
          "",
          complexes,
          std::vector<ValueShape>(complexes.size(), ValueShape::fixed),
          [](const ConfigurationObject& table, const ComplexTable&) {
            auto sound = check_defaults(table);
            return sound ? check_slots(table) : sound;
          }};
}

} // namespace almanac
