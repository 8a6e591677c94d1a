// What readers see: the records as of the last commit, and the answers to queries on them.
//
// Belongs to the views actor; knows no actor itself.
#pragma once

#include "actors/answer_frames.hpp"
#include "core/configuration/configuration.hpp"
#include "core/records/effect.hpp"
#include "core/utilization/booking.hpp"
#include "schema/door_messages.hpp"
#include "schema/session_messages.hpp"

#include <map>
#include <string>
#include <vector>

namespace almanac {

class CommittedState {
public:
  void apply(const Effect& effect);
  void apply_load(const std::string& host, const HostLoad& load) {
    loads_[host] = load;
    notices_.erase(host);
  }
  void apply_notice(const std::string& host, const std::string& text) {
    if (configuration_.hosts().contains(host)) notices_[host] = text;
  }
  /// What whoever asks for jobs or hosts is told about the cell; "": nothing.
  void set_notice(std::string notice) { notice_ = std::move(notice); }
  void set_time(Instant now) { now_ = std::max(now_, now); }

  /// The configuration as of now.
  const Configuration& configuration() {
    refresh_configuration();
    return configuration_;
  }
  /// Jobs, tasks, reservations and their highest key.
  Records records() const;

  /// The frames of an answer; `caller` is who asks.
  std::shared_ptr<AnswerFrames> answer(const Caller& caller, const door::RequestBody& query);

  std::size_t jobs() const { return jobs_.size(); }

private:
  PriorityScale priority_scale() const;
  std::optional<std::string> too_many_names(const door::RequestBody& query) const;
  std::shared_ptr<AnswerFrames> answer_jobs(const Caller& caller, const door::GetJobs& query) const;
  std::shared_ptr<AnswerFrames> answer_lines(const Caller& caller,
                                             const door::GetLines& query) const;
  std::vector<door::ReplyBody> answer_reservations() const;
  std::vector<door::ReplyBody> answer_cluster() const;
  std::vector<door::ReplyBody> answer_objects(ObjectKind kind) const;
  door::InstanceView view(const QueueInstance& instance) const;
  std::vector<door::ResourceView>
  resources(const QueueInstance& instance,
            const std::map<std::pair<Container, Resource>, std::int64_t>& used) const;
  void refresh_configuration();
  /// Counts one record instead of another; nullptr: none.
  void tally(const JobPtr& before, const JobPtr& after);
  std::vector<TaskPtr> tasks_of(JobKey key) const;

  Configuration configuration_;
  Configuration::News configuration_news_; ///< not yet in it
  std::map<JobKey, JobPtr> jobs_;
  std::map<TaskId, TaskPtr> tasks_;
  PriorityTally tally_; ///< of the jobs
  std::map<ReservationKey, ReservationPtr> reservations_;
  std::map<std::string, HostState> hosts_;
  std::map<std::string, HostKey> host_keys_;
  std::map<InstanceName, InstanceState> instances_;
  std::map<std::string, HostLoad> loads_;
  std::map<std::string, std::string> notices_; ///< by host; of hosts that are there
  std::string notice_;                         ///< of the cell
  Instant now_;
};

} // namespace almanac
