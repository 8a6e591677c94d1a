// What almanac-gmeta is told: one file in TOML (man almanac-gmeta).
#pragma once

#include "actors/process/tls_files.hpp"
#include "core/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

/// Of the settings, and of the certificates of authorities; bytes.
constexpr std::size_t largest_port_file = 1 << 20;

/// Somebody who may send lines: a certificate's subject, or a secret. What they may do is the
/// cell's to say, in the access list gmeta_NAME.
struct PortCaller {
  std::string name;        ///< and key id: letters, digits and '_'
  std::string subject;     ///< as RFC 2253 writes it; "": has a secret
  std::string secret_file; ///< "": has a certificate
  std::string user;        ///< for whom lines without USER are; "": for nobody
};

struct PortSettings {
  std::string directory = "/var/lib/almanac"; ///< of the cell or an agent, where the doors are
  std::string user = "almanac";               ///< whom root becomes
  std::string address = "127.0.0.1";
  std::uint16_t port = 0; ///< 1 to 65535
  TlsFiles files;         ///< authority "": nobody is asked for a certificate
  std::size_t connections = 512;
  std::size_t connections_of_address = 64;
  std::size_t at_once = 32; ///< lines that the master is asked at the same time
  std::vector<PortCaller> callers;
};

/// Names of files that do not begin with a slash are in the folder of this file. The error names
/// it, the line, and what was expected. Nobody but root and this process's user may be able to
/// write it.
Result<PortSettings> read_port_settings(const std::string& path);
/// The same, of its text.
Result<PortSettings> parse_port_settings(const std::string& text, const std::string& folder);

} // namespace almanac
