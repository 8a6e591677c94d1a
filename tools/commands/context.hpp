// Everything that a command gets from outside: its arguments, its streams, its directory and a door.
// This is why the simulator can run commands, too.
#pragma once

#include "core/request/submit_options.hpp"
#include "core/reservation/grant.hpp"
#include "tools/commands/door.hpp"
#include "tools/output/local_time.hpp"

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

struct Context {
  std::string program;
  std::vector<std::string> arguments;
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Door& door;
  std::string user;
  std::string directory;
  std::vector<Attribute> environment;
  std::function<Instant()> now;
  /// The primary group of a user; nothing if this machine does not know the user.
  std::function<std::optional<std::string>(const std::string& user)> group_of;
  std::function<int(const std::string& path)> edit; ///< runs $EDITOR; returns its exit code
  bool asks_person = false;                         ///< `in` is a terminal
  bool only_tries = false;   ///< qconf -w v: changes of the configuration are only tried
  bool is_judged = false;    ///< the master has answered a change, or cannot be reached
  std::string host{};        ///< the name of this machine; "" in the simulator
  bool shows_person = false; ///< `out` is a terminal
  /// Makes the proof of a claim (-reskey); none: it can't be made here.
  std::function<Result<std::string>(ClaimProver)> prove{};

  const std::string* variable(const std::string& name) const;
};

/// The date as local time of the client; without a year, in that of `now`.
Result<Instant> to_instant(const DateTime& date, Instant now);

/// The whole file, whatever its size (small_file.hpp reads with a bound).
Result<std::string> read_text_file(const std::string& path);

/// Sends a command to the door and prints the answer. Returns the exit code.
int run_command(Context& context, CommandBody body);
/// Prints an answer. Returns its exit code.
int print_answer(Context& context, Answer answer);
/// Sends a question. Each frame of type T goes to `take`; an Answer that comes instead is printed. Returns
/// the exit code.
template <class T>
int ask(Context& context, door::RequestBody body, const std::function<void(T&)>& take) {
  int code = 0;
  const auto outcome = context.door.call(std::move(body), [&](door::ReplyBody& frame) {
    if (auto* expected = std::get_if<T>(&frame)) take(*expected);
    else if (const auto* answer = std::get_if<Answer>(&frame))
      code = print_answer(context, *answer);
  });
  if (outcome) return code;
  context.is_judged = true;
  print_answer(context, Answer::refusal("error: " + outcome.what()));
  return 1;
}

/// Prints a note for a person at a terminal. Scripts and pipes get what Grid Engine's commands print, and
/// nothing else.
void tell_person(Context& context, const std::string& note);

/// Prints what is wrong with the arguments. Returns `code`.
int complain(Context& context, const std::string& what, int code = 1);
/// The same for qsub and its like, which return 2 for an unknown option (spec V1.5, V1.7), and else 1.
int complain_of_words(Context& context, const std::string& what);
/// After a complaint about a date or a time: tells a person how one is written.
void tell_form(Context& context, const std::string& what);

/// The options of a command that takes no operands. Nothing if the command ends here, with `code`: it
/// has printed its help, or what is wrong with its arguments. `defaults`: what the files of the cell and
/// the user are called whose options come first (default_options.hpp); "": there are none.
std::optional<GivenOptions> read_options(Context& context, const std::vector<OptionRule>& rules,
                                         const char* usage, int& code,
                                         const std::string& defaults = "");

using CommandFunction = int (*)(Context&);
/// The command of this name, or nullptr.
CommandFunction find_command(const std::string& name);
std::vector<std::string> command_names();

} // namespace almanac
