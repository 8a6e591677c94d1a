#include "tests/process/two_ends.hpp"

#include <openssl/ssl.h>

using namespace almanac;

TEST_F(GivenTwoEnds, WhenBothAreOfTheCellThenTheyTalkAndHaveTheSameBinding) {
  auto client = channel("n1", TlsChannel::End::client);
  auto server = channel("master", TlsChannel::End::server);
  ASSERT_TRUE(shake(client, server));
  EXPECT_TRUE(client.speaks_frames() && server.speaks_frames());
  EXPECT_EQ(client.peer(), "master");
  EXPECT_EQ(server.peer(), "n1");
  EXPECT_TRUE(client.check_peer(CertificateRole::master).ok());
  EXPECT_FALSE(client.check_peer(CertificateRole::agent).ok());
  EXPECT_TRUE(server.check_peer(CertificateRole::agent).ok());
  EXPECT_FALSE(server.check_peer(CertificateRole::master).ok());
  const std::string long_text(100'000, 'x');
  ASSERT_TRUE(client.say(long_text).ok());
  const auto heard = server.hear(client.output());
  ASSERT_TRUE(heard.ok());
  EXPECT_EQ(*heard, long_text);
  ASSERT_TRUE(server.say("answer").ok());
  const auto bytes = server.output();
  std::string answer;
  for (const char byte : bytes) answer += *client.hear({&byte, 1});
  EXPECT_EQ(answer, "answer");
  EXPECT_EQ(client.binding(), server.binding());
  EXPECT_EQ(client.binding().size(), 32u);
}

TEST_F(GivenTwoEnds, WhenTheyMeetAgainThenTheBindingIsAnother) {
  auto client = channel("n1", TlsChannel::End::client),
       again = channel("n1", TlsChannel::End::client);
  auto server = channel("master", TlsChannel::End::server),
       anew = channel("master", TlsChannel::End::server);
  ASSERT_TRUE(shake(client, server) && shake(again, anew));
  EXPECT_NE(client.binding(), again.binding());
}

TEST_F(GivenTwoEnds, WhenTheClientIsOfAnotherAuthorityThenTheServerRefusesIt) {
  TlsChannel client(*TlsContext::open(files("n1", foreign, authority)), TlsChannel::End::client);
  auto server = channel("master", TlsChannel::End::server);
  EXPECT_FALSE(shake(client, server));
  EXPECT_FALSE(server.is_open());
  EXPECT_FALSE(client.hear(server.output()).ok()); // it is told
}

TEST_F(GivenTwoEnds, WhenTheServerIsOfAnotherAuthorityThenTheClientRefusesIt) {
  auto client = channel("n1", TlsChannel::End::client);
  TlsChannel server(*TlsContext::open(files("master", foreign, authority)),
                    TlsChannel::End::server);
  EXPECT_FALSE(shake(client, server));
  EXPECT_FALSE(client.is_open());
  EXPECT_FALSE(server.is_open());
}

TEST_F(GivenTwoEnds, WhenAByteIsAlteredThenTheChannelEnds) {
  auto client = channel("n1", TlsChannel::End::client);
  auto server = channel("master", TlsChannel::End::server);
  ASSERT_TRUE(shake(client, server));
  ASSERT_TRUE(client.say("an order").ok());
  auto bytes = client.output();
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  EXPECT_FALSE(server.hear(bytes).ok());
  EXPECT_FALSE(server.is_open());
  EXPECT_FALSE(server.hear(bytes).ok());
  EXPECT_FALSE(server.say("more").ok());
}

// A server of OpenSSL itself, whose text and close_notify come in one read.
TEST_F(GivenTwoEnds, WhenTheFarEndClosesBehindATextThenTheTextIsHeardFirst) {
  auto client = channel("n1", TlsChannel::End::client);
  const auto own = files("master", authority, authority);
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_server_method()),
                                                                  SSL_CTX_free);
  ASSERT_EQ(SSL_CTX_use_certificate_chain_file(context.get(), own.certificate.c_str()), 1);
  ASSERT_EQ(SSL_CTX_use_PrivateKey_file(context.get(), own.key.c_str(), SSL_FILETYPE_PEM), 1);
  const std::unique_ptr<SSL, decltype(&SSL_free)> server(SSL_new(context.get()), SSL_free);
  auto* const in = BIO_new(BIO_s_mem());
  auto* const out = BIO_new(BIO_s_mem());
  SSL_set_bio(server.get(), in, out);
  SSL_set_accept_state(server.get());
  const auto shake_hands = [&] {
    const auto bytes = client.output();
    BIO_write(in, bytes.data(), static_cast<int>(bytes.size()));
    return SSL_do_handshake(server.get());
  };
  const auto from_server = [&] {
    std::string bytes(BIO_ctrl_pending(out), '\0');
    BIO_read(out, bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  };
  shake_hands();
  ASSERT_TRUE(client.hear(from_server()).ok());
  ASSERT_TRUE(client.is_open());
  ASSERT_EQ(shake_hands(), 1);
  ASSERT_EQ(SSL_write(server.get(), "last words", 10), 10);
  SSL_shutdown(server.get());
  const auto heard = client.hear(from_server());
  ASSERT_TRUE(heard.ok());
  EXPECT_EQ(*heard, "last words");
  EXPECT_TRUE(client.say("an answer").ok()) << "the other direction is open";
  const auto end = client.hear("");
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.what(), "the far end has closed the TLS connection");
  EXPECT_FALSE(client.is_open());
}

