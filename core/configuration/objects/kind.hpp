// What is known of a kind of objects, and the rows of its attributes: name, default, how it is read
// into the kind's typed form, and what a change may not write. Each kind has a file beside this one.
//
// No column has a default. The order of the rows is that of a new object, as `qconf -s…` prints it.
#pragma once

#include "core/base/column.hpp"
#include "core/configuration/objects/object.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

class ComplexTable;

/// An attribute of one object, as it is written.
struct GivenAttribute {
  std::string_view name;
  const std::string& text;
  std::string_view fallback; ///< its row's

  /// What would change something, and is not built: its default stands for that.
  Outcome only_fallback() const;
};

template <class Form> struct AttributeRow {
  Column<std::string_view> name;
  /// Of a new object, and of one that was stored before there was this attribute.
  Column<std::string_view> fallback;
  Column<Outcome (*)(Form& into, const GivenAttribute& given)> read;
  /// Values that a store may hold and a change may not write: they would change nothing here, or mean
  /// nothing (ruling in spec/rulings.md: refused with a clear text).
  Column<Outcome (*)(const GivenAttribute& given, const ComplexTable& complexes)> check;
};

struct Kind {
  std::string_view name;           ///< what messages call it
  std::string_view name_attribute; ///< "" where the name is not in files
  std::vector<Attribute> defaults;
  Outcome (*check)(const ConfigurationObject& object, const ComplexTable& complexes);
};
const Kind& kind_of(ObjectKind kind);

/// What a change may not write, of an object as the change makes it.
Outcome check_new_values(const ConfigurationObject& object, const ComplexTable& complexes);

/// With the attribute's name.
Error in_attribute(std::string_view name, const std::string& why);

// ---- what comes of the rows -------------------------------------------------------------------

template <class Rows> std::vector<Attribute> defaults_of(const Rows& rows) {
  std::vector<Attribute> defaults;
  for (const auto& row : rows)
    defaults.push_back({std::string(*row.name), std::string(*row.fallback)});
  return defaults;
}

template <class Rows, class Form>
Outcome read_rows(const Rows& rows, const ConfigurationObject& object, Form& into) {
  for (const auto& row : rows) {
    const auto* text = object.find(*row.name);
    const std::string fallback(*row.fallback);
    if (auto read = (*row.read)(into, {*row.name, text ? *text : fallback, *row.fallback}); !read)
      return in_attribute(*row.name, read.what());
  }
  return Done{};
}

template <const auto& rows>
Outcome check_rows(const ConfigurationObject& object, const ComplexTable& complexes) {
  for (const auto& row : rows)
    if (const auto* text = object.find(*row.name))
      if (auto sound = (*row.check)({*row.name, *text, *row.fallback}, complexes); !sound)
        return in_attribute(*row.name, sound.what());
  return Done{};
}

template <const auto& rows> Kind kind_with(std::string_view name, std::string_view name_attribute) {
  return {name, name_attribute, defaults_of(rows), check_rows<rows>};
}

} // namespace almanac
