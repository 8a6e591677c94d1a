// Proofs of claims on reservations (spec/metascheduler.md section 6): OpenSSL's Ed25519,
// HMAC-SHA-256 and SHA-256. Commands make them, in a module that they load for it; the gate checks
// them.
#pragma once

#include "core/reservation/grant.hpp"

#include <string>
#include <string_view>

namespace almanac {

/// 32 bytes.
std::string digest_of(std::string_view bytes);
std::string hmac_of(std::string_view key, std::string_view bytes);
/// Takes as long wherever they differ.
bool same_bytes(std::string_view a, std::string_view b);

/// The proof of a claim with what the prover has. The error says what is missing.
Result<std::string> prove(ClaimProver prover);

/// Whether the proof is one of this use, by the public key (mode P) or the secret (mode S).
bool proves(const ClaimedUse& use, KeyMode mode, std::string_view key, std::string_view proof);

/// What a grant says of the key that claims are proved with, as bytes.
std::string name_of_key(KeyMode mode, std::string_view key);

} // namespace almanac
