// What all plus_* commands have in common: their options, their exit statuses, their errors
// (spec/plus.md section 2).
#pragma once

#include "core/request/plus_options.hpp"
#include "tools/commands/context.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace almanac {

/// P2.7 to P2.10.
namespace plus_exit {
inline constexpr int done = 0, refused = 1, usage = 2, unreached = 3;
}

/// What these commands prepare has no name: at most one operation is held for a reservation, and
/// plus_commit and plus_abort settle whatever it is. Two reservations of one user are never the same.
inline constexpr const char* plus_transaction = "";

/// The options of a command without "plus_". Nothing if the command ends here, with `code`: it has
/// printed its help, what is wrong with its arguments, or why it does not do what they say.
std::optional<PlusOptions> read_plus(Context& context, std::string_view command, int& code);

/// Prints refusals and warnings of the answer. The exit status.
int tell_troubles(Context& context, const Answer& answer);

/// Tells of a call that has failed. The exit status.
int tell_failure(Context& context, const std::string& why);

/// Has it done, and hands the answer over if it was. The exit status.
int run_plus(Context& context, CommandBody body,
             const std::function<void(const Answer&)>& use = {});
/// The same with the key of the reservation in this file; "": without.
int run_plus_with_key(Context& context, CommandBody body, const std::string& key_file);

/// Asks the master. Each frame of type T goes to `take`; an answer that comes instead is a refusal, and
/// is told. The exit status.
template <class T>
int ask_plus(Context& context, door::RequestBody body, const std::function<void(T&)>& take) {
  int code = plus_exit::done;
  const auto called = context.door.call(std::move(body), [&](door::ReplyBody& frame) {
    if (auto* expected = std::get_if<T>(&frame)) take(*expected);
    else if (const auto* answer = std::get_if<Answer>(&frame))
      code = tell_troubles(context, *answer);
  });
  return called ? code : tell_failure(context, called.what());
}

/// One reservation, in whatever state it is; told if there is none. The exit status.
int find_for_plus(Context& context, ReservationNumber number,
                  std::optional<door::ReservationView>& found);

/// A file that an option names: from the folder of the caller on.
std::string path_of(const Context& context, const std::string& file);

/// How long an operation is held: 0 if it is done at once.
Duration held_for(const PlusOptions& options);

} // namespace almanac
