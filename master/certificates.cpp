#include "master/certificates.hpp"

#include "actors/trust/keyring.hpp"
#include "core/text/words.hpp"

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

constexpr long year = 365L * 86400;
constexpr long authority_lasts = 10 * year, process_lasts = 2 * year;
constexpr long clocks_differ = 86400; // it is valid since then
constexpr std::size_t longest_common_name = 64;

template <class Write> std::string pem(Write write) {
  const Stream stream(BIO_new(BIO_s_mem()), BIO_free_all);
  write(stream.get());
  char* content = nullptr;
  const auto size = BIO_get_mem_data(stream.get(), &content);
  return {content, static_cast<std::size_t>(size)};
}
std::string print(X509* certificate) {
  return pem([&](BIO* out) { PEM_write_bio_X509(out, certificate); });
}
std::string print(EVP_PKEY* key) {
  return pem(
      [&](BIO* out) { PEM_write_bio_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

Stream stream_of(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free_all};
}
Certificate read_x509(const std::string& text) {
  return {PEM_read_bio_X509(stream_of(text).get(), nullptr, nullptr, nullptr), X509_free};
}
Key read_key(const std::string& text) {
  return {PEM_read_bio_PrivateKey(stream_of(text).get(), nullptr, nullptr, nullptr), EVP_PKEY_free};
}

bool add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  if (!extension) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

// Whom a certificate is for. The name is a host's or the master's: no character of it means
// anything to OpenSSL.
struct Subject {
  std::string name;
  CertificateRole role = CertificateRole::unstated;
  EVP_PKEY* key = nullptr;
};
// Who signs it; without a certificate the subject itself.
struct Issuer {
  X509* certificate = nullptr;
  EVP_PKEY* key = nullptr;
};

bool set_name(X509* certificate, const Subject& subject, const Issuer& issuer) {
  auto* name = X509_get_subject_name(certificate);
  const auto common = subject.name.substr(0, longest_common_name); // the rest is in the other names
  if (X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                 reinterpret_cast<const unsigned char*>(common.c_str()), -1, -1,
                                 0) != 1)
    return false;
  return X509_set_issuer_name(certificate, issuer.certificate
                                               ? X509_get_subject_name(issuer.certificate)
                                               : name) == 1;
}

bool set_dates(X509* certificate, const Issuer& issuer) {
  if (!X509_gmtime_adj(X509_getm_notBefore(certificate), -clocks_differ)) return false;
  auto* ends = X509_getm_notAfter(certificate);
  if (!issuer.certificate) return X509_gmtime_adj(ends, authority_lasts) != nullptr;
  if (!X509_gmtime_adj(ends, process_lasts)) return false;
  const auto* last = X509_get0_notAfter(issuer.certificate);
  return ASN1_TIME_compare(ends, last) <= 0 || X509_set1_notAfter(certificate, last) == 1;
}

// An authority signs certificates of processes only; a process calls and is called.
bool set_extensions(X509* certificate, const Subject& subject, const Issuer& issuer) {
  X509* const signer = issuer.certificate ? issuer.certificate : certificate;
  const auto add = [&](int kind, const std::string& value) {
    return add_extension(certificate, signer, kind, value);
  };
  const auto urn = urn_of(subject.role);
  const auto host = subject.role == CertificateRole::agent ? "DNS:" + subject.name + "," : "";
  if (!urn.empty() && !add(NID_subject_alt_name, host + "URI:" + urn)) return false;
  if (!add(NID_subject_key_identifier, "hash")) return false;
  if (!issuer.certificate)
    return add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
           add(NID_key_usage, "critical,keyCertSign,cRLSign");
  return add(NID_basic_constraints, "critical,CA:FALSE") &&
         add(NID_key_usage, "critical,digitalSignature") &&
         add(NID_ext_key_usage, "serverAuth,clientAuth") &&
         add(NID_authority_key_identifier, "keyid:always");
}

Result<std::string> issue(const Subject& subject, const Issuer& issuer) {
  const Certificate certificate(X509_new(), X509_free);
  const auto serial = random_bytes(8);
  std::uint64_t number = 0;
  for (const unsigned char byte : serial) number = number << 8 | byte;
  const bool done =
      certificate && X509_set_version(certificate.get(), 2) == 1 &&
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), number >> 1) == 1 &&
      X509_set_pubkey(certificate.get(), subject.key) == 1 &&
      set_name(certificate.get(), subject, issuer) && set_dates(certificate.get(), issuer) &&
      set_extensions(certificate.get(), subject, issuer) &&
      X509_sign(certificate.get(), issuer.key, EVP_sha256()) > 0;
  if (!done) return Error{"OpenSSL can't make a certificate for " + subject.name};
  return print(certificate.get());
}

Result<std::string> issue_by(const CertificateFiles& authority, const Subject& subject) {
  const auto issuer = read_x509(authority.certificate);
  const auto key = read_key(authority.key);
  if (!issuer || !key) return Error{"the authority's files can't be read"};
  if (subject.role == CertificateRole::agent && !valid_host_name(subject.name))
    return Error{"\"" + subject.name + "\" is not a host name"};
  return issue(subject, {issuer.get(), key.get()});
}

} // namespace

Result<CertificateFiles> make_authority(const std::string& cell) {
  const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  if (!key) return Error{"OpenSSL can't make a key"};
  const auto certificate =
      issue({"Almanac cell " + cell, CertificateRole::authority, key.get()}, {nullptr, key.get()});
  if (!certificate) return certificate.error();
  return CertificateFiles{*certificate, print(key.get())};
}

Result<CertificateFiles> make_certificate(const CertificateFiles& authority,
                                          const std::string& name, CertificateRole role) {
  const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  if (!key) return Error{"OpenSSL can't make a key"};
  const auto certificate = issue_by(authority, {name, role, key.get()});
  if (!certificate) return certificate.error();
  return CertificateFiles{*certificate, print(key.get())};
}

Result<std::string> certificate_alone(const std::string& file) {
  const auto certificate = read_x509(file);
  if (!certificate) return Error{"there is no certificate in it"};
  return print(certificate.get());
}

Result<std::string> renew_authority(const CertificateFiles& authority) {
  const auto old = read_x509(authority.certificate);
  const auto key = read_key(authority.key);
  const auto facts = read_certificate(authority.certificate);
  if (!old || !key || !facts) return Error{"the authority's files can't be read"};
  return issue({facts->name, facts->role, key.get()}, {nullptr, key.get()});
}

Result<std::string> renew_certificate(const CertificateFiles& authority, const std::string& old,
                                      const std::string& name, CertificateRole role) {
  const auto before = read_x509(old);
  if (!before) return Error{"the old certificate of " + name + " can't be read"};
  return issue_by(authority, {name, role, X509_get0_pubkey(before.get())});
}

} // namespace almanac
