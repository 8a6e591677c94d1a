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

/// Whether all of it is printable ASCII, which is shown as it is. Most texts are, and the check is fast.
bool is_plain(std::string_view text);

/// The text as a terminal may show it. A line break becomes \n; other control characters, characters
/// that XML forbids, and bytes that are not UTF-8 become \xHH. Tabs and what `kept` contains stay.
std::string printable(std::string_view text, std::string_view kept = {});

/// The same, cut to `most` bytes of the text, so that it fits into an answer: nobody who sends a megabyte
/// gets it back.
std::string excerpt(std::string_view text, std::size_t most = 80);

/// The first few of several texts, each as above: "a,b,...".
std::string excerpt(const std::vector<std::string>& texts);

/// For names of reservations and complexes: a valid object name that cannot be mistaken for a number.
Outcome valid_name_unlike_number(std::string_view name);

/// Whether -v may name a variable so: letters, digits and '_', and no digit at the beginning (ruling on
/// environment names in spec/rulings.md).
bool is_plain_variable(std::string_view name);

/// Whether an environment can hold a variable of this name: it is not empty, and contains no '=' and no
/// control character (the same ruling). Names like BASH_FUNC_x%% come with -V.
bool is_variable(std::string_view name);

/// Checks a variable for a job's process: it has such a name, and its value contains no NUL byte.
Outcome valid_variable(const std::string& name, std::string_view value);

} // namespace almanac
