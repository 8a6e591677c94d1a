// What commands on this host ask at the agent's door.
//
// 1. Processes of qrsh -inherit and the streams of interactive jobs are the agent's own affair.
//    Everything else goes to the master, and waits here for its answers.
// 2. A request that the master can't answer now is answered as busy: whoever asks comes again with
//    the same id.
// 3. Nothing is thrown; who has closed the connection meanwhile hears nothing.
#pragma once

#include "actors/interfaces.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace almanac {

class LocalDoor {
public:
  struct Inherit {
    std::string id; ///< of the request
    door::Inherit request;
  };
  struct Attach {
    std::string id; ///< likewise
    door::Attach request;
  };
  /// What is left to do about a frame: nothing, if it has been answered.
  using Asked = std::variant<std::monostate, Inherit, door::InheritInput, session::Relay, Attach>;
  /// `keeper` hears the answers. The master takes requests while this host is registered there.
  Asked take(const DoorFrame& frame, const caf::strong_actor_ptr& keeper, bool is_registered);

  /// The only answer to a request that the agent has carried out, or has not.
  static void answer(const caf::strong_actor_ptr& keeper, std::int64_t connection,
                     door::ReplyBody body);
  /// The request is over without an answer.
  static void say_nothing(const caf::strong_actor_ptr& keeper, std::int64_t connection);

  /// An answer of the master. A request is over with its last one, and with one that nobody can
  /// read.
  void answered(const session::RelayAnswer& answer);
  /// No answer comes any more to what was relayed so far.
  void master_lost();

private:
  std::map<std::int64_t, caf::strong_actor_ptr> relayed_; ///< keepers, by connection
};

} // namespace almanac
