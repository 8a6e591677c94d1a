// Who speaks for a host: the session in its seat. Whoever has proved to have the host's key is a
// newcomer, until the planner says that it has the host's name; then it is in the seat, and whoever
// was there before is not.
//
//   newcomer --gives its list--> registering --admitted--> in the seat --session ends--> gone
//
// 1. At most one session is in the seat. What others say counts for nothing, but for the list with
//    which a newcomer registers.
// 2. A session may end at any time, also while the planner is asked about it.
// 3. Whoever is sent away hears why, and the audit log has it.
#pragma once

#include "actors/interfaces.hpp"
#include "core/host/seat_contest.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace almanac {

class Seat {
public:
  explicit Seat(std::string host) : host_(std::move(host)) {}

  // ---- newcomers

  /// It may come while the one before is not known to have left.
  void come(const SessionUp& up);
  bool is_newcomer(std::uint64_t id) const { return newcomers_.contains(id); }
  /// A newcomer has given its list: what the planner is to be asked. Tasks of other stores are
  /// none of its business.
  RegisterHost begin_registration(std::uint64_t id, const session::Register& list,
                                  const std::string& store_id, Instant now);
  void end_registration() { --registering_; }
  /// Whether the planner is asked about somebody.
  bool is_registering() const { return registering_ > 0; }
  /// A newcomer's session has ended.
  void forget(std::uint64_t id) { newcomers_.erase(id); }
  void send_away(std::uint64_t id, const std::string& reason);
  /// The planner does not admit somebody, who may be gone: for the sake of the one in the seat, if
  /// there is one.
  void refuse(std::uint64_t id, const std::string& reason, Instant now);
  /// The newcomer has the seat. Who had it is sent away.
  void take(std::uint64_t id);

  // ---- who is in the seat

  bool is_taken() const { return sitter_.session != nullptr; }
  bool is_taken_by(std::uint64_t id) const { return is_taken() && id == id_; }
  std::uint64_t id() const { return id_; } ///< of its session; 0: nobody's
  SessionActor session() const { return caf::actor_cast<SessionActor>(sitter_.session); }
  /// Why its key does not count, or not any more; nothing if it does.
  std::optional<std::string> obstacle(const HostKey& known, Instant now) const;
  /// Nothing if nobody is there.
  void say(session::Message message) const;
  /// It has said something.
  void heard(Instant now) { contest_.heard(now); }
  /// Its session has ended, or is to: the one in the seat hears why.
  void leave() { sitter_ = {}, id_ = 0, contest_ = {}; }
  void dismiss(const std::string& reason);
  /// In the seat or not: the host is none of this cell any more.
  void send_all_away();

  /// What one is told who was in the seat until now.
  std::string replaced() const {
    return "another agent of host " + host_ + " has come in its place";
  }

private:
  struct Sitter {
    caf::strong_actor_ptr session;
    KeyClaim claim;
  };
  void tell(const Sitter& whom, const std::string& reason) const;

  std::string host_;
  std::map<std::uint64_t, Sitter> newcomers_; ///< by the session's id
  int registering_ = 0;                       ///< of them, or of those who are gone since
  Sitter sitter_;
  std::uint64_t id_ = 0;
  SeatContest contest_; ///< while the seat is taken
};

} // namespace almanac
