#include "actors/process/certificate.hpp"
#include "master/certificates.hpp"

#include <ctime>
#include <gtest/gtest.h>
#include <memory>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

using namespace almanac;

namespace {

using OpenCertificate = std::unique_ptr<X509, decltype(&X509_free)>;

OpenCertificate open_pem(const std::string& text) {
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> stream(
      BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free_all);
  return {PEM_read_bio_X509(stream.get(), nullptr, nullptr, nullptr), X509_free};
}

// What OpenSSL says of a certificate that only that authority's is trusted for.
int verdict(const std::string& certificate, const std::string& authority, int purpose) {
  const auto leaf = open_pem(certificate), root = open_pem(authority);
  const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> store(X509_STORE_new(),
                                                                      X509_STORE_free);
  X509_STORE_add_cert(store.get(), root.get());
  const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> context(
      X509_STORE_CTX_new(), X509_STORE_CTX_free);
  X509_STORE_CTX_init(context.get(), store.get(), leaf.get(), nullptr);
  X509_STORE_CTX_set_purpose(context.get(), purpose);
  X509_STORE_CTX_set_flags(context.get(), X509_V_FLAG_X509_STRICT);
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

constexpr Duration day{86'400};

class GivenACell : public ::testing::Test {
public:
  const CertificateFiles authority = *make_authority("cell");
  const CertificateFiles master = *make_certificate(authority, "master", CertificateRole::master);
  const CertificateFiles agent = *make_certificate(authority, "n1", CertificateRole::agent);

  static Outcome check(const CertificateFiles& who, const CertificateFiles& by,
                       CertificateRole expected) {
    return check_role(*open_pem(who.certificate), *open_pem(by.certificate), expected);
  }
  static Instant now() { return {std::time(nullptr)}; }
};

// As they were made before roles were written down.
CertificateFiles without_role(const CertificateFiles& authority, const std::string& name) {
  return *make_certificate(authority, name, CertificateRole::unstated);
}
CertificateFiles authority_without_role() {
  const auto made = *make_authority("old");
  auto old = open_pem(made.certificate);
  X509_EXTENSION_free(
      X509_delete_ext(old.get(), X509_get_ext_by_NID(old.get(), NID_subject_alt_name, -1)));
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> stream(
      BIO_new_mem_buf(made.key.data(), static_cast<int>(made.key.size())), BIO_free_all);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(stream.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  X509_sign(old.get(), key.get(), EVP_sha256());
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> out(BIO_new(BIO_s_mem()), BIO_free_all);
  PEM_write_bio_X509(out.get(), old.get());
  char* content = nullptr;
  const auto size = BIO_get_mem_data(out.get(), &content);
  return {{content, static_cast<std::size_t>(size)}, made.key};
}

} // namespace

TEST_F(GivenACell, WhenReadThenEachSaysWhoseItIsAndForWhichRole) {
  const auto facts = read_certificate(agent.certificate);
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->name, "n1");
  EXPECT_EQ(facts->role, CertificateRole::agent);
  EXPECT_EQ(read_certificate(master.certificate)->role, CertificateRole::master);
  EXPECT_EQ(read_certificate(authority.certificate)->role, CertificateRole::authority);
  EXPECT_FALSE(read_certificate("nothing").ok());
  const auto open = open_pem(agent.certificate);
  EXPECT_EQ(X509_check_host(open.get(), "n1", 0, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, nullptr), 1);
  EXPECT_EQ(X509_check_host(open.get(), "n2", 0, 0, nullptr), 0);
}

TEST_F(GivenACell, WhenTheRoleIsAnotherThenTheReasonNamesBoth) {
  EXPECT_TRUE(check(master, authority, CertificateRole::master).ok());
  EXPECT_TRUE(check(agent, authority, CertificateRole::agent).ok());
  EXPECT_EQ(check(agent, authority, CertificateRole::master).what(),
            "the certificate of \"n1\" is for an agent, not for the master");
  EXPECT_FALSE(check(master, authority, CertificateRole::agent).ok());
  EXPECT_FALSE(check(authority, authority, CertificateRole::master).ok());
  EXPECT_FALSE(check(without_role(authority, "n2"), authority, CertificateRole::agent).ok());
}

TEST_F(GivenACell, WhenItIsOlderThanRolesThenWhatStatesNoneGoesOnAndWhatStatesOneIsHeldToIt) {
  const auto old = authority_without_role();
  EXPECT_TRUE(check(without_role(old, "n1"), old, CertificateRole::agent).ok());
  EXPECT_TRUE(check(without_role(old, "master"), old, CertificateRole::master).ok());
  const auto added = *make_certificate(old, "n2", CertificateRole::agent);
  EXPECT_TRUE(check(added, old, CertificateRole::agent).ok());
  EXPECT_FALSE(check(added, old, CertificateRole::master).ok());
  EXPECT_EQ(read_certificate(*renew_authority(old))->role, CertificateRole::unstated);
}

TEST_F(GivenACell, WhenOpenSslLooksThenEachMayCallAndBeCalledAndNobodySignsButTheAuthority) {
  for (const auto& who : {master, agent})
    for (const int purpose : {X509_PURPOSE_SSL_CLIENT, X509_PURPOSE_SSL_SERVER})
      EXPECT_EQ(verdict(who.certificate, authority.certificate, purpose), X509_V_OK);
  const auto below = *make_certificate(agent, "n2", CertificateRole::agent);
  EXPECT_NE(verdict(below.certificate, agent.certificate, X509_PURPOSE_SSL_CLIENT), X509_V_OK);
  EXPECT_NE(verdict(below.certificate, authority.certificate, X509_PURPOSE_SSL_CLIENT), X509_V_OK);
  EXPECT_EQ(X509_get_key_usage(open_pem(agent.certificate).get()),
            static_cast<std::uint32_t>(KU_DIGITAL_SIGNATURE));
  EXPECT_EQ(X509_get_key_usage(open_pem(authority.certificate).get()),
            static_cast<std::uint32_t>(KU_KEY_CERT_SIGN | KU_CRL_SIGN));
}

TEST_F(GivenACell, WhenRenewedThenTheKeysStayAndOldAndNewGoTogether) {
  const auto root = *renew_authority(authority);
  const auto leaf =
      *renew_certificate({root, authority.key}, agent.certificate, "n1", CertificateRole::agent);
  EXPECT_NE(leaf, agent.certificate);
  for (const auto& signer : {authority.certificate, root})
    for (const auto& signed_one : {agent.certificate, leaf, master.certificate})
      EXPECT_EQ(verdict(signed_one, signer, X509_PURPOSE_SSL_SERVER), X509_V_OK);
  EXPECT_EQ(EVP_PKEY_eq(X509_get0_pubkey(open_pem(leaf).get()),
                        X509_get0_pubkey(open_pem(agent.certificate).get())),
            1);
  EXPECT_EQ(read_certificate(root)->role, CertificateRole::authority);
}

TEST_F(GivenACell, WhenAnEndComesNearThenItIsToldThirtyDaysAhead) {
  const auto facts = *read_certificate(agent.certificate);
  EXPECT_LE(facts.ends, now() + Duration{730 * 86'400});
  EXPECT_GE(facts.ends, now() + Duration{729 * 86'400});
  EXPECT_EQ(warning_of(facts, "tls.pem", facts.ends - Duration{31 * 86'400}), "");
  const auto soon = warning_of(facts, "tls.pem", facts.ends - Duration{30 * 86'400});
  EXPECT_NE(soon.find("tls.pem of \"n1\" ends on " + print_day(facts.ends)), std::string::npos);
  const auto late = warning_of(facts, "tls.pem", facts.ends + day);
  EXPECT_NE(late.find("has ended on"), std::string::npos);
  EXPECT_EQ(print_day({1'795'176'000}), "2026-11-20");
}

TEST_F(GivenACell, WhenAHostsNameIsLongOrSaysMoreThanANameThenItIsKeptOrRefused) {
  const std::string long_name = std::string(60, 'a') + ".example.org";
  const auto certificate = make_certificate(authority, long_name, CertificateRole::agent);
  ASSERT_TRUE(certificate.ok());
  EXPECT_EQ(X509_check_host(open_pem(certificate->certificate).get(), long_name.c_str(), 0,
                            X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, nullptr),
            1);
  for (const char* name : {"n1,URI:urn:almanac:master", "n1\nURI:x", ""})
    EXPECT_FALSE(make_certificate(authority, name, CertificateRole::agent).ok());
}
