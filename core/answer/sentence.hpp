// How a sentence of a dialect's table is filled in.
#pragma once

#include "core/answer/statement.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace almanac {

/// The sentence with each {name} replaced by that detail; "{name:, }" says what stands between the
/// statements of a list, else "; " does. What is in [brackets] is left out where no detail of it is
/// there. `nested` words a statement that is a detail. A detail that is not there leaves nothing.
std::string filled(std::string_view sentence, const Statement& statement,
                   const std::function<std::string(const Statement&)>& nested);

/// Puts points in time into words, as those who read them write them; else they are said in UTC.
void say_times(std::vector<Statement>& statements,
               const std::function<std::string(Instant)>& print);

/// What can be said of a statement without a sentence: "unknown (host=h1, limit=3)".
std::string bare(const Statement& statement,
                 const std::function<std::string(const Statement&)>& nested);

} // namespace almanac
