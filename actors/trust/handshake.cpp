#include "actors/trust/handshake.hpp"

#include "schema/codec.hpp"

#include <utility>

namespace almanac {

namespace {

constexpr std::int64_t protocol = 2;
constexpr std::size_t nonce_size = 32;

std::string field(std::string_view text) {
  return std::to_string(text.size()) + ":" + std::string(text);
}

const char* role_name(session::Role role) {
  return role == session::Role::master ? "master" : role == session::Role::agent ? "agent" : "none";
}

} // namespace

SignedTicket sign_ticket(const SigningKey& master, const std::string& cell, const std::string& host,
                         const std::string& public_key, std::int64_t serial, Instant expires) {
  const auto bytes =
      encode(session::Ticket{cell, host, session::Role::agent, {public_key}, serial, expires});
  return {bytes, master.sign("almanac-ticket" + bytes)};
}

Handshake::Handshake(const Identity& identity, Random random, const std::string& binding)
    : identity_(identity),
      random_(std::move(random)),
      said_("almanac-session-2" + field(binding) + field(identity.cell)) {}

session::Hello Handshake::begin(session::Role expected_role, std::string expected_name) {
  expected_role_ = expected_role, expected_name_ = std::move(expected_name);
  session::Hello hello{protocol,
                       identity_.cell,
                       identity_.name,
                       identity_.role,
                       {random_(nonce_size)},
                       {identity_.ticket},
                       {identity_.ticket_signature}};
  note(hello);
  return hello;
}

Result<session::Proof> Handshake::answer(const session::Challenge& challenge) {
  if (challenge.role != expected_role_ ||
      (!expected_name_.empty() && challenge.name != expected_name_))
    return Error{"expected " + std::string(role_name(expected_role_)) + " " + expected_name_ +
                 ", found " + role_name(challenge.role) + " " + challenge.name};
  auto key =
      key_of_peer(challenge.name, challenge.role, challenge.ticket, challenge.ticket_signature);
  if (!key) return key.error();
  auto bare = challenge;
  bare.signature = {};
  if (!verify_signature(*key, to_sign("acceptor", bare), challenge.signature.content))
    return Error{std::string(role_name(challenge.role)) + " " + challenge.name +
                 " can't prove its name: another key is pinned"};
  peer_name_ = challenge.name, peer_key_ = *key;
  note(challenge);
  session::Proof proof{{identity_.key.sign(to_sign("initiator", session::Proof{}))}};
  note(proof);
  return proof;
}

Outcome Handshake::enter(const session::Welcome& welcome) {
  auto bare = welcome;
  bare.signature = {};
  if (peer_key_.empty() ||
      !verify_signature(peer_key_, to_sign("acceptor", bare), welcome.signature.content))
    return Error{"the welcome was not signed by " + peer_name_};
  note(welcome);
  return Done{};
}

Result<session::Challenge> Handshake::challenge(const session::Hello& hello) {
  if (hello.version != protocol)
    return Error{"session protocol " + std::to_string(hello.version) + " is not supported, only " +
                 std::to_string(protocol)};
  if (hello.cell != identity_.cell)
    return Error{"this is cell \"" + identity_.cell + "\", not \"" + hello.cell + "\""};
  if (hello.nonce.content.size() != nonce_size) return Error{"the nonce has the wrong size"};
  if (hello.role != session::Role::agent) return Error{"only agents begin a session"};
  auto key = key_of_peer(hello.name, hello.role, hello.ticket, hello.ticket_signature);
  if (!key) return key.error();
  peer_name_ = hello.name, peer_key_ = *key;
  note(hello);
  session::Challenge challenge{identity_.name,
                               identity_.role,
                               {random_(nonce_size)},
                               {identity_.ticket},
                               {identity_.ticket_signature},
                               {}};
  challenge.signature.content = identity_.key.sign(to_sign("acceptor", challenge));
  note(challenge);
  return challenge;
}

Outcome Handshake::finish(const session::Proof& proof) {
  if (peer_key_.empty() ||
      !verify_signature(peer_key_, to_sign("initiator", session::Proof{}), proof.signature.content))
    return Error{"agent " + peer_name_ + " can't prove its name"};
  note(proof);
  return Done{};
}

session::Welcome Handshake::welcome(session::Welcome welcome) {
  welcome.signature.content = identity_.key.sign(to_sign("acceptor", welcome));
  note(welcome);
  return welcome;
}

std::string Handshake::to_sign(const char* who, session::Message unsigned_message) const {
  return said_ + field(who) + field(encode(session::Envelope{std::move(unsigned_message)}));
}

void Handshake::note(session::Message message) {
  said_ += field(encode(session::Envelope{std::move(message)}));
}

Result<std::string> Handshake::key_of_peer(const std::string& name, session::Role role,
                                           const Bytes& ticket, const Bytes& signature) {
  if (role == session::Role::master) return identity_.master_key;
  if (role != session::Role::agent) return Error{"a peer must be master or agent"};
  if (!verify_signature(identity_.master_key, "almanac-ticket" + ticket.content, signature.content))
    return Error{"the ticket of agent " + name + " was not signed by the master of this cell"};
  auto read = decode<session::Ticket>(ticket.content);
  if (!read) return read.error();
  if (read->name != name || read->role != role || read->cell != identity_.cell)
    return Error{"the ticket is that of agent " + read->name + " in cell " + read->cell +
                 ", not of " + name};
  peer_claim_ = {to_hex(read->public_key.content), read->serial, read->expires};
  return read->public_key.content;
}

} // namespace almanac
