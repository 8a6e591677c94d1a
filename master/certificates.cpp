#include "master/certificates.hpp"

#include "actors/trust/keyring.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace almanac {

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Stream = std::unique_ptr<BIO, decltype(&BIO_free_all)>;

constexpr long twenty_years = 20L * 365 * 86400;

template <class Write> std::string pem(Write write) {
  const Stream stream(BIO_new(BIO_s_mem()), BIO_free_all);
  write(stream.get());
  char* content = nullptr;
  const auto size = BIO_get_mem_data(stream.get(), &content);
  return {content, static_cast<std::size_t>(size)};
}

bool add_extension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  if (!extension) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

// A certificate for a new key; without an issuer it signs itself.
Result<CertificateFiles> issue(const std::string& name, X509* issuer, EVP_PKEY* issuer_key) {
  const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const Certificate certificate(X509_new(), X509_free);
  if (!key || !certificate) return Error{"OpenSSL can't make a key"};
  const auto serial = random_bytes(8);
  std::uint64_t number = 0;
  for (const unsigned char byte : serial) number = number << 8 | byte;
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), number >> 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -86400);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), twenty_years);
  X509_set_pubkey(certificate.get(), key.get());
  auto* subject = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), issuer ? X509_get_subject_name(issuer) : subject);
  X509* signer = issuer ? issuer : certificate.get();
  const bool done =
      add_extension(certificate.get(), signer, NID_basic_constraints,
                    issuer ? "critical,CA:FALSE" : "critical,CA:TRUE") &&
      add_extension(certificate.get(), signer, NID_subject_key_identifier, "hash") &&
      X509_sign(certificate.get(), issuer_key ? issuer_key : key.get(), EVP_sha256()) > 0;
  if (!done) return Error{"OpenSSL can't sign a certificate for " + name};
  return CertificateFiles{
      pem([&](BIO* out) { PEM_write_bio_X509(out, certificate.get()); }), pem([&](BIO* out) {
        PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
      })};
}

} // namespace

Result<CertificateFiles> make_authority(const std::string& cell) {
  return issue("Almanac cell " + cell, nullptr, nullptr);
}

Result<CertificateFiles> make_certificate(const CertificateFiles& authority,
                                          const std::string& name) {
  const Stream certificate_text(
      BIO_new_mem_buf(authority.certificate.data(), static_cast<int>(authority.certificate.size())),
      BIO_free_all);
  const Stream key_text(
      BIO_new_mem_buf(authority.key.data(), static_cast<int>(authority.key.size())), BIO_free_all);
  const Certificate issuer(PEM_read_bio_X509(certificate_text.get(), nullptr, nullptr, nullptr),
                           X509_free);
  const Key key(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  if (!issuer || !key) return Error{"the authority's files can't be read"};
  return issue(name, issuer.get(), key.get());
}

} // namespace almanac
