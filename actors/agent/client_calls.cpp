#include "actors/agent/client_calls.hpp"

#include "actors/agent/call_replies.hpp"
#include "actors/trust/attach.hpp"
#include "core/answer/gridengine.hpp"
#include "core/policy/own_host.hpp"
#include "core/text/words.hpp"

#include <utility>

namespace almanac {

namespace {

void reply(const caf::strong_actor_ptr& keeper, DoorReply reply) {
  caf::anon_send(caf::actor_cast<DoorKeeperActor>(keeper), std::move(reply));
}

void refuse(const DoorFrame& frame, const caf::strong_actor_ptr& keeper, const std::string& why) {
  LocalDoor::answer(keeper, frame.connection, gridengine::with_lines(Answer::refusal(why)));
}

// As the master calls the host, whatever the user wrote.
std::string name_of_part(const session::Launch& order, const std::string& host) {
  for (const auto& part : order.parts)
    if (equal_ignoring_case(part.host, host)) return part.host;
  return host;
}

} // namespace

// The door says from now on when the client has gone.
void ClientCalls::begin(std::int64_t call, DoorClient client) {
  reply(client.keeper, reply_with(client.connection, CallOutput{call, {}, false}, context_.agent));
  clients_.add(call, std::move(client));
}

void ClientCalls::tell_peer(const DoorClient& client, session::Message message) {
  caf::anon_send(parts_.peer(client.host), TellPeer{client.address, std::move(message)});
}

void ClientCalls::serve(const DoorFrame& frame, const LocalDoor::Inherit& asked,
                        const caf::strong_actor_ptr& keeper) {
  const auto job = asked.request.job;
  const auto& launcher = *context_.setup.launcher;
  for (const auto& attempt : launcher.attempts_of(job)) {
    const auto order = launcher.order_of(attempt);
    if (!order || attempt.task != asked.request.task ||
        !may_start_within(frame.caller, order->job.owner))
      continue;
    const auto call = calls_.add_of_user(attempt, frame.caller.uid, asked.id,
                                         name_of_part(*order, asked.request.host));
    begin(call, {keeper, frame.connection});
    return caf::anon_send(parts_.task(attempt),
                          CallInherit{call, asked.request, {keeper, frame.connection, nullptr, 0}});
  }
  refuse(frame, keeper, "job " + to_string(job) + " is not a job of yours on this host");
}

// The agent of the job's host looks at the master's word again; whose it is, only this one can.
void ClientCalls::serve(const DoorFrame& frame, const LocalDoor::Attach& asked,
                        const caf::strong_actor_ptr& keeper) {
  const auto& [host, address, attempt, credential, signature, input, rows, columns] = asked.request;
  const auto& identity = *context_.setup.identity;
  const auto allowed = check_attach(identity, {identity.name, frame.caller.uid}, host, attempt,
                                    credential, signature);
  if (!allowed) return refuse(frame, keeper, allowed.what());
  const auto call = calls_.add_of_user(attempt, frame.caller.uid, asked.id);
  const bool is_here = equal_ignoring_case(host, identity.name);
  const DoorClient client{keeper, frame.connection, is_here ? "" : host, address};
  begin(call, client);
  if (!is_here)
    return tell_peer(
        client, session::PeerAttach{call, attempt, credential, signature, input, rows, columns});
  InheritedStart start;
  start.call = call, start.attaches = true, start.input = input, start.terminal = {rows, columns};
  caf::anon_send(parts_.task(attempt),
                 CallHere{std::move(start), {keeper, frame.connection, nullptr, 0}});
}

void ClientCalls::serve(const DoorFrame& frame, const door::InheritInput& input,
                        const caf::strong_actor_ptr& keeper) {
  const auto& [request, content, end, taken, quiet, rows, columns] = input;
  if (const auto call = calls_.find_of_user(frame.caller.uid, request)) {
    if (const auto* client = clients_.elsewhere(*call))
      tell_peer(*client, session::PeerInput{*call, content, end, taken, rows, columns});
    else tell_task(calls_, parts_, CallInput{*call, content.content, end, taken, {rows, columns}});
  }
  if (taken > 0 && !quiet) LocalDoor::answer(keeper, frame.connection, Answer{});
  else LocalDoor::say_nothing(keeper, frame.connection);
}

void ClientCalls::take(const CallOutput& output) {
  if (const auto* client = clients_.elsewhere(output.call))
    reply(client->keeper, reply_with(client->connection, output, context_.agent));
  else tell_task(calls_, parts_, output);
}

void ClientCalls::take(const CallEnded& ended) {
  if (const auto* client = clients_.elsewhere(ended.call)) {
    reply(client->keeper, reply_with(client->connection, ended.record));
    calls_.forget(ended.call); // what it used is another host's affair
  } else {
    tell_task(calls_, parts_, ended);
    calls_.end(ended.call, ended.record);
  }
  clients_.remove(ended.call);
}

void ClientCalls::client_gone(const ReaderGone& gone) {
  const auto call = clients_.call_at(gone.connection);
  if (!call) return;
  if (const auto* client = clients_.elsewhere(*call)) {
    session::PeerInput last;
    last.call = *call, last.hang_up = true;
    tell_peer(*client, std::move(last));
    calls_.forget(*call);
  } else tell_task(calls_, parts_, CallHungUp{*call});
  clients_.remove(*call);
}

} // namespace almanac
