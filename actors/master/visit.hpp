// One request at a door, from its frame to the last frame of its answer: how it is read, and how
// what it is answered is written.
#pragma once

#include "actors/messages.hpp"
#include "core/admission/share.hpp"

#include <memory>
#include <optional>
#include <string>

namespace almanac {

struct Visit {
  std::int64_t connection = 0;
  Caller caller;
  caf::strong_actor_ptr keeper; ///< of the door
  std::string request_id;
  std::string frame_hash;
  std::int64_t version = 1; ///< of the door's protocol, as it is known there
  /// It has no place at the gate: it was not let in yet, or waits for something that may take days.
  bool at_rest = true;
  Share::Rank place = Share::Rank::ordinary; ///< where it is served

  /// The whole answer.
  DoorReply reply(door::ReplyBody body) const;
  /// The first frame of an answer, with the others for the taking.
  DoorReply reply(std::shared_ptr<AnswerFrames> frames) const;
};

/// A visit with what it asks for, or why nothing is done with it.
struct Arrival {
  Visit visit;
  door::RequestBody body;
  std::optional<Answer> refusal;
  std::string what; ///< for the audit log, of a refusal
};
Arrival arrival_of(const DoorFrame& frame, caf::strong_actor_ptr keeper);

/// For the audit log: no more of it is kept until the answer than the log could show.
std::string what_of(const door::RunCommand& request);

} // namespace almanac
