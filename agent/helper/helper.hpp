// The root half of an agent: six verbs about tasks, and one about load sensors.
//
// 1. Nothing is run but what the master has signed for this host within the last minute, once.
// 2. Everything else is about tasks that were launched so: their folders are in the spool. Their
//    limits grow by the master's signature, too, and never shrink.
// 3. What a shepherd is told is made here, out of the signed bytes: nothing that the network half
//    says becomes part of it. A process of qrsh -inherit is what the agent of the task's first host
//    has signed, whose key the warrant of the task names.
// 4. Of load sensors it starts those that the master has signed for this host, with the rights of the
//    half that asks for them.
//
// Of one thread, without CAF and codec.
#pragma once

#include "agent/helper/dead_shepherds.hpp"
#include "agent/helper/message.hpp"
#include "agent/helper/nonces.hpp"
#include "agent/helper/sensor_processes.hpp"
#include "agent/helper/task_folder.hpp"
#include "agent/helper/task_orders.hpp"
#include "agent/shepherd/processes.hpp"
#include "agent/shepherd/removal.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace almanac {

struct HelperSettings {
  std::string cell, host;
  std::string directory; ///< the agent's, where jobs find its door
  std::string binaries;  ///< the folder of the commands
  std::int64_t min_uid = 0;
  std::string master_key; ///< 32 bytes: whose signature counts
  /// Milliseconds that never go back, those asleep included.
  std::function<std::int64_t()> clock = boot_clock_ms;
  /// Of the half that talks with the network: it holds keys, so its user has no jobs here; -1:
  /// there is no other half.
  std::int64_t own_uid = -1;
  SessionUser sensor_user{}; ///< whom load sensors run as: that half's user
};

class Helper {
public:
  /// `spool` is the open folder of `places`; `on_fork` is called first in each shepherd, with its
  /// folder.
  Helper(HelperSettings settings, TaskPlaces places, int spool,
         std::function<void(const std::string& folder)> on_fork);

  /// What warrants have to name from now on.
  std::string nonce() { return nonces_.current(settings_.clock()); }

  struct Answer {
    HelperReply reply;
    std::vector<int> files; ///< as reply.files names them; the caller's to close
  };
  Answer answer(const HelperRequest& request);
  /// Whatever came as a packet.
  Answer answer(const std::string& text);
  /// The agent stops: tasks that are to be checkpointed then are. Nobody waits for that.
  void save_tasks() const;
  /// A child of this process was waited for.
  void child_ended(pid_t pid, int status) {
    sensors_->child_ended(pid);
    dead_.take(pid, status);
  }

private:
  /// What the master has signed of a task that is here.
  struct Known {
    Warrant warrant;
    UserFacts user;
    std::string tmpdir = {}; ///< the task's own
    std::int64_t until = 0;  ///< when it is too late to launch it; 0: it is not to be launched
  };

  Answer answer_to(const HelperRequest& request);
  Answer prepare(const HelperRequest& request);
  Result<Warrant> opened(const HelperRequest& request) const;
  Result<Warrant> unused(const HelperRequest& request) const;
  Outcome lay_out(const TaskFolder& folder, const HelperRequest& request, Known& known) const;
  Answer launch(const HelperRequest& request);
  Answer launch_call(const HelperRequest& request);
  Answer start_interactive(const std::string& path, const TaskFolder& folder, ShepherdOrder order,
                           const HelperRequest& request);
  Answer start_with_pipes(const std::string& path, const TaskFolder& folder,
                          const ShepherdOrder& order);
  Answer start(const std::string& path, const TaskFolder& folder, const ShepherdOrder& order);
  void become_shepherd(const std::string& path, const ShepherdOrder& order, int control,
                       int progress) const;
  Answer control(const HelperRequest& request);
  Answer prolong(const HelperRequest& request);
  Answer remove(const Attempt& attempt);
  Answer adopt(const HelperRequest& request);
  Answer sense(const HelperRequest& request);
  Outcome take_sensors(const HelperRequest& request);
  void end_shepherds(const Attempt& attempt, bool own_too) const;
  std::string cgroup_of(const Attempt& attempt, std::int64_t call) const;

  const HelperSettings settings_;
  const TaskPlaces places_;
  const int spool_;
  const std::function<void(const std::string&)> on_fork_;
  const TaskOrders orders_;
  std::pair<Term, std::int64_t> last_{}; ///< term and number of the last warrant taken
  std::map<Attempt, Known> known_;       ///< by prepare, and by adopt after a restart
  Nonces nonces_;
  std::string sensor_order_; ///< what was taken last, and its signature
  std::unique_ptr<SensorProcesses> sensors_;
  DeadShepherds dead_;
  Removals removals_; ///< of what tasks left behind: nobody waits for them
};

/// Answers one packet; false once the other side is gone.
bool serve_one(Helper& helper, int socket);

} // namespace almanac
