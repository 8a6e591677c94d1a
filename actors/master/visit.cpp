#include "actors/master/visit.hpp"

#include "actors/trust/keyring.hpp"
#include "core/planning/in_words.hpp"
#include "core/text/names.hpp"
#include "schema/codec.hpp"
#include "schema/door_objection.hpp"

#include <utility>

namespace almanac {

namespace {

std::optional<Answer> version_objection(std::int64_t version) {
  constexpr auto most = door::protocol_version + 1;
  if (version >= 1 && version <= most) return std::nullopt;
  return Answer::refusal("protocol version " + std::to_string(version) +
                         " is not supported, only up to " + std::to_string(most));
}

std::string what_of_request(const door::RequestBody& body) {
  const auto* run = std::get_if<door::RunCommand>(&body);
  return run ? what_of(*run) : "asks";
}

} // namespace

std::string what_of(const door::RunCommand& request) {
  std::string who;
  if (!request.whom.empty()) {
    const auto& [user, subject] = request.whom.front();
    who = "for " + excerpt(user.user) + (subject.empty() ? "" : " by " + excerpt(subject)) + ": ";
  }
  return who + in_words(request.body).substr(0, 256);
}

Arrival arrival_of(const DoorFrame& frame, caf::strong_actor_ptr keeper) {
  Arrival arrival;
  auto& visit = arrival.visit;
  visit.connection = frame.connection, visit.caller = frame.caller;
  visit.keeper = std::move(keeper);
  arrival.what = "sends a request";
  auto request = decode<door::Request>(frame.content);
  if (!request) {
    arrival.refusal = Answer::refusal("the request can't be read: " + request.what());
    return arrival;
  }
  visit.request_id = request->id, visit.version = request->version;
  arrival.refusal = version_objection(request->version);
  if (arrival.refusal) return arrival;
  arrival.refusal = door::objection(request->body);
  if (arrival.refusal) arrival.what = what_of_request(request->body);
  arrival.body = std::move(request->body);
  return arrival;
}

DoorReply Visit::reply(door::ReplyBody body) const {
  const door::Reply whole{true, readable(std::move(body), version)};
  return {connection, encode(whole), true, nullptr};
}

DoorReply Visit::reply(std::shared_ptr<AnswerFrames> frames) const {
  auto rest = std::make_shared<EncodedFrames>(std::move(frames), version);
  auto first = *rest->next();
  const bool last = rest->is_over();
  return {connection, std::move(first), last, last ? nullptr : std::move(rest)};
}

} // namespace almanac
