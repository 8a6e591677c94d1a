// What brought the master down twice is not tried a third time.
#pragma once

#include "actors/ports/notebook.hpp"
#include "core/answer/answer.hpp"
#include "core/base/caller.hpp"

#include <optional>
#include <string>

namespace almanac {

/// Why the request or question with this key (answer_key()) is not worked on; nothing if it is.
/// Others of an ordinary user are not either: their next ones may be of the same kind.
std::optional<Answer> crashed_over(const Notebook& notebook, const Caller& caller,
                                   const std::string& key);

} // namespace almanac
