// The jobs of an answer to qstat, as they were when it was asked for.
//
// Threads: the views actor fills the frames; whoever sends them makes each when its turn comes
// (actors/answer_frames.hpp), so nothing here asks the records or the configuration later on.
// Units: a frame holds a number of jobs, whatever their size; door::largest_frame bounds its bytes.
#pragma once

#include "actors/answer_frames.hpp"
#include "actors/master/live_usage.hpp"
#include "core/job/job.hpp"
#include "core/job/job_line.hpp"
#include "core/job/task.hpp"
#include "core/policy/priority.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace almanac {

/// What is known of a job that an answer lists. Lists are ascending.
struct ListedJob {
  JobPtr job;
  std::vector<TaskPtr> tasks;
  Priority priority;
  std::string department;
  TaskUsages usage{};
  std::vector<ReservationNumber> attracted_by{};
  std::vector<JobNumber> predecessors{}, successors{}; ///< where details are wanted
  std::map<std::int64_t, std::string> bindings{};      ///< likewise, by the number of a task
  std::optional<std::vector<JobLine>> lines{};         ///< where only some are wanted
  std::vector<door::JobRequestsView> requests{};       ///< one, where they are wanted
};

/// Frame: door::Jobs or door::Lines. There is one at least, which may be empty.
template <class Frame> class JobFrames : public AnswerFrames {
public:
  using Item = typename decltype(Frame::jobs)::value_type;
  JobFrames(std::size_t jobs_in_a_frame, std::function<Item(ListedJob)> make)
      : jobs_in_a_frame_(jobs_in_a_frame), make_(std::move(make)) {}
  void add(ListedJob entry) { entries_.push_back(std::move(entry)); }
  /// What was named and does not exist; sent with the last frame, if frames have a place for it.
  void set_unknown(std::vector<std::string> unknown) { unknown_ = std::move(unknown); }
  /// Sent with the first frame, likewise.
  void set_notice(std::string notice) { notice_ = std::move(notice); }

  std::optional<door::ReplyBody> next() override {
    if (std::exchange(begun_, true) && at_ == entries_.size()) return std::nullopt;
    Frame frame;
    for (; at_ < entries_.size() && frame.jobs.size() < jobs_in_a_frame_; ++at_)
      frame.jobs.push_back(make_(std::exchange(entries_[at_], {})));
    if constexpr (requires { frame.unknown; })
      if (at_ == entries_.size()) frame.unknown = std::move(unknown_);
    if constexpr (requires { frame.notice; }) frame.notice = std::exchange(notice_, {});
    return frame;
  }

private:
  std::size_t jobs_in_a_frame_;
  std::function<Item(ListedJob)> make_;
  bool begun_ = false;
  std::vector<ListedJob> entries_;
  std::size_t at_ = 0;
  std::vector<std::string> unknown_;
  std::string notice_;
};

/// Everything that is shown of a job.
door::JobView whole(ListedJob entry);
/// The same for other users than its owner and the operators: what the job is given is not in it, but
/// that there is something (ruling in spec/rulings.md).
door::JobView withheld(ListedJob entry);
/// What is shown of each where many are listed.
door::JobView brief(ListedJob entry);
/// The lines of all its tasks (core/job/job_line.hpp), with what those that run use.
std::vector<JobLine> lines_with_usage(const ListedJob& entry, bool all_grants);
/// `apart`: parallel environments whose jobs have a script beside their slots.
door::JobLines as_lines(ListedJob entry, bool all_grants, const std::set<std::string>& apart);

} // namespace almanac
