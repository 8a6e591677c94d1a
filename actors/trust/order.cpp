#include "actors/trust/order.hpp"

#include "schema/codec.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr const char* order_label = "almanac-signed-order";

} // namespace

session::SignedOrder OrderSeal::sign(const session::Message& message) {
  const auto bytes = encode(session::Order{scope_.store_id,
                                           scope_.term,
                                           scope_.host,
                                           {scope_.session},
                                           ++last_,
                                           {encode(session::Envelope{message})}});
  return {{bytes}, {key_.sign(order_label + bytes)}};
}

Result<session::Message> OrderCheck::open(const session::SignedOrder& order) {
  if (!verify_signature(signer_, order_label + order.order.content, order.signature.content))
    return Error{"the order was not signed by the peer"};
  const auto read = decode<session::Order>(order.order.content);
  if (!read) return read.error();
  if (read->host != scope_.host) return Error{"the order is for host " + read->host};
  if (read->session.content != scope_.session) return Error{"the order is of another session"};
  if (read->store_id != scope_.store_id || read->term != scope_.term)
    return Error{"the order is of store " + read->store_id + ", term " + to_string(read->term) +
                 ", not of " + scope_.store_id + ", " + to_string(scope_.term)};
  if (read->sequence <= last_)
    return Error{"order " + std::to_string(read->sequence) + " was given before"};
  auto envelope = decode<session::Envelope>(read->message.content);
  if (!envelope) return envelope.error();
  last_ = read->sequence;
  return std::move(envelope->body);
}

Outcome check_peer(const Identity& agent, const std::string& peer, const Attempt& attempt,
                   const Bytes& credential, const Bytes& signature) {
  if (!verify_signature(agent.master_key, "almanac-order" + credential.content, signature.content))
    return Error{"the credential was not signed by the master of this cell"};
  const auto read = decode<session::Credential>(credential.content);
  if (!read) return read.error();
  if (read->attempt != attempt) return Error{"the credential is for another attempt"};
  if (read->hosts.empty() || read->hosts.front() != peer)
    return Error{"host " + peer + " is not the first of the task's hosts"};
  if (std::find(read->hosts.begin(), read->hosts.end(), agent.name) == read->hosts.end())
    return Error{"the task has no part on host " + agent.name};
  return Done{};
}

} // namespace almanac
