// X.509 for the links of a cell: an authority of its own, ECDSA P-256 for each process. OpenSSL's.
#pragma once

#include "core/base/result.hpp"

#include <string>

namespace almanac {

struct CertificateFiles {
  std::string certificate, key; ///< PEM
};

Result<CertificateFiles> make_authority(const std::string& cell);
Result<CertificateFiles> make_certificate(const CertificateFiles& authority,
                                          const std::string& name);

} // namespace almanac
