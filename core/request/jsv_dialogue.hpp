// What is said between whoever starts a JSV and the JSV itself about one job, a line each
// (jsv_script_interface(3)):
//
//     we: START                       it: [SEND ENV] STARTED
//     we: PARAM name value …          the variables of the job follow as ENV ADD name value,
//         BEGIN                       if it asked for them
//                                     it: PARAM name [value] … ENV ADD|MOD|DEL name [value] …
//                                         LOG INFO|WARNING|ERROR text …
//                                         RESULT STATE ACCEPT|CORRECT|REJECT|REJECT_WAIT [text]
//
// 1. What it writes is not trusted: it is text, its lines and their number are bounded, and what is
//    not of the table above ends the dialogue with an error. The values are judged elsewhere
//    (jsv_parameters.hpp, valid.hpp).
// 2. After QUIT, or the end of what it reads, a JSV ends; after a result it may be asked about another
//    job.
#pragma once

#include "core/request/jsv_parameters.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

struct JsvVerdict {
  enum class State { none, accept, correct, reject, reject_wait };
  struct Log {
    enum class Level { info, warning, error };
    Level level;
    std::string text;
  };
  State state = State::none;
  std::string text;   ///< what it said with it
  JsvChanges changes; ///< to be made where the state is correct
  std::vector<Log> log;
};

class JsvDialogue {
public:
  static constexpr std::size_t longest_line = 256 * 1024;
  static constexpr std::size_t most_bytes = 4 * 1024 * 1024; ///< of all its lines
  static constexpr std::size_t most_logs = 1'000, most_changes = 10'000;

  JsvDialogue(std::vector<Attribute> parameters, std::vector<Attribute> environment)
      : parameters_(std::move(parameters)), environment_(std::move(environment)) {}

  static std::string opening() { return "START\n"; }
  static std::string parting() { return "QUIT\n"; }

  /// Takes a line without its end; what is to be written then, perhaps nothing. After an error
  /// nothing more can be said to this JSV.
  Result<std::string> hear(std::string_view line);

  bool is_over() const { return verdict_.state != JsvVerdict::State::none; }
  /// Whether it has said anything at all.
  bool has_spoken() const { return bytes_ > 0; }
  const JsvVerdict& verdict() const { return verdict_; }

private:
  Outcome take_log(std::string_view rest);
  Outcome take_parameter(std::string_view rest);
  Outcome take_variable(std::string_view rest);
  Outcome take_result(std::string_view rest);
  std::string description() const;

  std::vector<Attribute> parameters_, environment_;
  bool has_started_ = false, wants_environment_ = false;
  std::size_t bytes_ = 0;
  JsvVerdict verdict_;
};

} // namespace almanac
