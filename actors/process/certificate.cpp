#include "actors/process/certificate.hpp"

#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <ctime>
#include <memory>

namespace almanac {

namespace {

using AlternativeNames = std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)>;

constexpr Duration warned_ahead{30 * 86400};
constexpr CertificateRole stated_roles[]{CertificateRole::authority, CertificateRole::master,
                                         CertificateRole::agent};

std::string name_of_role(CertificateRole role) {
  return role == CertificateRole::unstated    ? "no role"
         : role == CertificateRole::authority ? "an authority"
         : role == CertificateRole::master    ? "the master"
                                              : "an agent";
}

std::string text_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

} // namespace

std::string common_name(const X509& certificate) {
  const auto* subject = X509_get_subject_name(&certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  return at < 0 ? "" : text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
}

std::string subject_of(const X509& certificate) {
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> text(BIO_new(BIO_s_mem()), BIO_free_all);
  if (X509_NAME_print_ex(text.get(), X509_get_subject_name(&certificate), 0, XN_FLAG_RFC2253) < 0)
    return "";
  const char* bytes = nullptr;
  const auto size = BIO_get_mem_data(text.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

std::string urn_of(CertificateRole role) {
  switch (role) {
  case CertificateRole::unstated: break;
  case CertificateRole::authority: return "urn:almanac:authority";
  case CertificateRole::master: return "urn:almanac:master";
  case CertificateRole::agent: return "urn:almanac:agent";
  }
  return "";
}

CertificateRole role_of(const X509& certificate) {
  const AlternativeNames names(static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(
                                   &certificate, NID_subject_alt_name, nullptr, nullptr)),
                               GENERAL_NAMES_free);
  auto found = CertificateRole::unstated;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const auto* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_URI) continue;
    const auto urn = text_of(name->d.uniformResourceIdentifier);
    for (const auto role : stated_roles) {
      if (urn != urn_of(role)) continue;
      if (found != CertificateRole::unstated) return CertificateRole::unstated;
      found = role;
    }
  }
  return found;
}

Outcome check_role(const X509& certificate, const X509& authority, CertificateRole expected) {
  const auto stated = role_of(certificate);
  if (stated == expected) return Done{};
  if (stated == CertificateRole::unstated && role_of(authority) == CertificateRole::unstated)
    return Done{};
  return Error{"the certificate of \"" + common_name(certificate) + "\" is for " +
               name_of_role(stated) + ", not for " + name_of_role(expected)};
}

Result<CertificateFacts> read_certificate(std::string_view pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> text(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free_all);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr), X509_free);
  std::tm ends{};
  if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &ends) != 1)
    return Error{"it is not a certificate in PEM"};
  return CertificateFacts{common_name(*certificate), role_of(*certificate),
                          Instant{::timegm(&ends)}};
}

std::string print_day(Instant at) {
  const std::time_t seconds = at.seconds;
  std::tm day{};
  char text[32] = "";
  ::gmtime_r(&seconds, &day);
  std::strftime(text, sizeof text, "%Y-%m-%d", &day);
  return text;
}

std::string warning_of(const CertificateFacts& certificate, const std::string& file, Instant now) {
  if (certificate.ends - now > warned_ahead) return "";
  const bool is_over = certificate.ends <= now;
  return "the certificate " + file + " of \"" + certificate.name + "\" " +
         (is_over ? "has ended on " : "ends on ") + print_day(certificate.ends) +
         (is_over ? ", so no connection is made: " : ", and no connection is made from then on: ") +
         "renew it with almanac-admin renew, then restart this daemon";
}

} // namespace almanac
