// Hooks of reservations that a host runs for the master, as a user there (spec/beyond.md B8.12).
//
// To the agent a hook is a process in a part of a task, as qrsh -inherit has them; the task has no
// job, and its first host is the master. So its helper asks for two signatures of the master's key:
// of the warrant, which names the user, and of the words (schema/warrant.hpp).
#pragma once

#include "actors/interfaces.hpp"
#include "actors/master/warrant_signer.hpp"

#include <caf/typed_response_promise.hpp>

#include <map>
#include <string>

namespace almanac {

class HostHooks {
public:
  using Promise = caf::typed_response_promise<HookRan>;

  /// The signer belongs to the host, and outlives this.
  explicit HostHooks(const WarrantSigner& signer) : signer_(signer) {}

  void open(SessionActor session, const session::Register& list);
  /// What runs is given up: nobody will hear how it ends.
  void close();

  /// The promise is kept when it has ended, or cannot be run. True: its time runs from now on.
  bool start(const RunHook& hook, Promise promise);
  void overdue(std::int64_t sequence);

  /// What the agent says; false: it is not about a hook.
  bool hear(const session::Message& message);

private:
  struct Running {
    RunHook hook;
    Promise promise;
    HookOutcome outcome;
  };
  void take(const session::TaskReport& report);
  void take(const session::PeerOutput& output);
  void take(const session::PeerEnded& ended);
  void send_orders(const RunHook& hook);
  void end(std::int64_t sequence, const std::string& failure);
  void say(session::Message message) const;

  const WarrantSigner& signer_;
  SessionActor session_;                    ///< or nobody
  bool is_able_ = false;                    ///< the agent knows of hooks
  std::map<std::int64_t, Running> running_; ///< by sequence
};

/// What hooks hears of it.
HookRan hook_ran(std::int64_t sequence, HookOutcome outcome);

} // namespace almanac
