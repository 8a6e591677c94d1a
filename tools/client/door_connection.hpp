// A connection to a door: frames go out, frames come in. At a TCP door there is TLS between.
//
// Whatever waits does so until a given end; then it fails, and the connection is of no more use.
#pragma once

#include "core/base/result.hpp"
#include "tools/client/door_channel.hpp"
#include "tools/client/door_list.hpp"
#include "tools/client/wait.hpp"

#include <memory>
#include <string>

namespace almanac {

class DoorConnection {
public:
  struct Opened {
    std::unique_ptr<DoorConnection> connection; ///< nothing: `why`
    std::string why;
    bool is_hopeless = false; ///< it would be the same again
  };
  /// Connects. At a TCP door the master has proved then who it is; `tls_module` is as in
  /// open_door_channel().
  static Opened open(const DoorAddress& door, const std::string& tls_module, const Until& until);
  ~DoorConnection();
  DoorConnection(const DoorConnection&) = delete;
  DoorConnection& operator=(const DoorConnection&) = delete;

  /// What goes out for an encoded request: at a TCP door sealed for this connection only, with a
  /// credential of MUNGE. The error says why there is none.
  Result<std::string> seal(const std::string& request) const;
  /// Sends a frame with this content. At a Unix door one thread may send while another receives.
  Outcome send(const std::string& content, const Until& until);
  /// The content of the next frame; waits for it.
  Result<std::string> receive(const Until& until);

  bool is_tcp() const { return channel_ != nullptr; }

private:
  DoorConnection(int socket, const DoorAddress& door, std::unique_ptr<DoorChannel> channel);

  Opened shake(Until until);
  bool write(std::string_view bytes, const Until& until);
  bool read(char* into, std::size_t size, const Until& until);
  bool hear_more(const Until& until);

  int socket_;
  std::string munge_socket_;
  std::unique_ptr<DoorChannel> channel_; ///< at a TCP door
  std::string text_;                     ///< of the channel, which nobody has taken yet
};

/// 16 random bytes.
std::string random_nonce();

} // namespace almanac
