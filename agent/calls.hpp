// Processes of qrsh -inherit on this host, each below a shepherd of its own, and the streams of
// interactive jobs, whose shepherd is that of the task.
//
// What one writes comes through pipes: nothing of it is kept on disk, and it waits where nobody
// reads. Its end is told after all of its output. Of one thread: it waits for the files that add_to()
// names.
#pragma once

#include "actors/ports/launcher.hpp"
#include "agent/ready_files.hpp"
#include "core/execution/stream_window.hpp"
#include "agent/watched_shepherd.hpp"

#include <functional>
#include <map>
#include <utility>
#include <vector>

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
  /// The streams of the attempt's own process, as its launch has brought them.
  void attach(const Attempt& attempt, const InheritedStart& start, HelperClient::Answer& launched);
  /// Of that process: it has begun; it has ended. What it wrote is told before its end is.
  void note_begun(const Attempt& attempt);
  void note_end(const Attempt& attempt, const ExitRecord& record);
  /// Whether somebody has streams of it that are not over.
  bool is_attached(const Attempt& attempt) const { return attached_.contains(attempt); }

  void resize(const Attempt& attempt, std::int64_t call, const TerminalSize& size);
  /// `of_task`: the shepherd of the attempt's own process, nullptr where it is none of ours.
  void hang_up(const Attempt& attempt, std::int64_t call, const WatchedShepherd* of_task);
  void take_output(const Attempt& attempt, std::int64_t call, std::int64_t bytes);
  void write_input(const Attempt& attempt, std::int64_t call, const std::string& content, bool end);
  void send_command(const Attempt& attempt, const char* command);
  void forget(const Attempt& attempt);

  /// Has it told soon what the processes use.
  void ask_usage() const;
  /// Of all that the attempt has and had here, as was told last.
  TaskUsage usage(const Attempt& attempt) const;
  /// Those that have not ended.
  void each_shepherd(const std::function<void(const WatchedShepherd&)>& visit) const;

  /// What happens when they are ready leaves all calls where they are.
  void add_to(ReadyFiles& files);
  /// The attempts whose streams are over with that.
  std::vector<Attempt> drop_ended();

private:
  /// Of a call's output, on the way to who reads it: enough for a fast link, and for eight of them.
  static constexpr std::int64_t largest_window = 1 << 20;
  struct Call {
    std::int64_t number = 0; ///< of who is told of it
    WatchedShepherd shepherd;
    int output = -1, error = -1; ///< the reading ends of what it writes
    StreamWindow window{largest_window};
    std::int64_t moved_ms = 0;        ///< when something was told or taken last
    std::optional<ExitRecord> record; ///< once it has ended, until its output is told
    bool ended = false;
    int input = -1;          ///< the writing end of its standard input
    std::string input_left;  ///< not written yet
    bool input_ends = false; ///< nothing more comes
    bool is_attached = false, is_terminal = false, is_hung_up = false;
  };
  void begin_streams(const Call& call) const;
  static void close_streams(Call& call);
  static void close_files(Call& call);
  Call* find_attached(const Attempt& attempt);
  void drop_stalled(Call& call);
  Call* find(const Attempt& attempt, std::int64_t number);
  void hear(Call& call);
  void send_output(Call& call);
  void send_piece(Call& call, int& file, bool error);
  static void pass_over(int& file);
  void pass_input_on(Call& call);

  const HelperClient& helper_;
  const std::function<void(const Attempt&)> on_usage_;
  Launcher::Events events_;
  std::map<Attempt, TaskUsage> ended_; ///< of those that have ended, of attempts that are here
  std::map<std::pair<Attempt, std::int64_t>, Call> calls_;
  std::map<Attempt, std::int64_t> attached_; ///< numbers of calls
};

} // namespace almanac
