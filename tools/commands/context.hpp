// What a command is given: its words, its streams, its place, a door. So the simulator can run it
// too.
#pragma once

#include "core/request/submit_options.hpp"
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
  /// The primary group of a user whom this machine knows.
  std::function<std::optional<std::string>(const std::string& user)> group_of;
  std::function<int(const std::string& path)> edit; ///< runs $EDITOR; its exit code
  bool asks_person = false;                         ///< `in` is a terminal
  bool only_tries = false;   ///< qconf -w v: changes of the configuration are not made
  bool is_judged = false;    ///< the master has said what they would do, or can't be asked
  std::string host{};        ///< the name of this machine; "" in the simulator
  bool shows_person = false; ///< `out` is a terminal

  const std::string* variable(const std::string& name) const;
};

/// Local time of the client.
Result<Instant> to_instant(const DateTime& date, Instant now);

Result<std::string> read_text_file(const std::string& path);

/// Runs a command of the door and prints its lines; the exit code.
int run_command(Context& context, CommandBody body);
int print_answer(Context& context, Answer answer);
/// Asks; each frame of type T goes to `take`. An answer in its place is printed. The exit code.
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

/// Who sits at a terminal is told more; scripts and pipes get what Grid Engine's commands print.
void tell_person(Context& context, const std::string& note);

/// A command's complaint about its own words.
int complain(Context& context, const std::string& what, int code = 1);
/// The same of qsub and its like: 2 where words are no options of theirs (spec V1.5, V1.7).
int complain_of_words(Context& context, const std::string& what);
/// How a date or a time is written, behind a complaint that one is wrong.
void tell_form(Context& context, const std::string& what);

/// The options of a command that takes no operands. Nothing if the command is done with `code`:
/// after -help, or after the usage and a complaint about its words. `defaults`: the name of files of
/// the cell and the user with options that come before them (default_options.hpp).
std::optional<GivenOptions> read_options(Context& context, const std::vector<OptionRule>& rules,
                                         const char* usage, int& code,
                                         const std::string& defaults = "");

using CommandFunction = int (*)(Context&);
/// The command of this name, or nullptr.
CommandFunction find_command(const std::string& name);
std::vector<std::string> command_names();

} // namespace almanac
