// Processes of qrsh -inherit on this host, each below a shepherd of its own.
//
// What one writes comes through pipes: nothing of it is kept on disk, and it waits where nobody
// reads. Its end is told after all of its output. Of one thread: it waits for the files that add_to()
// names.
#pragma once

#include "actors/ports/launcher.hpp"
#include "agent/ready_files.hpp"
#include "agent/watched_shepherd.hpp"

#include <functional>
#include <map>
#include <utility>

namespace almanac {

class Calls {
public:
  /// `on_usage` hears of attempts whose usage() may be another one.
  Calls(const HelperClient& helper, std::function<void(const Attempt&)> on_usage)
      : helper_(helper), on_usage_(std::move(on_usage)) {}
  ~Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  /// Before the first start().
  void tell_to(Launcher::Events events) { events_ = std::move(events); }

  /// In the part of this attempt.
  Outcome start(const Attempt& attempt, const InheritedStart& start);
  void take_output(const Attempt& attempt, std::int64_t call, std::int64_t bytes);
  void write_input(const Attempt& attempt, std::int64_t call, const std::string& content, bool end);
  void send_command(const Attempt& attempt, const char* command) const;
  void forget(const Attempt& attempt);

  /// Has it told soon what the processes use.
  void ask_usage() const;
  /// Of all that the attempt has and had here, as was told last.
  TaskUsage usage(const Attempt& attempt) const;

  /// What happens when they are ready leaves all calls where they are.
  void add_to(ReadyFiles& files);
  void drop_ended();

private:
  struct Call {
    std::int64_t number = 0; ///< of who is told of it
    WatchedShepherd shepherd;
    int output = -1, error = -1;      ///< the reading ends of what it writes
    std::int64_t untaken = 0;         ///< bytes that were told and not yet read by who asked
    std::optional<ExitRecord> record; ///< once it has ended, until its output is told
    bool ended = false;
    int input = -1;          ///< the writing end of its standard input
    std::string input_left;  ///< not written yet
    bool input_ends = false; ///< nothing more comes
  };
  static void close_files(Call& call);
  Call* find(const Attempt& attempt, std::int64_t number);
  void hear(Call& call);
  void send_output(Call& call);
  void send_piece(Call& call, int& file, bool error);
  void pass_input_on(Call& call);

  const HelperClient& helper_;
  const std::function<void(const Attempt&)> on_usage_;
  Launcher::Events events_;
  std::map<Attempt, TaskUsage> ended_; ///< of those that have ended, of attempts that are here
  std::map<std::pair<Attempt, std::int64_t>, Call> calls_;
};

} // namespace almanac
