#include "actors/master/followers.hpp"

#include "core/policy/standing.hpp"

#include <algorithm>
#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t most_followers = 512, most_of_user = 16;
constexpr RequestPlaces::Limits follower_places{
    most_followers, 0, most_of_user, {most_followers, 0, most_of_user, 8}};

bool follows_through_an_agent(const Caller& caller) {
  return caller.through == agent_on(caller.host);
}

RequestPlaces::Asker who_follows(const Caller& caller) {
  return {caller.uid, follows_through_an_agent(caller) ? caller.through : ""};
}

} // namespace

DoorReply last_reply(const Follow& from, door::ReplyBody body) {
  EncodedFrames only(ready_frames({std::move(body)}), from.version);
  return {from.connection, *only.next(), true, nullptr};
}

door::Changes gone_changes() {
  door::Changes end;
  end.gone = true;
  return end;
}

bool Follower::is_once() const {
  return from.request.once || follows_through_an_agent(from.caller);
}

DoorReply Follower::next_reply(const caf::strong_actor_ptr& maker) {
  DoorReply reply{from.connection, std::move(ready.front()), false, token};
  ready.pop_front();
  reply.maker = maker;
  return reply;
}

DoorReply Follower::last_reply(door::ReplyBody body) const {
  return almanac::last_reply(from, std::move(body));
}

Followers::Followers() : places_(follower_places) {}

Follower* Followers::add(const Follow& from, const ChangeCursor& at) {
  if (!places_.take(who_follows(from.caller))) return nullptr;
  const auto id = ++last_id_;
  auto& follower = all_.emplace(id, Follower{id, from, {from.request, at}}).first->second;
  follower.token = std::make_shared<EncodedFrames>(nullptr, from.version);
  follower.token->reader = id;
  return &follower;
}

Follower* Followers::find(std::int64_t id) {
  const auto it = all_.find(id);
  return it == all_.end() ? nullptr : &it->second;
}

Follower* Followers::find(const caf::strong_actor_ptr& keeper, std::int64_t connection) {
  const auto it = std::find_if(all_.begin(), all_.end(), [&](const auto& entry) {
    return entry.second.from.connection == connection && entry.second.from.keeper == keeper;
  });
  return it == all_.end() ? nullptr : &it->second;
}

void Followers::remove(std::int64_t id) {
  const auto it = all_.find(id);
  places_.give_back(who_follows(it->second.from.caller));
  all_.erase(it);
}

std::string Followers::shown() const {
  std::string text = "subscriptions: " + std::to_string(all_.size()) + "\n";
  for (const auto& [uid, count] : places_.of_users())
    text += "subscriptions of uid " + std::to_string(uid) + ": " + std::to_string(count) + "\n";
  // As qconf -secl reads them.
  for (const auto& [id, follower] : all_) {
    const auto& caller = follower.from.caller;
    text += "subscription " + std::to_string(id) + ": " +
            (caller.user.empty() ? std::to_string(caller.uid) : caller.user) + " " +
            (caller.host.empty() ? "-" : caller.host) + "\n";
  }
  return text;
}

} // namespace almanac
