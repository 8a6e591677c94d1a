// What a certificate of a cell says: whose it is, for which role, and until when.
//
//   authority   signs the others; its own certificate says so
//   master      urn:almanac:master among its alternative names
//   agent       urn:almanac:agent, and the name of its host
//
// Certificates of cells that were made before roles were written down state none. Whether that is
// accepted is decided by the authority's certificate: one that states its own role signs nothing
// without a role.
#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <string>
#include <string_view>

struct x509_st; // OpenSSL's X509

namespace almanac {

enum class CertificateRole { unstated, authority, master, agent };

/// The whole name of its subject as RFC 2253 writes it: "CN=meta,O=Grid"; what cannot be printed is
/// escaped.
std::string subject_of(const x509_st& certificate);

/// "urn:almanac:master" and its like; "" for unstated.
std::string urn_of(CertificateRole role);

/// The name of its subject; "" where it has none.
std::string common_name(const x509_st& certificate);

/// The role that it states; unstated also where it states several.
CertificateRole role_of(const x509_st& certificate);

/// Whether the holder of a certificate, which `authority` has signed, may be what it is taken for:
/// master or agent. OpenSSL has checked signature and dates already. The error is for the log.
Outcome check_role(const x509_st& certificate, const x509_st& authority, CertificateRole expected);

struct CertificateFacts {
  std::string name; ///< common name
  CertificateRole role = CertificateRole::unstated;
  Instant ends;
};
/// Of the first certificate in a PEM text.
Result<CertificateFacts> read_certificate(std::string_view pem);

std::string print_day(Instant at); ///< 2026-11-20, in UTC

/// What is to be told of one in that file: that it ends within 30 days, or has ended; "" otherwise.
std::string warning_of(const CertificateFacts& certificate, const std::string& file, Instant now);

} // namespace almanac
