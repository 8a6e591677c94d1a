#include "tools/client/door_channel.hpp"

#include "tests/process/two_ends.hpp"
#include "tools/client/client.hpp"

#include <openssl/ssl.h>

using namespace almanac;

namespace {

// A master's end of a TCP door, and what a command has to call it with: its module, as it is
// installed.
class GivenATcpDoor : public GivenTwoEnds {
public:
  const std::string doors_pem = [this] {
    const auto path = folder + "/doors.pem";
    EXPECT_TRUE(write_file(path, authority.certificate, 0644).ok());
    return path;
  }();

  TlsChannel door_of(const std::string& name, const CertificateFiles& issuer) const {
    return {*TlsContext::open_door(files(name, issuer, authority)), TlsChannel::End::server};
  }
  const std::string module =
      tls_module_beside(std::filesystem::read_symlink("/proc/self/exe").string());
  std::unique_ptr<DoorChannel> caller() const {
    return std::move(*open_door_channel(module, doors_pem));
  }

  // Why a command says nothing to this far end; "" where it would.
  std::string refusal(TlsChannel far) const {
    const auto client = caller();
    for (int turn = 0; turn < 5 && !client->is_open(); ++turn) {
      static_cast<void>(far.hear(client->output()));
      const auto heard = client->hear(far.output());
      if (!heard) {
        EXPECT_FALSE(client->say("a request").ok());
        return heard.what();
      }
    }
    return client->is_open() ? "" : "it waits";
  }
};

} // namespace

TEST_F(GivenATcpDoor, WhenTheMasterIsThereThenTheyTalkAndHaveTheSameBinding) {
  auto master = door_of("master", authority);
  const auto client = caller();
  ASSERT_TRUE(shake(*client, master));
  EXPECT_TRUE(master.speaks_frames());
  EXPECT_EQ(client->binding(), master.binding());
  EXPECT_EQ(client->binding().size(), 32u);
  const std::string request(100'000, 'x');
  ASSERT_TRUE(client->say(request).ok());
  const auto bytes = client->output();
  EXPECT_EQ(bytes.find("xxxxxxxx"), std::string::npos);
  EXPECT_EQ(*master.hear(bytes), request);
  ASSERT_TRUE(master.say("answer").ok());
  EXPECT_EQ(*client->hear(master.output()), "answer");
}

TEST_F(GivenATcpDoor, WhenItIsCalledAgainThenTheBindingIsAnother) {
  auto master = door_of("master", authority), anew = door_of("master", authority);
  const auto client = caller(), again = caller();
  ASSERT_TRUE(shake(*client, master) && shake(*again, anew));
  EXPECT_NE(client->binding(), again->binding());
}

TEST_F(GivenATcpDoor, WhenTheFarEndHasACertificateOfAnotherAuthorityThenTheCommandSaysNothing) {
  EXPECT_EQ(refusal(door_of("master", authority)), "");
  const auto why = refusal(door_of("master", foreign));
  EXPECT_NE(why.find("certificate verify failed"), std::string::npos) << why;
}

TEST_F(GivenATcpDoor, WhenTheFarEndHasTheCertificateOfAnAgentThenTheCommandSaysNothing) {
  EXPECT_EQ(refusal(door_of("n1", authority)),
            "the certificate of \"n1\" is for an agent, not for the master");
}

// The link of the master wants a certificate, and means something else.
TEST_F(GivenATcpDoor, WhenTheFarEndIsALinkThenNeitherTakesTheOther) {
  auto link = channel("master", TlsChannel::End::server);
  const auto client = caller();
  EXPECT_FALSE(shake(*client, link));
  EXPECT_FALSE(link.is_open() || client->is_open());

  auto agent = channel("n1", TlsChannel::End::client);
  auto door = door_of("master", authority);
  EXPECT_FALSE(shake(agent, door));
  EXPECT_FALSE(agent.is_open() || door.is_open());
}

TEST_F(GivenATcpDoor, WhenTheFarEndSpeaksNoTlsThenTheCommandSaysNothing) {
  const auto client = caller();
  EXPECT_FALSE(client->output().empty());
  const auto heard = client->hear(std::string("\x00\x00\x00\x08answered", 12));
  ASSERT_FALSE(heard.ok());
  EXPECT_EQ(heard.what(), "it does not speak TLS");
  EXPECT_FALSE(client->say("a request").ok());
}

TEST_F(GivenATcpDoor, WhenTheAuthorityIsNotThereThenTheErrorSaysWhatToCopy) {
  const auto missing = open_door_channel(module, folder + "/nosuch.pem");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.what().find("/nosuch.pem"), std::string::npos);
  EXPECT_NE(missing.what().find("copy doors.pem"), std::string::npos);
  ASSERT_TRUE(write_file(doors_pem, "tcp master:1\n", 0644).ok());
  const auto wrong = open_door_channel(module, doors_pem);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.what().find("is not the certificate of a cell"), std::string::npos);
  EXPECT_NE(wrong.what().find("copy doors.pem"), std::string::npos);
}

namespace {

// One end of OpenSSL itself at the door: what is spoken at most, and what it says of protocols.
class GivenAStranger : public GivenATcpDoor {
public:
  // What the master's end makes of it: whether the channel opens, and whether it means this door.
  std::pair<bool, bool> calls(int version, std::string_view protocols) const {
    const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
    SSL_CTX_set_max_proto_version(context.get(), version);
    if (!protocols.empty())
      SSL_CTX_set_alpn_protos(context.get(),
                              reinterpret_cast<const unsigned char*>(protocols.data()),
                              static_cast<unsigned>(protocols.size()));
    const std::shared_ptr<SSL> client(SSL_new(context.get()), SSL_free);
    auto* const in = BIO_new(BIO_s_mem());
    auto* const out = BIO_new(BIO_s_mem());
    SSL_set_bio(client.get(), in, out);
    SSL_set_connect_state(client.get());
    auto door = door_of("master", authority);
    for (int turn = 0; turn < 5; ++turn) {
      SSL_do_handshake(client.get());
      char bytes[1 << 14];
      const int count = BIO_read(out, bytes, sizeof bytes);
      if (count > 0 && !door.hear({bytes, static_cast<std::size_t>(count)})) return {false, false};
      const auto answer = door.output();
      BIO_write(in, answer.data(), static_cast<int>(answer.size()));
    }
    EXPECT_EQ(SSL_session_reused(client.get()), 0);
    EXPECT_EQ(SSL_SESSION_is_resumable(SSL_get0_session(client.get())), 0);
    return {door.is_open(), door.is_open() && door.speaks_frames()};
  }
};

} // namespace

TEST_F(GivenAStranger, WhenItMeansThisDoorThenItNeedsNoCertificate) {
  EXPECT_EQ(calls(TLS1_3_VERSION, "\x0e"
                                  "almanac-door-1"),
            std::pair(true, true));
}
TEST_F(GivenAStranger, WhenItSpeaksTls12OnlyThenItIsRefused) {
  EXPECT_EQ(calls(TLS1_2_VERSION, "\x0e"
                                  "almanac-door-1"),
            std::pair(false, false));
}
TEST_F(GivenAStranger, WhenItMeansALinkThenItIsRefused) {
  EXPECT_EQ(calls(TLS1_3_VERSION, "\x09"
                                  "almanac-2"),
            std::pair(false, false));
}
TEST_F(GivenAStranger, WhenItDoesNotSayWhatItMeansThenThatIsSeen) {
  EXPECT_EQ(calls(TLS1_3_VERSION, ""), std::pair(true, false));
}
