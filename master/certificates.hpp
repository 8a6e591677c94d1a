// X.509 for the links of a cell: an authority of its own, ECDSA P-256 for each process. OpenSSL's.
//
// 1. An authority lasts ten years; master and agents have certificates for two years, which end no
//    later than the authority's.
// 2. Each says whose it is, for which role, and for what (actors/process/certificate).
// 3. A renewed one is for the same key: who has the old one of the authority takes what it signs.
#pragma once

#include "actors/process/certificate.hpp"
#include "core/base/result.hpp"

#include <string>

namespace almanac {

struct CertificateFiles {
  std::string certificate, key; ///< PEM
};

Result<CertificateFiles> make_authority(const std::string& cell);

/// The first certificate of a file, whatever else is in it.
Result<std::string> certificate_alone(const std::string& file);
/// `name`: the host's; for a master any.
Result<CertificateFiles> make_certificate(const CertificateFiles& authority,
                                          const std::string& name,
                                          CertificateRole role = CertificateRole::agent);

/// The authority once more, from now on. One that stated no role states none again: it has signed
/// others without a role.
Result<std::string> renew_authority(const CertificateFiles& authority);
/// A certificate of a process once more, from now on.
Result<std::string> renew_certificate(const CertificateFiles& authority, const std::string& old,
                                      const std::string& name, CertificateRole role);

} // namespace almanac
