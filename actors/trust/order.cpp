#include "actors/trust/order.hpp"

#include "schema/codec.hpp"

#include <algorithm>

namespace almanac {

Result<session::Credential> check_credential(const Identity& agent, const Bytes& credential,
                                             const Bytes& signature, Instant now) {
  if (!verify_signature(agent.master_key, "almanac-order" + credential.content, signature.content))
    return Error{"the order was not signed by the master of this cell"};
  auto read = decode<session::Credential>(credential.content);
  if (!read) return read.error();
  if (read->expires < now) return Error{"the order's credential has expired"};
  if (std::find(read->hosts.begin(), read->hosts.end(), agent.name) == read->hosts.end())
    return Error{"the order is not for host " + agent.name};
  return read;
}

Outcome check_order(const Identity& agent, const session::Launch& order, Instant now) {
  auto credential = check_credential(agent, order.credential, order.signature, now);
  if (!credential) return credential.error();
  if (credential->attempt != order.attempt) return Error{"the credential is for another attempt"};
  if (credential->user != order.job.owner.user || credential->uid != order.job.owner.uid)
    return Error{"the credential is for another user"};
  const auto hash = order.script.content.empty() ? "" : sha256(order.script.content);
  if (credential->script_hash != hash) return Error{"the script is not the one that was signed"};
  const bool same_hosts = std::equal(
      credential->hosts.begin(), credential->hosts.end(), order.parts.begin(), order.parts.end(),
      [](const std::string& host, const session::Part& part) { return host == part.host; });
  if (!same_hosts) return Error{"the order names other hosts than its credential"};
  return Done{};
}

} // namespace almanac
