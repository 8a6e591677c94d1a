// Two ends of a TLS channel, with certificates in a folder of their own.
#pragma once

#include "actors/process/daemon.hpp"
#include "actors/process/tls_channel.hpp"
#include "master/certificates.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace almanac {

class GivenTwoEnds : public ::testing::Test {
public:
  const std::string folder = [] {
    std::string name = std::filesystem::temp_directory_path() / "almanac-tls-XXXXXX";
    return std::string(::mkdtemp(name.data()));
  }();
  CertificateFiles authority = *make_authority("cell"), foreign = *make_authority("cell");

  ~GivenTwoEnds() override { std::filesystem::remove_all(folder); }

  // A certificate of `issuer` for somebody who believes in `trusted`.
  TlsFiles files(const std::string& name, const CertificateFiles& issuer,
                 const CertificateFiles& trusted) const {
    const auto own = make_certificate(
        issuer, name, name == "master" ? CertificateRole::master : CertificateRole::agent);
    const auto place = folder + "/" + name;
    EXPECT_TRUE(write_file(place + ".pem", own->certificate, 0600).ok());
    EXPECT_TRUE(write_file(place + ".key", own->key, 0600).ok());
    EXPECT_TRUE(write_file(place + ".ca", trusted.certificate, 0600).ok());
    return {place + ".pem", place + ".key", place + ".ca"};
  }
  TlsChannel channel(const std::string& name, TlsChannel::End end) const {
    return {*TlsContext::open(files(name, authority, authority)), end};
  }

  // Carries bytes to and fro until nobody has any; false when one end refused. A client is a
  // TlsChannel, or what a command has.
  template <class Client> static bool shake(Client& client, TlsChannel& server) {
    for (;;) {
      const auto from_client = client.output();
      if (!from_client.empty() && !server.hear(from_client)) return false;
      const auto from_server = server.output();
      if (!from_server.empty() && !client.hear(from_server)) return false;
      if (from_client.empty() && from_server.empty()) return client.is_open() && server.is_open();
    }
  }
};

} // namespace almanac
