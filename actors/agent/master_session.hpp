// What an agent has to say to the master: its session, one after the other, the tasks of this host,
// and the lease.
//
// In a session the master is told all tasks at its Welcome, and hears news once it has registered
// this host (task_list.hpp). What it has not heard is in the list of the next session.
#pragma once

#include "actors/agent/agent_lease.hpp"
#include "actors/agent/task_list.hpp"
#include "actors/interfaces.hpp"
#include "core/host/call_pause.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace almanac {

class MasterSession {
public:
  explicit MasterSession(Launcher& launcher) : launcher_(launcher), lease_(launcher) {}

  void begin(SessionActor session) { session_ = std::move(session), id_ = session_.id(); }
  /// Whether a message comes from it; also from the last one, until another begins.
  bool is(std::uint64_t id) const { return id == id_; }
  std::uint64_t id() const { return id_; }
  /// Milliseconds until the next one should begin. A reason is logged when it is a new one.
  std::int64_t lost(const SessionDown& down);

  void hear(const session::Welcome& welcome);
  /// True if beats have to begin.
  bool hear(const session::Registered& registered);
  void hear(const session::Renewed& lease) { lease_.granted(lease); }
  /// True if another beat has to follow.
  bool beat();

  bool is_registered() const { return tasks_.is_registered(); }
  /// Before it is registered, nothing is said.
  void tell(session::Message news) const;
  /// What has become of a task that is in the list.
  void report(const session::TaskReport& report);

  TaskList& tasks() { return tasks_; }
  const TaskList& tasks() const { return tasks_; }

private:
  void say(session::Message message) const;

  Launcher& launcher_;
  SessionActor session_;
  std::uint64_t id_ = 0;
  std::string last_reason_; ///< why it was lost, or not reached, since it last was open
  CallPause pause_;
  AgentLease lease_;
  TaskList tasks_;
};

} // namespace almanac
