// How far the conversation of a session has come, at one of its ends: a stage in the table of
// protocol.hpp.
#pragma once

#include "actors/session/protocol.hpp"

#include <optional>

namespace almanac {

class Conversation {
public:
  /// Of one that was called waits for a Hello, of who calls for a Challenge.
  static Conversation called(session::Role own);
  static Conversation calling(session::Role other);

  /// Takes what the far side has said, or what a signed order of its holds. An error ends the
  /// session, since no part of this program says so: the table does not allow it, or it makes no
  /// sense.
  Outcome hear(const session::Message& message) { return hear_in(stage_, message); }
  Outcome hear_order(const session::Message& message) { return hear_in(Stage::ordered, message); }

  /// Who has called is let in.
  void admit() { stage_ = listener_ == Listener::master ? Stage::list : Stage::open; }
  /// Who has called is refused: nothing more is heard.
  void refuse() { stage_ = Stage::refused; }

  Listener listener() const { return listener_; }
  Stage stage() const { return stage_; }

private:
  Conversation(Listener listener, Stage stage) : listener_(listener), stage_(stage) {}
  Outcome hear_in(Stage stage, const session::Message& message);

  Listener listener_;
  Stage stage_;
};

} // namespace almanac
