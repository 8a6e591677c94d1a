// What the console sees of the running master: its actors, their states and messages, and the last
// inputs. Who may look is asked before.
#pragma once

#include "actors/interfaces.hpp"
#include "actors/master/visit.hpp"

#include <functional>

namespace almanac {

class Inside {
public:
  using Send = std::function<void(DoorReply)>;

  /// `owner`: the actor that asks the others; it outlives this.
  Inside(GateActor::pointer owner, DirectoryActor directory, ArchiveActor archive)
      : owner_(owner), directory_(std::move(directory)), archive_(std::move(archive)) {}

  /// An actor that does not answer within five seconds is one that does not exist.
  void look(const door::InspectActor& request, const Visit& visit, Send send);
  void look(const door::ListActors& request, const Visit& visit, Send send);
  void look(const door::GetMessages& request, const Visit& visit, const Send& send);
  /// The archive makes the frames.
  void look(const door::GetInputs& request, const Visit& visit, Send send);

private:
  GateActor::pointer owner_;
  DirectoryActor directory_;
  ArchiveActor archive_;
};

} // namespace almanac