TEST_F(GivenTwoEnds, WhenOneSpeaksNoTlsThenOnlyItsChannelEnds) {
  auto other = channel("n1", TlsChannel::End::client);
  auto patient = channel("master", TlsChannel::End::server);
  auto server = channel("master", TlsChannel::End::server);
  const auto heard = server.hear("GET / HTTP/1.0\r\n\r\n");
  ASSERT_FALSE(heard.ok());
  EXPECT_EQ(heard.what(), "it does not speak TLS");
  EXPECT_FALSE(server.hear(other.output()).ok());
  other = channel("n1", TlsChannel::End::client);
  EXPECT_TRUE(shake(other, patient));
}

// A client of OpenSSL itself, with a certificate or without, which speaks `version` at most.
class GivenAServer : public GivenTwoEnds {
public:
  bool takes(int version, bool shows_certificate) {
    const auto own = files("n1", authority, authority);
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()),
                                                              SSL_CTX_free);
    SSL_CTX_set_max_proto_version(context.get(), version);
    if (shows_certificate) {
      SSL_CTX_use_certificate_chain_file(context.get(), own.certificate.c_str());
      SSL_CTX_use_PrivateKey_file(context.get(), own.key.c_str(), SSL_FILETYPE_PEM);
    }
    std::unique_ptr<SSL, decltype(&SSL_free)> client(SSL_new(context.get()), SSL_free);
    auto* const in = BIO_new(BIO_s_mem());
    auto* const out = BIO_new(BIO_s_mem());
    SSL_set_bio(client.get(), in, out);
    SSL_set_connect_state(client.get());
    auto server = channel("master", TlsChannel::End::server);
    for (int turn = 0; turn < 5; ++turn) {
      SSL_do_handshake(client.get());
      char bytes[1 << 14];
      const int count = BIO_read(out, bytes, sizeof bytes);
      if (count > 0 && !server.hear({bytes, static_cast<std::size_t>(count)})) return false;
      const auto answer = server.output();
      BIO_write(in, answer.data(), static_cast<int>(answer.size()));
    }
    return server.is_open();
  }
};

TEST_F(GivenAServer, WhenAClientHasTls13AndACertificateThenItIsTaken) {
  EXPECT_TRUE(takes(TLS1_3_VERSION, true));
}
TEST_F(GivenAServer, WhenAClientHasTls12OnlyThenItIsRefused) {
  EXPECT_FALSE(takes(TLS1_2_VERSION, true));
}
TEST_F(GivenAServer, WhenAClientShowsNoCertificateThenItIsRefused) {
  EXPECT_FALSE(takes(TLS1_3_VERSION, false));
}

TEST(GivenNoFiles, WhenTlsIsToBeginThenTheFilesAreNamed) {
  const auto context = TlsContext::open({"/nosuch.pem", "/nosuch.key", "/nosuch.ca"});
  ASSERT_FALSE(context.ok());
  EXPECT_NE(context.what().find("/nosuch.pem"), std::string::npos);
}

// One that is open, and asks for new keys.
class GivenAClientWhoAsksForKeys : public GivenTwoEnds {
public:
  GivenAClientWhoAsksForKeys() {
    const auto own = files("n1", authority, authority);
    SSL_CTX_set_max_proto_version(context.get(), TLS1_3_VERSION);
    SSL_CTX_use_certificate_chain_file(context.get(), own.certificate.c_str());
    SSL_CTX_use_PrivateKey_file(context.get(), own.key.c_str(), SSL_FILETYPE_PEM);
    client.reset(SSL_new(context.get()));
    SSL_set_bio(client.get(), in, out);
    SSL_set_connect_state(client.get());
    for (int turn = 0; turn < 5; ++turn) {
      SSL_do_handshake(client.get());
      EXPECT_TRUE(server.hear(sent()).ok());
      const auto answer = server.output();
      BIO_write(in, answer.data(), static_cast<int>(answer.size()));
    }
  }
  std::string sent() {
    std::string bytes(BIO_ctrl_pending(out), '\0');
    if (!bytes.empty()) BIO_read(out, bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }
  // Asks for one key and says a text: whether the server goes on.
  bool asks(const std::string& text = "") {
    SSL_key_update(client.get(), SSL_KEY_UPDATE_REQUESTED);
    SSL_do_handshake(client.get());
    if (!text.empty()) SSL_write(client.get(), text.data(), static_cast<int>(text.size()));
    const auto heard = server.hear(sent());
    if (heard) return true;
    EXPECT_EQ(heard.what(), "it asks for new keys all the time");
    return false;
  }

  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context{SSL_CTX_new(TLS_client_method()),
                                                            SSL_CTX_free};
  std::unique_ptr<SSL, decltype(&SSL_free)> client{nullptr, SSL_free};
  BIO* const in = BIO_new(BIO_s_mem());
  BIO* const out = BIO_new(BIO_s_mem());
  TlsChannel server = channel("master", TlsChannel::End::server);
};

TEST_F(GivenAClientWhoAsksForKeys, WhenTheseAreFewThenTheChannelGoesOn) {
  ASSERT_TRUE(server.is_open());
  for (int asked = 0; asked < 32; ++asked) ASSERT_TRUE(asks("x")) << asked;
  EXPECT_TRUE(server.say("answer").ok());
}

TEST_F(GivenAClientWhoAsksForKeys, WhenItGoesOnAndOnThenTheChannelEndsAndLittleWaitsForIt) {
  ASSERT_TRUE(server.is_open());
  int asked = 0;
  while (asked < 1000 && asks()) ++asked;
  EXPECT_EQ(asked, 32);
  EXPECT_LT(server.output().size(), 4096u);
  EXPECT_FALSE(server.is_open());
}

TEST_F(GivenAClientWhoAsksForKeys, WhenItSaysMuchThenItMayHaveMore) {
  ASSERT_TRUE(server.is_open());
  for (int asked = 0; asked < 100; ++asked) ASSERT_TRUE(asks(std::string(1 << 20, 'x'))) << asked;
}
