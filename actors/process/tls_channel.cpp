#include "actors/process/tls_channel.hpp"

#include "actors/process/certificate.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <utility>

namespace almanac {

struct TlsUse {
  std::string_view protocols; ///< as ALPN has it: a name behind its length (RFC 7301)
  std::string_view label;     ///< of the binding (RFC 5705)

  std::string_view protocol() const { return protocols.substr(1); }
};

namespace {

constexpr TlsUse link_use{"\x09"
                          "almanac-2",
                          "EXPORTER-almanac-session"};
constexpr TlsUse door_use{"\x0e"
                          "almanac-door-1",
                          "EXPORTER-almanac-door"};
// To a door of another cell, for lines of the metascheduler's interface.
constexpr TlsUse site_use{"\x0f"
                          "almanac-gmeta-1",
                          "EXPORTER-almanac-gmeta"};
constexpr std::size_t binding_size = 32;
// New keys that the far end may ask for: some at once, and then one for so many bytes of text.
constexpr std::size_t key_updates_at_once = 32, text_of_a_key_update = 1 << 20;
constexpr std::size_t largest_record = 16 << 10;

std::string tls_reason() {
  const auto code = ERR_get_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return reason ? reason : "no reason is given";
}

bool take_certificate(SSL_CTX* context, const TlsFiles& files) {
  return SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) == 1 &&
         SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) == 1 &&
         SSL_CTX_check_private_key(context) == 1;
}

bool take_authority(SSL_CTX* context, const std::string& authority) {
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return SSL_CTX_load_verify_locations(context, authority.c_str(), nullptr) == 1;
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Who offers something else only is refused; who offers nothing is told apart later.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int count, void* use) {
  const auto protocols = static_cast<const TlsUse*>(use)->protocols;
  unsigned char* found = nullptr;
  const int outcome = SSL_select_next_proto(
      &found, size, bytes_of(protocols), static_cast<unsigned>(protocols.size()), offered, count);
  *chosen = found;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

bool take_rules(SSL_CTX* context, const TlsUse& use) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, const_cast<TlsUse*>(&use));
  // This one returns 0 where it has worked.
  return SSL_CTX_set_alpn_protos(context, bytes_of(use.protocols),
                                 static_cast<unsigned>(use.protocols.size())) == 0 &&
         SSL_CTX_set_num_tickets(context, 0) == 1 &&
         SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 &&
         SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1;
}

// Nothing where OpenSSL refuses the rules themselves.
std::shared_ptr<SSL_CTX> context_for(const TlsUse& use) {
  ERR_clear_error();
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_method()), SSL_CTX_free);
  return context && take_rules(context.get(), use) ? context : nullptr;
}

Error cannot_begin(const std::string& files) {
  return {"TLS can't begin with " + files + ": " + tls_reason()};
}

// OpenSSL shows each message of a handshake, and those after it.
void count_key_update(int is_sent, int, int kind, const void* message, std::size_t size, SSL*,
                      void* count) {
  if (is_sent == 0 && kind == SSL3_RT_HANDSHAKE && size > 0 &&
      *static_cast<const unsigned char*>(message) == SSL3_MT_KEY_UPDATE)
    ++*static_cast<std::size_t*>(count);
}

// The first byte of each record of TLS is its kind (RFC 8446, 5.1); so no text begins.
bool begins_a_record(char byte) { return byte >= 20 && byte <= 24; }

} // namespace

Result<TlsContext> TlsContext::open(const TlsFiles& files) {
  auto context = context_for(link_use);
  if (!context || !take_certificate(context.get(), files) ||
      !take_authority(context.get(), files.authority))
    return cannot_begin(files.certificate + ", " + files.key + " and " + files.authority);
  return TlsContext(std::move(context), link_use);
}

Result<TlsContext> TlsContext::open_site(const TlsFiles& files) {
  auto context = context_for(site_use);
  const bool asks = !files.authority.empty();
  bool begins = context && take_certificate(context.get(), files);
  if (begins && asks) {
    begins = take_authority(context.get(), files.authority);
    SSL_CTX_set_client_CA_list(context.get(), SSL_load_client_CA_file(files.authority.c_str()));
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr); // who shows none has another proof
  }
  if (!begins)
    return cannot_begin(files.certificate + (asks ? ", " + files.key + " and " + files.authority
                                                  : " and " + files.key));
  return TlsContext(std::move(context), site_use);
}

Result<TlsContext> TlsContext::open_door(const TlsFiles& files) {
  auto context = context_for(door_use);
  if (!context || !take_certificate(context.get(), files))
    return cannot_begin(files.certificate + " and " + files.key);
  return TlsContext(std::move(context), door_use);
}

Result<TlsContext> TlsContext::call_door(const std::string& authority) {
  auto context = context_for(door_use);
  if (!context || !take_authority(context.get(), authority)) return cannot_begin(authority);
  return TlsContext(std::move(context), door_use);
}

Result<TlsContext> TlsContext::call_site(const TlsFiles& files) {
  auto context = context_for(site_use);
  const bool shows = !files.certificate.empty();
  if (!context || !take_authority(context.get(), files.authority) ||
      (shows && !take_certificate(context.get(), files)))
    return cannot_begin(files.authority +
                        (shows ? ", " + files.certificate + " and " + files.key : ""));
  return TlsContext(std::move(context), site_use);
}

