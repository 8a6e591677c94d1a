// Cutting texts into words and putting them together again.
#pragma once

#include "core/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace almanac {

std::string_view trim(std::string_view text);
std::string lower(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);

/// The pieces between the separators, empty pieces included; nothing for an empty text.
std::vector<std::string> split(std::string_view text, char separator);

/// The pieces between any of `separators`, empty pieces left out.
std::vector<std::string> words(std::string_view text, std::string_view separators = " \t,");

std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Splits as a shell does: blanks separate, '…', "…" and \ quote. An open quote is an error.
Result<std::vector<std::string>> shell_words(std::string_view line);

/// The word as a shell reads it back, whatever is in it.
std::string shell_quoted(std::string_view word);

/// The word in double quotes: a shell expands what is in it, and it stays one word. A quote that has
/// no backslash is a character of it, but in $(...), where it is the command's. `is_csh`: for those,
/// in which a backslash keeps no quote from ending the word.
std::string shell_expanded(std::string_view word, bool is_csh);

/// Whether `name` may name an object (spec/cli.md section 2): one to 512 characters, none of them
/// special.
Outcome valid_object_name(std::string_view name);

/// Whether `name` may be a host name: letters, digits, '-', '_' and '.', at most 255 of them.
bool valid_host_name(std::string_view name);

} // namespace almanac
