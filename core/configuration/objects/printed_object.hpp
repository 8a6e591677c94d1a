// How objects are shown: the order of their attributes and the column of the values, as Grid Engine
// 8.1.9 printed them, so that what was loaded from there looks the same here.
#pragma once

#include "core/configuration/objects/object.hpp"

namespace almanac {

/// The object with all attributes that its kind has, in Grid Engine's order: those that it was stored
/// without with their default, what only Grid Engine has in its place, ours last.
ConfigurationObject arranged(const ConfigurationObject& object);

/// Where values begin: a name is padded with blanks up to there, and has one at least behind it.
std::size_t value_column(ObjectKind kind);

/// The object with the attributes that are given, as `qconf -s…` prints it, without broken lines.
std::string print_object(const ConfigurationObject& object);

/// The complex table, a line each: name shortcut type relop requestable consumable default urgency.
std::string print_complex_table(const ConfigurationObject& table);

} // namespace almanac
