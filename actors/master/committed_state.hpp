// What readers see: the records as of the last commit, and the answers to queries on them.
//
// Belongs to the views actor; knows no actor itself.
#pragma once

#include "actors/answer_frames.hpp"
#include "actors/master/job_frames.hpp"
#include "actors/master/live_usage.hpp"
#include "actors/messages.hpp"
#include "core/matching/selected_instances.hpp"
#include "core/policy/priority_tally.hpp"
#include "core/policy/quota_counters.hpp"
#include "core/policy/quota_gaps.hpp"
#include "core/records/occupancy.hpp"
#include "core/records/records.hpp"
#include "core/records/standing_series.hpp"
#include "core/utilization/booking.hpp"
#include "core/utilization/ledger.hpp"
#include "schema/door/replies.hpp"
#include "schema/door/requests.hpp"
#include "schema/session_messages.hpp"
#include "schema/store/changes.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace almanac {

class CommittedState {
public:
  CommittedState() {
    records_.follow(priorities_);
    records_.follow(quotas_);
    records_.follow(quota_gaps_);
    records_.follow(series_);
    records_.follow(numbers_);
  }
  /// Of one commit, in their order.
  void apply(const std::vector<Effect>& effects) { records_.apply(effects); }
  /// Whoever watches hears of all changes from now on.
  void follow(Index& watcher) { records_.follow(watcher); }
  /// With what there is to be said of a host that is heard; "": nothing.
  void apply_load(const std::string& host, const HostLoad& load, const std::string& notice = "") {
    loads_[host] = load;
    notices_.erase(host);
    if (!notice.empty()) notices_[host] = notice;
  }
  void apply_usage(const std::string& host, const session::TaskUses& said) {
    usage_.take(host, said);
  }
  void apply_notice(const std::string& host, const std::string& text) {
    if (configuration().hosts().contains(host)) notices_[host] = text;
  }
  /// What whoever asks for jobs or hosts is told about the cell; "": nothing.
  void set_notice(std::string notice) { notice_ = std::move(notice); }
  void set_time(Instant now) { now_ = std::max(now_, now); }

  const Records& records() const { return records_; }
  /// What formulas of quotas miss since the last call.
  std::vector<QuotaGap> take_quota_gaps() { return quota_gaps_.take_found(); }

  /// The frames of an answer; `caller` is who asks.
  std::shared_ptr<AnswerFrames> answer(const Caller& caller, const door::RequestBody& query);
  /// By its key, if that is known, else by its number.
  FoundReservation find(const FindReservation& wanted) const;
  /// What became of what these rows name, each object once, as it is now; or why the caller hears
  /// nothing.
  door::ReplyBody changes(const Caller& caller, const door::ChangeFilter& filter,
                          const std::vector<store::ChangeRow>& rows) const;

private:
  struct Use {
    UsedAmounts used;
    std::map<InstanceName, std::int64_t> reserved;
    Amounts left_over; ///< of what is over, what still runs
    Ledger ahead;
  };
  class ChangeViews;
  const Configuration& configuration() const { return records_.configuration(); }
  PriorityScale priority_scale() const;
  std::optional<Statement> too_many_names(const door::RequestBody& query) const;
  ListedJob listed(JobKey key, const JobPtr& job, const PriorityScale& scale) const;
  std::shared_ptr<AnswerFrames> answer_jobs(const Caller& caller, const door::GetJobs& query) const;
  std::shared_ptr<AnswerFrames> answer_lines(const Caller& caller,
                                             const door::GetLines& query) const;
  Result<SelectedInstances, Statement> selected(const InstanceSelection& selection,
                                                const Use& in_use) const;
  std::vector<door::ReplyBody> answer_reservations(const Caller& caller,
                                                   const door::GetReservations& query) const;
  std::vector<door::ReplyBody> answer_cluster(const door::GetCluster& query) const;
  std::vector<door::ReplyBody> answer_objects(ObjectKind kind) const;
  std::shared_ptr<AnswerFrames> answer_list(const door::Subscribe& subscription) const;
  Use use() const;
  door::InstanceView view(const QueueInstance& instance, const Use& use) const;
  door::HostView view_of_host(const std::string& name) const;
  std::string reason_of(const InstanceState& condition) const;
  HostState measured(const std::string& host) const;
  HostState recorded(const std::string& host) const;
  std::string letters_of(const QueueInstance& instance) const;
  std::set<std::string> scripts_apart() const;
  std::vector<JobNumber> numbers_of(const std::vector<JobKey>& jobs) const;
  std::vector<TaskPtr> tasks_of(JobKey key) const;
  std::vector<ReservationNumber> attracting(const std::vector<TaskPtr>& tasks) const;
  std::vector<ReservationPtr> occurrences_of(ReservationNumber series) const;

  Records records_;
  PriorityTally priorities_{records_};
  QuotaCounters quotas_{records_};
  QuotaGaps quota_gaps_{records_};
  StandingSeries series_;
  NumbersInUse numbers_;
  std::map<std::string, HostLoad> loads_;
  LiveUsage usage_;
  std::map<std::string, std::string> notices_; ///< by host; of hosts that are there
  std::string notice_;                         ///< of the cell
  Instant now_;
};

} // namespace almanac
