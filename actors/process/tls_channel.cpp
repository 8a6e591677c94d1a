#include "actors/process/tls_channel.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <utility>

namespace almanac {

namespace {

constexpr std::string_view binding_label = "EXPORTER-almanac-session";
constexpr std::size_t binding_size = 32;
constexpr std::size_t largest_record = 16 << 10;
// What is spoken over the channel, as ALPN has it: behind its length (RFC 7301).
constexpr std::string_view protocols = "\x09"
                                       "almanac-2";

std::string tls_reason() {
  const auto code = ERR_get_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return reason ? reason : "no reason is given";
}

bool take_files(SSL_CTX* context, const TlsFiles& files) {
  return SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) == 1 &&
         SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) == 1 &&
         SSL_CTX_check_private_key(context) == 1 &&
         SSL_CTX_load_verify_locations(context, files.authority.c_str(), nullptr) == 1;
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Who offers something else only is refused; who offers nothing is of before our frames.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int count, void*) {
  unsigned char* found = nullptr;
  const int outcome = SSL_select_next_proto(
      &found, size, bytes_of(protocols), static_cast<unsigned>(protocols.size()), offered, count);
  *chosen = found;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

bool take_rules(SSL_CTX* context) {
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  // This one returns 0 where it has worked.
  return SSL_CTX_set_alpn_protos(context, bytes_of(protocols),
                                 static_cast<unsigned>(protocols.size())) == 0 &&
         SSL_CTX_set_num_tickets(context, 0) == 1 &&
         SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 &&
         SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1;
}

} // namespace

Result<TlsContext> TlsContext::open(const TlsFiles& files) {
  ERR_clear_error();
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_method()), SSL_CTX_free);
  if (!context || !take_rules(context.get()) || !take_files(context.get(), files))
    return Error{"TLS can't begin with " + files.certificate + ", " + files.key + " and " +
                 files.authority + ": " + tls_reason()};
  return TlsContext(std::move(context));
}

void TlsChannel::FreeConnection::operator()(ssl_st* connection) const { SSL_free(connection); }

TlsChannel::TlsChannel(const TlsContext& context, End side)
    : connection_(SSL_new(context.context_.get())) {
  auto* const in = BIO_new(BIO_s_mem());
  auto* const out = BIO_new(BIO_s_mem());
  check(connection_ && in && out, "OpenSSL has memory for a connection");
  SSL_set_bio(connection_.get(), in, out);
  if (side == End::server) SSL_set_accept_state(connection_.get());
  else SSL_set_connect_state(connection_.get());
  check(shake().ok(), "a handshake can begin");
}

Result<std::string> TlsChannel::hear(std::string_view bytes) {
  if (state_ == State::ended) return Error{"the channel has ended"};
  ERR_clear_error();
  auto* const in = SSL_get_rbio(connection_.get());
  if (BIO_write(in, bytes.data(), static_cast<int>(bytes.size())) != static_cast<int>(bytes.size()))
    return end(-1, "TLS takes no more");
  if (state_ == State::shaking)
    if (auto shaken = shake(); !shaken) return shaken.error();
  std::string text;
  std::array<char, largest_record> record{};
  while (state_ == State::open) {
    ERR_clear_error();
    const int count = SSL_read(connection_.get(), record.data(), record.size());
    if (count > 0) text.append(record.data(), static_cast<std::size_t>(count));
    else if (SSL_get_error(connection_.get(), count) == SSL_ERROR_WANT_READ) break;
    else return end(count, "the TLS connection ended");
  }
  return text;
}

Outcome TlsChannel::say(std::string_view text) {
  if (state_ != State::open) return Error{"the channel is not open"};
  if (text.empty()) return Done{};
  ERR_clear_error();
  // A memory BIO takes everything at once.
  const int count = SSL_write(connection_.get(), text.data(), static_cast<int>(text.size()));
  if (count != static_cast<int>(text.size())) return end(count, "TLS could not write");
  return Done{};
}

std::string TlsChannel::output() {
  auto* const out = SSL_get_wbio(connection_.get());
  std::string bytes(BIO_ctrl_pending(out), '\0');
  if (!bytes.empty()) BIO_read(out, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

bool TlsChannel::speaks_frames() const {
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(connection_.get(), &chosen, &size);
  return size > 0;
}

Outcome TlsChannel::check_peer(CertificateRole role) const {
  check(is_open(), "only an open channel has a peer");
  const auto* const chain = SSL_get0_verified_chain(connection_.get());
  const int count = sk_X509_num(chain);
  if (count < 1) return Error{"its certificate was not checked"};
  return check_role(*sk_X509_value(chain, 0), *sk_X509_value(chain, count - 1), role);
}

std::string TlsChannel::peer() const {
  check(is_open(), "only an open channel has a peer");
  char name[256] = "";
  X509_NAME_get_text_by_NID(X509_get_subject_name(SSL_get0_peer_certificate(connection_.get())),
                            NID_commonName, name, sizeof name);
  return name;
}

std::string TlsChannel::binding() const {
  check(is_open(), "only an open channel has a binding");
  std::string value(binding_size, '\0');
  ERR_clear_error();
  const int made = SSL_export_keying_material(
      connection_.get(), reinterpret_cast<unsigned char*>(value.data()), value.size(),
      binding_label.data(), binding_label.size(), nullptr, 0, 0);
  check(made == 1, "an open channel of TLS 1.3 exports");
  return value;
}

Outcome TlsChannel::shake() {
  ERR_clear_error();
  const int outcome = SSL_do_handshake(connection_.get());
  if (outcome == 1) state_ = State::open;
  else if (SSL_get_error(connection_.get(), outcome) != SSL_ERROR_WANT_READ)
    return end(outcome, "the TLS handshake failed");
  return Done{};
}

Error TlsChannel::end(int outcome, const char* doing) {
  state_ = State::ended;
  if (SSL_get_error(connection_.get(), outcome) == SSL_ERROR_ZERO_RETURN)
    return {"the far end has closed the TLS connection"};
  return {std::string(doing) + ": " + tls_reason()};
}

} // namespace almanac
