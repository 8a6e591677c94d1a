// A text that the caller changes in $EDITOR. What was typed is not lost where it is wrong.
#pragma once

#include "tools/commands/context.hpp"

#include <functional>
#include <string>

namespace almanac {

struct EditOutcome {
  int code = 0;
  bool is_wrong = false; ///< the text can be mended: it is offered to the editor again, or kept
};
/// Does what the edited text asks for, and says why if it cannot.
using UseText = std::function<EditOutcome(const std::string& text, const std::string& path)>;

/// The exit status. A person is asked whether to edit a wrong text again; without a terminal, or
/// where the answer is no, the text stays in a file that is named. So does what was typed before an
/// editor ends with an error.
int edit_text(Context& context, const std::string& text, const UseText& use);

} // namespace almanac
