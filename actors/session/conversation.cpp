#include "actors/session/conversation.hpp"

#include "schema/valid_message.hpp"

#include <string>

namespace almanac {

Conversation Conversation::called(session::Role own) {
  return {own == session::Role::master ? Listener::master : Listener::called, Stage::hello};
}

Conversation Conversation::calling(session::Role other) {
  return {other == session::Role::agent ? Listener::caller : Listener::agent, Stage::challenge};
}

Outcome Conversation::hear_in(Stage stage, const session::Message& message) {
  const auto next = after(listener_, stage, message);
  if (!next)
    return Error{std::string("it sent ") + name_of(message) + ", which no " + name_of(listener_) +
                 " may hear in stage " + name_of(stage)};
  if (const auto sound = valid_message(message); !sound)
    return Error{std::string("it sent ") + name_of(message) + ": " + sound.what()};
  stage_ = *next;
  return Done{};
}

} // namespace almanac
