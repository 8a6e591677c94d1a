// What a change of values comes to: qconf's attribute switches add, remove, modify and replace parts of
// the value of an attribute (spec/cli.md C8.19, spec/quotas.md section 5). The change is made of the
// object as it is when it is decided, so two people who change one list at once lose nothing.
//
// 1. A list is changed element by element; what is there already, or is not there, is noted and no
//    failure. Replacing takes the place of the whole list.
// 2. One value is set by all verbs but remove_values, which is refused.
// 3. Of a cluster queue only the values that are named change: the default, or those of a host or group.
//    One that has no value of its own yet begins with an empty list.
#pragma once

#include "core/answer/statement.hpp"
#include "core/configuration/configuration.hpp"

#include <string>
#include <vector>

namespace almanac {

struct DecidedValues {
  std::vector<ConfigurationChange> changes; ///< those of whole objects that do it
  std::string object;                       ///< the name of the object that was meant
  std::vector<Statement> notes;
};

/// For a change with `is_of_values(change.verb)`. Values are read, and what they refer to is looked up,
/// when the changes are made.
Result<DecidedValues> decide_values(const Configuration& configuration,
                                    const ConfigurationChange& change);

} // namespace almanac
