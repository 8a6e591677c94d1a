// Lists of tokens as metaschedulers write them: NAME=value;NAME=value
// (spec/metascheduler.md section 3, M3.1 to M3.3).
//
// 1. Names are letters, digits and '_', and begin with a letter. Case does not matter; they are kept
//    in upper case.
// 2. In a value, a backslash takes away the meaning of the next character, and "\n" is a line feed.
//    Blanks around ';' and '=' are dropped unless a backslash is in front.
// 3. What is printed is read back as it was.
#pragma once

#include "core/base/attribute.hpp"
#include "core/base/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// The tokens in their order; a name may be there twice. A ';' may end the list. The error says which
/// token cannot be read.
Result<std::vector<Attribute>> parse_token_list(std::string_view text);
std::string print_token_list(const std::vector<Attribute>& tokens);

/// The name of a token in upper case; nothing: it is none.
std::optional<std::string> token_name(std::string_view text);

/// A value as it is written in a list.
std::string escaped_value(std::string_view value);
/// What is meant by it. An error where a backslash is the last character.
Result<std::string> unescaped_value(std::string_view text);

} // namespace almanac
