// A door as commands see it: one request, the frames of its answer. Processes have a client behind
// it (process_door.hpp), the simulator its own cell.
#pragma once

#include "core/base/result.hpp"
#include "schema/door/replies.hpp"
#include "schema/door/requests.hpp"

#include <functional>

namespace almanac {

/// The near end of an interactive job.
struct JobStreams {
  int input = -1;              ///< a file descriptor, or -1: the job reads nothing
  TerminalSize terminal{0, 0}; ///< of the client's terminal, if the job has one
  int resized = -1;            ///< an eventfd that rings when it is another, or -1
  std::function<TerminalSize()> size{};
};

class Door {
public:
  using OnFrame = std::function<void(door::ReplyBody&)>;
  virtual ~Door() = default;

  /// Sends the request and hands over each frame of the answer, made safe to be printed. The error
  /// is what the user is told.
  virtual Outcome call(door::RequestBody body, const OnFrame& on_frame) = 0;
  /// Whether the last call was not sent, since no master could take it: it is too large, or the
  /// environment is wrong.
  virtual bool is_at_fault() const { return false; }
  /// The same for what changes: the row goes on after a lost connection where it was. Here, where
  /// nobody waits, it ends with what there is.
  virtual Outcome follow(door::Subscribe wanted, const OnFrame& on_frame) {
    wanted.once = true;
    return call(std::move(wanted), on_frame);
  }
  /// From now on Ctrl-C ends a call that waits for its answer, with an error, and not the process.
  virtual void catch_interrupt() {}
  /// The same, and of what ends a session.
  virtual void catch_end() {}
  /// Which signal came, 0: none; asking forgets it.
  virtual int take_interrupt() { return 0; }
  /// Waits for the place of an interactive job and attaches to it until it ends. The frames: an
  /// Attachment once it begins, Output, and an Answer with its exit status; an Answer alone where there
  /// is no place. Where nothing really runs, the accounting of a job that has ended.
  virtual Outcome attach(JobNumber job, const JobStreams& streams, const OnFrame& on_frame) {
    static_cast<void>(streams);
    return call(door::AwaitJob{job}, on_frame);
  }
  /// The same as call(), once, while what `input` (a file descriptor, or -1) brings follows the
  /// request.
  virtual Outcome call_with_input(door::Inherit request, const OnFrame& on_frame, int input) {
    static_cast<void>(input);
    return call(std::move(request), on_frame);
  }
};

} // namespace almanac
