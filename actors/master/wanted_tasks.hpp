// The tasks that the agent of a host is to have, against those that it has: what it is told of
// each, and what its reports mean.
//
// 1. Nothing is said to an agent before its list was compared (core/execution/reconcile.hpp), and
//    each order is said once in a session: what was told in another one may never have been heard.
// 2. After a start of the master an agent may register before the actors of the jobs have said what
//    they want. What it reports of a task that the records know waits for them.
//    Also whether it is to stand or to go on is said again where nobody knows what was heard.
// 3. What the records do not know is never stopped.
// 4. Of a task as a whole only its first host speaks; another one speaks of its own part.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/master/warrant_signer.hpp"
#include "core/execution/lease.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace almanac {

class WantedTasks {
public:
  /// The calendar hears what becomes of the tasks.
  WantedTasks(CalendarActor calendar, WarrantSigner::Master master, std::string host)
      : calendar_(std::move(calendar)),
        store_id_(master.store_id),
        term_(master.term),
        host_(host),
        signer_(std::move(master), std::move(host)) {}

  void want(const WantTask& want);
  /// Its record lets the attempt go, and the agent may.
  void unwant(const Attempt& attempt);

  /// Why an agent that registers so can't be sent orders; nothing if it can.
  std::optional<std::string> obstacle(const session::Register& list) const {
    return signer_.obstacle(list);
  }
  /// The agent registers: what is told later has to name its nonce.
  void take_nonce(const session::Register& list) { signer_.take(list); }
  session::Registered told(const HostSettings& settings) const {
    return signer_.told(settings.agent, settings.load_sensors);
  }
  /// A session begins with the agent's list, of which the records know this. `same_spool`: boot and
  /// spool are those that were known before.
  void begin_session(SessionActor session, const session::Register& list, const HostTasks& known,
                     bool same_spool);
  void end_session();

  void take(const session::TaskReport& report);
  void take(const session::Renew& renew) { signer_.take(renew); }
  void take(const PartSilent& part) const;

  /// What the agent runs that no record knows, in a sentence; "": nothing.
  std::string doubt() const;
  /// Tells which tasks have surely ended by themselves.
  void tell_fenced(const Lease& lease) const;
  std::size_t size() const { return tasks_.size(); }
  const WarrantSigner& signer() const { return signer_; }

private:
  // A task that the agent is to have, and what it has been told in this session.
  struct Wanted {
    WantTask want;
    bool launched = false, killed = false;
    bool moved = false;     ///< told that it moves
    bool preempted = false; ///< told that it gives way
    bool overdue = false;   ///< nobody waits any longer for it to give way
    /// Nothing: nobody knows whether it was told to stop or to go on the last time, by an earlier
    /// master or in a session that has ended.
    std::optional<bool> suspended = {};
    bool was_suspended = false; ///< told so once
    bool is_saved = false;      ///< the calendar was told that it was checkpointed
    std::int64_t limit = 0;     ///< the last one that it has been told; 0: nobody knows
    bool begins_on(const std::string& host) const { return want.order->parts.front().host == host; }
  };
  void settle(const Attempt& attempt, Wanted& task);
  void push(const Attempt& attempt, Wanted& task) const;
  void end(const Attempt& attempt, Wanted& task) const;
  void launch(session::Launch order) const;
  void take_of(Wanted& task, const session::TaskReport& report) const;
  void take_saved(Wanted& task, const session::TaskReport& report) const;
  void note_doubtful(const std::vector<Attempt>& attempts);
  void say(session::Message message) const;
  void tell(ValidInput fact) const;

  CalendarActor calendar_;
  std::string store_id_;
  Term term_;
  std::string host_;
  WarrantSigner signer_;
  SessionActor session_; ///< whose list was compared; or nobody
  bool takes_limits_ = false, takes_moves_ = false, takes_preemption_ = false;
  std::map<Attempt, Wanted> tasks_;
  std::map<Attempt, session::TaskReport> early_; ///< the agent has it; who wants it comes still
  std::set<Attempt> to_send_again_;              ///< the agent does not have it; likewise
  std::set<Attempt> doubtful_;                   ///< the agent has it, the records do not know it
};

} // namespace almanac
