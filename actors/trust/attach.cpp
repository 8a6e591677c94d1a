#include "actors/trust/attach.hpp"

#include "core/text/words.hpp"
#include "schema/codec.hpp"

namespace almanac {

namespace {

// No other signature of the master's is one of these.
constexpr const char* attach_label = "almanac-attach\n";

} // namespace

SealedCredential seal_for_client(const SigningKey& master, const session::ClientCredential& word) {
  SealedCredential sealed;
  sealed.credential.content = encode(word);
  sealed.signature.content = master.sign(attach_label + sealed.credential.content);
  return sealed;
}

Outcome check_attach(const Identity& agent, const AttachingClient& client,
                     const std::string& job_host, const Attempt& attempt, const Bytes& credential,
                     const Bytes& signature) {
  if (!verify_signature(agent.master_key, attach_label + credential.content, signature.content))
    return Error{"the credential was not signed by the master of this cell"};
  const auto read = decode<session::ClientCredential>(credential.content);
  if (!read) return read.error();
  if (read->attempt != attempt) return Error{"the credential is for another attempt"};
  if (!equal_ignoring_case(read->host, job_host))
    return Error{"the credential is for a job on host " + read->host};
  if (!equal_ignoring_case(read->client_host, client.host))
    return Error{"the credential is for a client on host " + read->client_host};
  if (client.uid && *client.uid != read->uid)
    return Error{"the credential is for the user \"" + read->user + "\""};
  return Done{};
}

} // namespace almanac
