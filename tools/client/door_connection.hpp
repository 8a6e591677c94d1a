// A connection to a door: frames go out, frames come in. At a TCP door there is TLS between.
#pragma once

#include "core/base/result.hpp"
#include "tools/client/door_channel.hpp"
#include "tools/client/door_list.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace almanac {

class DoorConnection {
public:
  struct Opened {
    std::unique_ptr<DoorConnection> connection; ///< nothing: `why`
    std::string why;
    bool is_hopeless = false; ///< it would be the same again
  };
  /// Connects. At a TCP door the master has proved then who it is.
  static Opened open(const DoorAddress& door);
  ~DoorConnection();
  DoorConnection(const DoorConnection&) = delete;
  DoorConnection& operator=(const DoorConnection&) = delete;

  /// Sends a frame with this content. At a Unix door one thread may send while another receives.
  Outcome send(const std::string& content);
  /// The content of the next frame; waits for it.
  Result<std::string> receive();

  bool is_tcp() const { return channel_ != nullptr; }
  /// What nobody else knows of this connection, at a TCP door.
  std::string binding() const { return channel_->binding(); }

private:
  using Moment = std::chrono::steady_clock::time_point;
  DoorConnection(int socket, std::unique_ptr<DoorChannel> channel);

  Opened shake();
  bool write(std::string_view bytes);
  bool read(char* into, std::size_t size);
  bool hear_more();

  int socket_;
  std::unique_ptr<DoorChannel> channel_; ///< at a TCP door
  std::string text_;                     ///< of the channel, which nobody has taken yet
};

} // namespace almanac
