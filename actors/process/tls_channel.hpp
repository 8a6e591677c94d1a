// One end of a TLS 1.3 connection, without a socket: bytes of the far end come in, text comes out;
// text comes in, bytes for the far end come out.
//
//   shaking --handshake--> open     whatever is wrong ends the channel, for good
//
// 1. On a link each end shows a certificate, and takes only one that the cell's authority has
//    signed. At a TCP door the master does; who calls shows none, and says inside who they are.
// 2. A link and a door cannot be taken for each other: each has a name of its own in ALPN.
// 3. Nothing is resumed: each channel proves anew who has which key.
// 4. Each new key that the far end asks for makes bytes for it, which wait here where it reads
//    nothing. So it gets few of them: one for each megabyte of text, and some in advance.
// 5. OpenSSL's error queue belongs to the thread: it is emptied before each call.
//
// No CAF: commands have this too.
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

struct TlsUse; ///< what a channel is for

/// What all channels of a process have in common. Copies share it. Errors name the files.
class TlsContext {
public:
  /// For a link between daemons, either end.
  static Result<TlsContext> open(const TlsFiles& files);
  /// For the site's end of its port for metaschedulers. With an authority, a caller may show a
  /// certificate, which that authority has signed; without one nobody is asked for any.
  static Result<TlsContext> open_site(const TlsFiles& files);
  /// For the master's end of a TCP door.
  static Result<TlsContext> open_door(const TlsFiles& files);
  /// For the end of who calls a TCP door, and has the certificate of the cell's authority only.
  static Result<TlsContext> call_door(const std::string& authority);
  /// For the end that calls a site's port for metaschedulers (spec/metascheduler.md section 2);
  /// `certificate` and `key` are empty where it shows none.
  static Result<TlsContext> call_site(const TlsFiles& files);

private:
  friend class TlsChannel;
  TlsContext(std::shared_ptr<ssl_ctx_st> context, const TlsUse& use)
      : context_(std::move(context)), use_(&use) {}

  std::shared_ptr<ssl_ctx_st> context_;
  const TlsUse* use_;
};

class TlsChannel {
public:
  enum class End { client, server };
  TlsChannel(const TlsContext& context, End end);

  /// Takes bytes of the far end; returns the text in them. An error is the channel's end; what is
  /// left in output() tells the far end. Text before the far end's close_notify is returned, and
  /// the next call is the error, whatever it brings.
  Result<std::string> hear(std::string_view bytes);
  /// Sends text; the channel is open.
  Outcome say(std::string_view text);
  /// The bytes for the far end since the last call. A client's first ones are there at once.
  std::string output();

  bool is_open() const { return state_ == State::open; }
  /// Whether the far end has said that it means what we mean, a link or a door; the channel is
  /// open.
  bool speaks_frames() const;
  /// Whether the far end's certificate is for this role, or why not; the channel is open.
  Outcome check_peer(CertificateRole role) const;
  /// Whether the far end may speak for a site that was called at this host: its certificate is that
  /// of a cell's master, or states no role and names the host; the channel is open.
  Outcome check_site(const std::string& host) const;
  /// The subject of the far end's certificate, which was checked, as RFC 2253 writes it:
  /// "CN=meta,O=Grid"; "": it has shown none. The channel is open.
  std::string subject() const;
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
  void collect();
  Error end(int outcome, const char* doing);
  Error refuse(const char* why);

  std::unique_ptr<ssl_st, FreeConnection> connection_;
  const TlsUse* use_;
  State state_ = State::shaking;
  bool has_heard_ = false;
  std::string output_;
  std::unique_ptr<std::size_t> key_updates_ = std::make_unique<std::size_t>(0); ///< heard of
  std::size_t heard_ = 0;                                                       ///< bytes of text
};

} // namespace almanac
