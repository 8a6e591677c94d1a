// What all switches of qconf that change something have in common.
#pragma once

#include "tools/commands/context.hpp"

#include <functional>
#include <string>

namespace almanac {

/// Makes the change, or, after -w v, asks what it would do; prints the answer, as `amend` leaves it.
/// The exit code.
int change_configuration(Context& context, ConfigureCommand command,
                         const std::function<void(Answer&)>& amend = {});

/// The text of a file, and what it is called.
struct ObjectText {
  const std::string& path;
  const std::string& text;
};
/// Makes the object of a file what its text says; `name`: where the kind has none in files. Lines
/// without a value are refused together with all else that is wrong.
int change_from_text(Context& context, ChangeVerb verb, ObjectKind kind, const ObjectText& file,
                     const std::string& name = "");

/// Before somebody types for nothing: whoever may change no configuration hears it. 0: the caller may.
int refuse_others_than_managers(Context& context);

} // namespace almanac
