// A JSV as a process: it is asked about one job after the other (core/request/jsv_dialogue.hpp).
//
// 1. An answer has to come in time, and is bounded; after a failure the process is good for nothing.
// 2. It is ended with this object: with QUIT where it listens, with SIGKILL and all of its group where
//    it does not.
#pragma once

#include "actors/process/child_program.hpp"
#include "core/request/jsv_dialogue.hpp"

#include <chrono>
#include <string>

namespace almanac {

class JsvProcess {
public:
  static Result<JsvProcess> start(ProgramStart program);

  JsvProcess(JsvProcess&&) = default;
  JsvProcess& operator=(JsvProcess&&) = delete;
  ~JsvProcess();

  /// The error says what it did wrong. One thread.
  Outcome ask(JsvDialogue& dialogue, std::chrono::milliseconds patience);

private:
  JsvProcess(pid_t child, Descriptor input, Descriptor output, Descriptor errors);

  Outcome take_output(JsvDialogue& dialogue);
  Outcome hear_lines(JsvDialogue& dialogue);
  void take_errors();
  bool write_some();
  Error with_errors(std::string what) const;
  bool ends_by_itself();

  pid_t child_ = -1;
  Descriptor process_, input_, output_, errors_;
  std::string to_write_, heard_; ///< what is still to be written, the line that is not whole yet
  std::string complaints_;       ///< the beginning of what it wrote on standard error
  bool is_broken_ = false;       ///< a dialogue ended with a failure
};

} // namespace almanac
