// From an order to what one of its hosts may do for it, before it is numbered and signed.
#pragma once

#include "schema/session/launch.hpp"
#include "schema/warrant.hpp"

#include <string>

namespace almanac {

/// Without nonce, number, store and term. The error: the order has no part on that host, or a
/// command of the site in it is none.
Result<Warrant> warrant_for(const session::Launch& order, const std::string& host);

/// The bytes to sign and to send, in the version that the helper reads. The error: no link takes so
/// many beside the job's record and its script, each of which is as long as a request at the most.
Result<std::string> sendable(const Warrant& warrant, std::int64_t version = warrant_version);

} // namespace almanac
