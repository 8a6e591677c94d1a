// TLS as a command has it at a TCP door: bytes in, text out; no socket.
//
// It lies in a module, lib/almanac/door-tls-VERSION.so beside the folder of the programs, which is
// opened at a TCP door only: to load OpenSSL takes 2 ms of processor time, more than all else that
// a command does, and most commands have a Unix door.
#pragma once

#include "core/base/result.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace almanac {

class DoorChannel {
public:
  virtual ~DoorChannel() = default;

  /// Takes bytes of the far end; returns the text in them. An error is the channel's end: so is it
  /// where the far end does not prove that it is the cell's master. What is left in output() tells
  /// the far end.
  virtual Result<std::string> hear(std::string_view bytes) = 0;
  /// Sends text; the channel is open.
  virtual Outcome say(std::string_view text) = 0;
  /// The bytes for the far end since the last call; the first ones are there at once.
  virtual std::string output() = 0;
  /// Whether the master is there.
  virtual bool is_open() const = 0;
  /// What both ends know of this channel, and nobody knows of another one; the channel is open.
  virtual std::string binding() const = 0;
};

/// `authority` is a file with the certificate of the cell's authority (PEM). The error says what is
/// missing, and from where it comes.
Result<std::unique_ptr<DoorChannel>> open_door_channel(const std::string& authority);

} // namespace almanac