void TlsChannel::FreeConnection::operator()(ssl_st* connection) const { SSL_free(connection); }

TlsChannel::TlsChannel(const TlsContext& context, End side)
    : connection_(SSL_new(context.context_.get())), use_(context.use_) {
  auto* const in = BIO_new(BIO_s_mem());
  auto* const out = BIO_new(BIO_s_mem());
  check(connection_ && in && out, "OpenSSL has memory for a connection");
  SSL_set_bio(connection_.get(), in, out);
  SSL_set_msg_callback(connection_.get(), count_key_update);
  SSL_set_msg_callback_arg(connection_.get(), key_updates_.get());
  if (side == End::server) SSL_set_accept_state(connection_.get());
  else SSL_set_connect_state(connection_.get());
  check(shake().ok(), "a handshake can begin");
}

Result<std::string> TlsChannel::hear(std::string_view bytes) {
  if (state_ == State::ended) return Error{"the channel has ended"};
  if (!bytes.empty() && !std::exchange(has_heard_, true) && !begins_a_record(bytes.front())) {
    state_ = State::ended;
    return Error{"it does not speak TLS"};
  }
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
    if (*key_updates_ > key_updates_at_once + heard_ / text_of_a_key_update)
      return refuse("it asks for new keys all the time");
    if (count > 0) {
      text.append(record.data(), static_cast<std::size_t>(count));
      heard_ += static_cast<std::size_t>(count);
      continue;
    }
    const int why = SSL_get_error(connection_.get(), count);
    // OpenSSL says again at the next call that the far end has closed: its last words come first.
    const bool is_last = why == SSL_ERROR_ZERO_RETURN && !text.empty();
    if (why == SSL_ERROR_WANT_READ || is_last) break;
    return end(count, "the TLS connection ended");
  }
  return text;
}

Error TlsChannel::refuse(const char* why) {
  state_ = State::ended;
  collect();
  return {why};
}

Outcome TlsChannel::say(std::string_view text) {
  if (state_ != State::open) return Error{"the channel is not open"};
  // Record by record: a memory BIO takes everything at once, and keeps the room for it.
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), largest_record))) {
    const auto piece = text.substr(0, largest_record);
    ERR_clear_error();
    const int count = SSL_write(connection_.get(), piece.data(), static_cast<int>(piece.size()));
    if (count != static_cast<int>(piece.size())) return end(count, "TLS could not write");
    collect();
  }
  return Done{};
}

void TlsChannel::collect() {
  auto* const out = SSL_get_wbio(connection_.get());
  const auto before = output_.size(), more = BIO_ctrl_pending(out);
  output_.resize(before + more);
  if (more > 0) BIO_read(out, output_.data() + before, static_cast<int>(more));
}

std::string TlsChannel::output() {
  collect();
  return std::exchange(output_, {});
}

bool TlsChannel::speaks_frames() const {
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(connection_.get(), &chosen, &size);
  return std::string_view(reinterpret_cast<const char*>(chosen), size) == use_->protocol();
}

Outcome TlsChannel::check_peer(CertificateRole role) const {
  check(is_open(), "only an open channel has a peer");
  const auto* const chain = SSL_get0_verified_chain(connection_.get());
  const int count = sk_X509_num(chain);
  if (count < 1) return Error{"its certificate was not checked"};
  return check_role(*sk_X509_value(chain, 0), *sk_X509_value(chain, count - 1), role);
}

Outcome TlsChannel::check_site(const std::string& host) const {
  check(is_open(), "only an open channel has a peer");
  auto& certificate = *SSL_get0_peer_certificate(connection_.get());
  const auto role = role_of(certificate);
  if (role == CertificateRole::master) return Done{};
  if (role != CertificateRole::unstated) return check_peer(CertificateRole::master);
  if (X509_check_host(&certificate, host.data(), host.size(), 0, nullptr) == 1 ||
      X509_check_ip_asc(&certificate, host.c_str(), 0) == 1)
    return Done{};
  return Error{"the certificate of \"" + common_name(certificate) + "\" is not for the host " +
               host};
}

std::string TlsChannel::subject() const {
  check(is_open(), "only an open channel has a peer");
  const auto* const certificate = SSL_get0_peer_certificate(connection_.get());
  const bool is_checked = certificate && SSL_get_verify_result(connection_.get()) == X509_V_OK;
  return is_checked ? subject_of(*certificate) : "";
}

std::string TlsChannel::peer() const {
  check(is_open(), "only an open channel has a peer");
  return common_name(*SSL_get0_peer_certificate(connection_.get()));
}

std::string TlsChannel::binding() const {
  check(is_open(), "only an open channel has a binding");
  std::string value(binding_size, '\0');
  ERR_clear_error();
  const int made = SSL_export_keying_material(
      connection_.get(), reinterpret_cast<unsigned char*>(value.data()), value.size(),
      use_->label.data(), use_->label.size(), nullptr, 0, 0);
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
  const auto verdict = SSL_get_verify_result(connection_.get());
  const auto reason = tls_reason();
  return {std::string(doing) + ": " + reason +
          (verdict == X509_V_OK
               ? ""
               : std::string(" (") + X509_verify_cert_error_string(verdict) + ")")};
}

} // namespace almanac
