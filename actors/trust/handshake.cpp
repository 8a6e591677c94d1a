#include "actors/trust/handshake.hpp"

#include "schema/codec.hpp"

namespace almanac {

namespace {

constexpr std::int64_t protocol = 1;
constexpr std::size_t nonce_size = 32;

std::string field(std::string_view text) {
  return std::to_string(text.size()) + ":" + std::string(text);
}

const char* role_name(session::Role role) {
  return role == session::Role::master ? "master" : role == session::Role::agent ? "agent" : "none";
}

} // namespace

SignedTicket sign_ticket(const SigningKey& master, const std::string& cell, const std::string& host,
                         const std::string& public_key) {
  const auto bytes = encode(session::Ticket{cell, host, session::Role::agent, {public_key}});
  return {bytes, master.sign("almanac-ticket" + bytes)};
}

session::Hello Handshake::begin(session::Role expected_role, std::string expected_name) {
  initiator_ = true;
  expected_role_ = expected_role, expected_name_ = std::move(expected_name);
  own_nonce_ = random_(nonce_size);
  return {protocol,
          identity_.cell,
          identity_.name,
          identity_.role,
          {own_nonce_},
          {identity_.ticket},
          {identity_.ticket_signature}};
}

Result<session::Proof> Handshake::answer(const session::Challenge& challenge) {
  if (challenge.role != expected_role_ ||
      (!expected_name_.empty() && challenge.name != expected_name_))
    return Error{"expected " + std::string(role_name(expected_role_)) + " " + expected_name_ +
                 ", found " + role_name(challenge.role) + " " + challenge.name};
  auto key =
      key_of_peer(challenge.name, challenge.role, challenge.ticket, challenge.ticket_signature);
  if (!key) return key.error();
  peer_name_ = challenge.name, peer_role_ = challenge.role, peer_nonce_ = challenge.nonce.content,
  peer_key_ = *key;
  if (!verify_signature(peer_key_, transcript("acceptor"), challenge.signature.content))
    return Error{std::string(role_name(peer_role_)) + " " + peer_name_ +
                 " can't prove its name: another key is pinned"};
  return session::Proof{{identity_.key.sign(transcript("initiator"))}};
}

Result<session::Challenge> Handshake::challenge(const session::Hello& hello) {
  if (hello.version != protocol)
    return Error{"session protocol " + std::to_string(hello.version) + " is not understood, only " +
                 std::to_string(protocol)};
  if (hello.cell != identity_.cell)
    return Error{"this is cell \"" + identity_.cell + "\", not \"" + hello.cell + "\""};
  if (hello.nonce.content.size() != nonce_size) return Error{"the nonce has the wrong size"};
  auto key = key_of_peer(hello.name, hello.role, hello.ticket, hello.ticket_signature);
  if (!key) return key.error();
  peer_name_ = hello.name, peer_role_ = hello.role, peer_nonce_ = hello.nonce.content,
  peer_key_ = *key;
  own_nonce_ = random_(nonce_size);
  return session::Challenge{identity_.name,
                            identity_.role,
                            {own_nonce_},
                            {identity_.ticket},
                            {identity_.ticket_signature},
                            {identity_.key.sign(transcript("acceptor"))}};
}

Outcome Handshake::finish(const session::Proof& proof) {
  if (peer_key_.empty() ||
      !verify_signature(peer_key_, transcript("initiator"), proof.signature.content))
    return Error{std::string(role_name(peer_role_)) + " " + peer_name_ + " can't prove its name"};
  return Done{};
}

std::string Handshake::transcript(const char* label) const {
  const auto own = field(identity_.name) + field(role_name(identity_.role)) + field(own_nonce_);
  const auto peer = field(peer_name_) + field(role_name(peer_role_)) + field(peer_nonce_);
  return "almanac-session-1" + field(label) + field(identity_.cell) +
         (initiator_ ? own + peer : peer + own);
}

Result<std::string> Handshake::key_of_peer(const std::string& name, session::Role role,
                                           const Bytes& ticket, const Bytes& signature) const {
  if (role == session::Role::master) return identity_.master_key;
  if (role != session::Role::agent) return Error{"a peer must be master or agent"};
  if (!verify_signature(identity_.master_key, "almanac-ticket" + ticket.content, signature.content))
    return Error{"the ticket of agent " + name + " was not signed by the master of this cell"};
  auto read = decode<session::Ticket>(ticket.content);
  if (!read) return read.error();
  if (read->name != name || read->role != role || read->cell != identity_.cell)
    return Error{"the ticket is that of agent " + read->name + " in cell " + read->cell +
                 ", not of " + name};
  return read->public_key.content;
}

} // namespace almanac
