// One end of a TLS 1.3 connection, without a socket: bytes of the far end come in, text comes out;
// text comes in, bytes for the far end come out.
//
//   shaking --handshake--> open     whatever is wrong ends the channel, for good
//
// 1. Each end shows a certificate, and takes only one that the cell's authority has signed.
// 2. Nothing is resumed: each channel proves anew who has which key.
// 3. OpenSSL's error queue belongs to the thread: it is emptied before each call.
#pragma once

#include "actors/process/certificate.hpp"
#include "actors/process/tls_files.hpp"
#include "core/base/result.hpp"

#include <memory>
#include <string>
#include <string_view>

struct ssl_ctx_st; // OpenSSL's SSL_CTX and SSL
struct ssl_st;

namespace almanac {

/// What all channels of a process have in common. Copies share it.
class TlsContext {
public:
  static Result<TlsContext> open(const TlsFiles& files);

private:
  friend class TlsChannel;
  explicit TlsContext(std::shared_ptr<ssl_ctx_st> context) : context_(std::move(context)) {}

  std::shared_ptr<ssl_ctx_st> context_;
};

class TlsChannel {
public:
  enum class End { client, server };
  TlsChannel(const TlsContext& context, End end);

  /// Takes bytes of the far end; returns the text in them. An error is the channel's end; what is
  /// left in output() tells the far end.
  Result<std::string> hear(std::string_view bytes);
  /// Sends text; the channel is open.
  Outcome say(std::string_view text);
  /// The bytes for the far end since the last call. A client's first ones are there at once.
  std::string output();

  bool is_open() const { return state_ == State::open; }
  /// Whether the far end has said that it means our frames; the channel is open.
  bool speaks_frames() const;
  /// Whether the far end's certificate is for this role, or why not; the channel is open.
  Outcome check_peer(CertificateRole role) const;
  /// The common name in the far end's certificate; the channel is open.
  std::string peer() const;
  /// What both ends know of this channel, and nobody knows of another one (RFC 5705); the channel
  /// is open.
  std::string binding() const;

private:
  enum class State { shaking, open, ended };
  struct FreeConnection {
    void operator()(ssl_st* connection) const;
  };

  Outcome shake();
  Error end(int outcome, const char* doing);

  std::unique_ptr<ssl_st, FreeConnection> connection_;
  State state_ = State::shaking;
};

} // namespace almanac
