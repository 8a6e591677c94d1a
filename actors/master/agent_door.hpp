// The door that an agent keeps for the users of its host: what they ask, as the gate hears it, and
// what they are answered, as the agent takes it.
//
// The agent is believed who it is, and whom it serves on its own host; not who its users are
// elsewhere (ports/accounts.hpp). Long answers wait until the agent has room: where a call asks for
// room, go_on() is to be called once there is some.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/master/known_accounts.hpp"
#include "actors/master/waiting_answers.hpp"

#include <optional>
#include <string>

namespace almanac {

class AgentDoor {
public:
  /// `vouched`: nullptr: the agent is believed.
  AgentDoor(std::string host, VouchFor vouched) : host_(std::move(host)), vouched_(vouched) {}

  void open(SessionActor session);
  /// Whoever waits for an answer asks again.
  void close();

  /// What the gate is to hear.
  DoorFrame frame_of(const session::Relay& relay, Instant now);
  /// An answer, or a frame of one; nobody takes it while the door is closed. Whether the agent is
  /// to be asked for room.
  [[nodiscard]] bool take(const DoorReply& reply);

  struct Next {
    bool wants_room = false; ///< there is more to be said
    /// Somebody who is to be told to make the next frame: it comes with take().
    std::optional<WaitingAnswers::Wanted> wanted;
  };
  [[nodiscard]] Next go_on();

private:
  void say(WaitingAnswers::Frame frame) const;

  std::string host_;
  VouchFor vouched_;
  SessionActor session_; ///< nobody while it is closed
  WaitingAnswers answers_;
  KnownAccounts accounts_;
};

} // namespace almanac
