// Those who follow the changes of the cell, and how many may.
//
// Belongs to the feed actor.
#pragma once

#include "actors/master/subscription.hpp"
#include "actors/messages.hpp"
#include "core/admission/request_places.hpp"

#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace almanac {

/// One of them: a frame is made when it is asked for, and there is something to tell.
///
///   Follow --> asking --rows--> making --views--> told --TakeFrame--> asking ...
struct Follower {
  std::int64_t id = 0;
  Follow from;
  Subscription subscription;
  caf::typed_response_promise<DoorReply> first{}; ///< pending until the first frame
  std::shared_ptr<EncodedFrames> token{};         ///< by which the door names it
  std::shared_ptr<AnswerFrames> list{};           ///< what is left of it
  std::deque<std::string> ready{};                ///< frames that are made
  bool is_making = false;
  bool wants_cursor = true; ///< it has none yet
  int quiet_beats = 0;      ///< since it was told something

  /// It does not wait for more: through an agent answers would wait behind it, and nobody hears that
  /// a reader has gone.
  bool is_once() const;
  /// The next of the frames that are made; `maker` makes those behind it.
  DoorReply next_reply(const caf::strong_actor_ptr& maker);
  DoorReply last_reply(door::ReplyBody body) const;
};

/// The only frame of an answer, or the last one.
DoorReply last_reply(const Follow& from, door::ReplyBody body);
/// What came next is not kept.
door::Changes gone_changes();

class Followers {
public:
  Followers();

  /// nullptr: there are too many, of this user or of all.
  Follower* add(const Follow& from, const ChangeCursor& at);
  /// nullptr: it has gone.
  Follower* find(std::int64_t id);
  Follower* find(const caf::strong_actor_ptr& keeper, std::int64_t connection);
  void remove(std::int64_t id);

  /// Each one; it may be removed meanwhile.
  template <class Use> void each(Use use) {
    for (auto it = all_.begin(); it != all_.end();) use((it++)->second);
  }
  bool empty() const { return all_.empty(); }
  /// For the console.
  std::string shown() const;

private:
  std::map<std::int64_t, Follower> all_;
  RequestPlaces places_;
  std::int64_t last_id_ = 0;
};

} // namespace almanac
