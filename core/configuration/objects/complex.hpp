// Complex attributes: what resources are called, how they are written and compared (spec/objects.md
// section 3).
//
// Amounts are integers: INT and BOOL as they are, MEMORY in bytes, TIME in seconds, DOUBLE in
// millionths.
#pragma once

#include "core/base/result.hpp"
#include "core/configuration/objects/kind.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace almanac {

enum class ValueType : std::uint8_t {
  integer,
  decimal,
  time,
  memory,
  boolean,
  string,
  cstring,
  restring,
  host
};
enum class Relation : std::uint8_t {
  equal,
  not_equal,
  at_least,
  above,
  at_most,
  below,
  exclusive ///< EXCL: who asks for it shares the container with nobody
};
enum class Consumable : std::uint8_t { no, per_slot, per_job, per_host };

struct Complex {
  std::string name;
  std::string shortcut;
  ValueType type = ValueType::integer;
  Relation relation = Relation::at_most;
  bool requestable = true;
  bool forced = false;
  Consumable consumable = Consumable::no;
  std::int64_t urgency = 0;    ///< of each unit that is asked for, in millionths
  std::string default_request; ///< of consumables: what a job takes that asks for nothing

  bool is_text() const { return type >= ValueType::string; }
  bool is_consumable() const { return consumable != Consumable::no; }
  bool is_exclusive() const { return relation == Relation::exclusive; }
  /// A value as an amount; an error for text types and malformed values.
  Result<std::int64_t> amount(std::string_view value) const;
  std::string print_amount(std::int64_t amount) const;
  /// As short as a user would type it: 2G, 1.5, 0:10:0.
  std::string type_amount(std::int64_t amount) const;
  /// "offer relation request": may a request be served by this offer?
  bool satisfies(std::string_view offer, std::string_view request) const;
  /// The same for amounts.
  bool serves(std::int64_t offer, std::int64_t request) const;
  /// Whether `value` can be offered (`asked` false) or asked for.
  Outcome valid_value(std::string_view value, bool asked) const;
};

/// One row of the table, as in object.hpp: name, and the seven other columns.
Result<Complex> parse_complex(const Attribute& row);

class ComplexTable {
public:
  static Result<ComplexTable> parse(const ConfigurationObject& table);

  /// By name or shortcut; nullptr where there is none.
  const Complex* find(std::string_view name_or_shortcut) const;
  const std::map<std::string, Complex>& all() const { return by_name_; }

private:
  std::map<std::string, Complex> by_name_;
  std::map<std::string, std::string> by_shortcut_;
};

/// Whether every object of the cluster has this attribute built in, so that it can't be removed.
bool is_built_in_complex(std::string_view name);

/// The table of complexes without one of them.
Result<ConfigurationObject> without_complex(ConfigurationObject table, const std::string& name);

Kind complex_kind();

} // namespace almanac
