// The master's word that a user may attach to an interactive job, from one host.
//
// It is for one attempt of one task, which takes one client in its life: so it is good once.
#pragma once

#include "actors/trust/handshake.hpp"
#include "schema/session_messages.hpp"

#include <optional>
#include <string>

namespace almanac {

struct SealedCredential {
  Bytes credential, signature;
};
SealedCredential seal_for_client(const SigningKey& master, const session::ClientCredential& word);

/// Who presents it.
struct AttachingClient {
  std::string host; ///< whose agent it is that brings the client
  /// As the kernel of that host says; nothing where the agent of another host asks, which has looked
  /// itself.
  std::optional<std::int64_t> uid{};
};

/// Whether it lets this client attach to this attempt on this host. The agent's own words are left
/// out of it where the job runs elsewhere: `job_host` is where.
Outcome check_attach(const Identity& agent, const AttachingClient& client,
                     const std::string& job_host, const Attempt& attempt, const Bytes& credential,
                     const Bytes& signature);

} // namespace almanac
