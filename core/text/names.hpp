// What texts from outside may hold, and how they are shown to people.
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

bool is_utf8(std::string_view text);

/// Below 0x20, or 0x7f.
bool is_control(char c);

/// Only what is printed as it is, all of it ASCII: most texts are such, and this is told quickly.
bool is_plain(std::string_view text);

/// The text as a terminal may show it: what is a control character (but a tab, and those of `kept`)
/// or not UTF-8 is written as \xHH, a line break as \n.
std::string printable(std::string_view text, std::string_view kept = {});

/// The same, cut to what fits into an answer: nobody gets a megabyte back because he sent one.
std::string excerpt(std::string_view text, std::size_t most = 80);

/// The first of several, each as above: "a,b,...".
std::string excerpt(const std::vector<std::string>& texts);

/// A valid object name that can't be taken for a number: of a reservation, a complex.
Outcome valid_name_unlike_number(std::string_view name);

/// Letters, digits and '_', no digit in front: what -v may name (ruling on environment names in
/// spec/rulings.md).
bool is_plain_variable(std::string_view name);

/// Whether an environment can hold a variable of that name: not empty, no '=', no control character
/// (the same ruling; names like BASH_FUNC_x%% come with -V).
bool is_variable(std::string_view name);

/// A variable for a job's process has such a name, and no zero byte in its value.
Outcome valid_variable(const std::string& name, std::string_view value);

} // namespace almanac
