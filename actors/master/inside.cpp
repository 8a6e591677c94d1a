#include "actors/master/inside.hpp"

#include "actors/support.hpp"

#include <utility>

namespace almanac {

void Inside::look(const door::InspectActor& request, const Visit& visit, Send send) {
  owner_->request(directory_, std::chrono::seconds(5), InspectOne{request.actor, request.json})
      .then(
          [visit, send](const ActorState& state) {
            send(visit.reply(door::Output{{state.text}, false}));
          },
          [visit, send, actor = request.actor](const caf::error&) {
            send(visit.reply(Answer::refusal("actor " + std::to_string(actor) +
                                             " does not exist or did not answer")));
          });
}

void Inside::look(const door::ListActors&, const Visit& visit, Send send) {
  owner_->request(directory_, caf::infinite, GetActors{})
      .then([visit, send = std::move(send)](const ActorList& list) {
        send(visit.reply(door::Actors{list.actors}));
      });
}

void Inside::look(const door::GetMessages& request, const Visit& visit, const Send& send) {
  send(visit.reply(door::TracedMessages{
      message_trace().read(static_cast<std::uint64_t>(request.actor), request.after)}));
}

void Inside::look(const door::GetInputs& request, const Visit& visit, Send send) {
  owner_->request(archive_, caf::infinite, FindInputs{request, visit.caller.uid, visit.version})
      .then([send = std::move(send)](DoorReply& first) { send(std::move(first)); });
}

} // namespace almanac
