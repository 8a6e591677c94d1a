// The visits at the gate: who is let in, whose turn it is, and who waits for the end of a job.
//
// 1. A visit has one place from when it is let in until it has its answer, or rests: then it is in
//    nobody's way.
// 2. Users take turns, so that nobody waits for more than one request of each other user. Root and
//    managers find a place whoever else is here.
#pragma once

#include "actors/master/visit.hpp"
#include "core/admission/request_places.hpp"
#include "core/admission/turns.hpp"
#include "core/policy/standing.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace almanac {

class Visitors {
public:
  struct Pending {
    Visit visit;
    door::RequestBody body;
  };

  Visitors();

  void follow(Precedence precedence) { precedence_ = std::move(precedence); }
  bool is_first(const Caller& caller) const { return precedence_.is_first(caller); }

  /// It has a place from now on. False: it is turned away, since too many are here.
  bool take_place(Visit& visit);
  /// It waits for its turn.
  void line_up(Visit visit, door::RequestBody body);
  /// Somebody is turned away for another reason.
  void turn_away() { ++turned_away_; }
  /// Whose turn it is; nothing if nobody waits for a place that is free.
  std::optional<Pending> next();
  bool is_anybody_waiting() const { return turns_.size() > 0; }
  /// It has its answer. One at rest has no place to leave.
  void leave(const Visit& visit);

  /// It waits for the end of a job, and leaves its place. False: too many do.
  bool rest(Visit& visit);
  /// It waits no more; its answer is still to come.
  void wake(const Visit& visit);

  /// For the console.
  std::string shown() const;

private:
  Share::Rank rank_of(const Caller& caller) const;

  Precedence precedence_;
  RequestPlaces in_flight_, at_rest_;
  Turns<std::int64_t, Pending> turns_; ///< by uid
  std::int64_t turned_away_ = 0;
};

} // namespace almanac
