#include "actors/master/inside.hpp"

#include "actors/support.hpp"

#include <utility>

namespace almanac {

void Inside::look(const door::InspectActor& request, Reply reply) {
  owner_->request(directory_, std::chrono::seconds(5), InspectOne{request.actor, request.json})
      .then(
          [reply](const ActorState& state) {
            reply(door::Output{{state.text}, false});
          },
          [reply, actor = request.actor](const caf::error&) {
            reply(Answer::refusal("actor " + std::to_string(actor) +
                                  " does not exist or did not answer"));
          });
}

void Inside::look(const door::ListActors&, Reply reply) {
  owner_->request(directory_, caf::infinite, GetActors{})
      .then(
          [reply = std::move(reply)](const ActorList& list) { reply(door::Actors{list.actors}); });
}

void Inside::look(const door::GetMessages& request, const Reply& reply) {
  reply(door::TracedMessages{
      message_trace().read(static_cast<std::uint64_t>(request.actor), request.after)});
}

void Inside::look(const door::GetInputs& request, Reply reply) {
  owner_->request(archive_, caf::infinite, GetInputSummaries{request.after})
      .then([reply = std::move(reply)](const InputSummaries& found) {
        reply(door::InputSummaries{found.inputs});
      });
}

} // namespace almanac
