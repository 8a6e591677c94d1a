// What the console sees of the running master: its actors, their states and messages, and the last
// inputs. Who may look is asked before.
#pragma once

#include "actors/interfaces.hpp"

#include <functional>

namespace almanac {

class Inside {
public:
  using Reply = std::function<void(door::ReplyBody)>;

  /// `owner`: the actor that asks the others; it outlives this.
  Inside(GateActor::pointer owner, DirectoryActor directory, ArchiveActor archive)
      : owner_(owner), directory_(std::move(directory)), archive_(std::move(archive)) {}

  /// An actor that does not answer within five seconds is one that does not exist.
  void look(const door::InspectActor& request, Reply reply);
  void look(const door::ListActors& request, Reply reply);
  void look(const door::GetMessages& request, const Reply& reply);
  void look(const door::GetInputs& request, Reply reply);

private:
  GateActor::pointer owner_;
  DirectoryActor directory_;
  ArchiveActor archive_;
};

} // namespace almanac
