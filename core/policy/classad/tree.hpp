// A parsed text of the policy language: all of its expressions in one table.
#pragma once

#include "core/policy/classad/classad.hpp"
#include "core/policy/classad/matcher.hpp"
#include "core/policy/classad/operators.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace almanac {

enum class AdKind : std::uint8_t {
  literal,     ///< at: in values
  name,        ///< not resolved yet
  attribute,   ///< at: in the record that is `up` records outward
  variable,    ///< at: among those of the host
  unknown,     ///< a name that nobody defines
  select,      ///< child.name
  index,       ///< child[child]
  unary,       ///< op
  chain,       ///< operators of one level, from left to right
  conditional, ///< three children
  call,        ///< at: among own functions
  host_call,   ///< at: among those of the host
  list,
  record
};

struct AdNode {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  AdKind kind = AdKind::literal;
  AdOperator op = AdOperator::none;
  std::uint32_t up = 0;
  std::uint32_t at = 0;
  std::uint32_t first = 0; ///< of its children
  std::uint32_t count = 0;
  std::uint32_t name = none;
  std::uint32_t fixed = none;   ///< in values: it has this one, whatever the host gives
  std::uint32_t matcher = none; ///< of a call of regexp() whose expression is known
};

struct AdChild {
  std::uint32_t node = 0;
  AdOperator before = AdOperator::none; ///< of a chain, but for its first one
  std::uint32_t name = AdNode::none;    ///< of an attribute of a record
};

struct AdTree {
  AdWords words;
  std::vector<AdNode> nodes;
  std::vector<AdChild> children;
  std::vector<AdValue> values;
  std::vector<std::string> names; ///< as they were written first
  std::vector<std::string> lower; ///< the same in lower case; no two are equal
  std::vector<Matcher> matchers;
  std::uint32_t root = 0; ///< a record

  const AdChild& child(const AdNode& node, std::uint32_t i) const {
    return children[node.first + i];
  }
  /// The place of a record's attribute, by its name; none: it has no such attribute.
  std::uint32_t field(const AdNode& record, std::uint32_t name) const {
    for (std::uint32_t i = 0; i < record.count; ++i)
      if (child(record, i).name == name) return i;
    return AdNode::none;
  }
  /// The number of a name; none: the text does not contain it.
  std::uint32_t number(std::string_view lower_name) const {
    for (std::uint32_t i = 0; i < lower.size(); ++i)
      if (lower[i] == lower_name) return i;
    return AdNode::none;
  }
};

/// An expression as the language writes it.
std::string print_expression(const AdTree& tree, std::uint32_t node);

/// Gives names the place of what they name, from the innermost record outward.
void resolve(AdTree& tree);
/// Finds the values of expressions that have no names in them.
void fix_values(AdTree& tree);

} // namespace almanac
