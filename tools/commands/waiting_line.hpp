// Says on a terminal that something takes its time: "waiting for the master: 3 s", from the first second
// on, until the first part of the answer is there. The line is wiped out then.
//
// Where nobody looks it says nothing, and starts no thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace almanac {

class WaitingLine {
public:
  /// Into this file; `is_seen`: it is a terminal. `awaited`: what it waits for.
  WaitingLine(int file, bool is_seen, std::chrono::milliseconds period = std::chrono::seconds(1),
              std::string awaited = "the master");
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;
  ~WaitingLine() { end(); }

  /// Nothing is written from here on. May be called again.
  void end();

private:
  void show();

  const int file_;
  const std::chrono::milliseconds period_;
  const std::string awaited_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_ended_ = false;
  std::thread thread_; ///< last: it uses what is above
};

} // namespace almanac
