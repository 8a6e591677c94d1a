// What a client needs at a TCP door only: TLS, as bytes in and text out without a socket, and who
// the user is, from MUNGE.
//
// It lies in a module, lib/almanac/door-tls-VERSION.so beside the folder of the programs, which is
// opened there only: to load OpenSSL takes 2 ms of processor time, more than all else that a
// command does, and most have a Unix door. So nothing else needs OpenSSL or MUNGE.
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
  /// A credential of MUNGE over the text, which says whose process this is. `munge_socket` "": the
  /// library's default. The error says why there is none.
  virtual Result<std::string> credential(std::string_view text,
                                         const std::string& munge_socket) const = 0;
};

/// `module` is the file of the module. It stays loaded as long as the process lives.
/// `authority` is a file with the certificate of the cell's authority (PEM). The error says what is
/// missing, and from where it comes.
Result<std::unique_ptr<DoorChannel>> open_door_channel(const std::string& module,
                                                       const std::string& authority);

} // namespace almanac
