// almanac-coallocate at a port with TLS: who the site is, who calls, and how a line shows it.
#include "tests/process/two_ends.hpp"
#include "actors/trust/line_seal.hpp"
#include "tools/coallocate/name_lookup.hpp"
#include "tools/coallocate/plan_file.hpp"
#include "tools/coallocate/site_way.hpp"
#include "tools/coallocate/tls_site.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <future>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

using namespace almanac;

namespace {

// A port that answers each line with "SC=0;SAID=<length>", and remembers the lines.
class SitePort {
public:
  enum class Caller { shows_a_certificate, shows_none };

  SitePort(const TlsFiles& files, Caller caller)
      : context_(SSL_CTX_new(TLS_server_method())),
        listening_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
    SSL_CTX_use_certificate_chain_file(context_, files.certificate.c_str());
    SSL_CTX_use_PrivateKey_file(context_, files.key.c_str(), SSL_FILETYPE_PEM);
    if (caller == Caller::shows_a_certificate) {
      SSL_CTX_load_verify_locations(context_, files.authority.c_str(), nullptr);
      SSL_CTX_set_verify(context_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    }
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    ::bind(listening_, reinterpret_cast<sockaddr*>(&here), size);
    ::listen(listening_, 1);
    ::getsockname(listening_, reinterpret_cast<sockaddr*>(&here), &size);
    port = ntohs(here.sin_port);
  }
  ~SitePort() {
    SSL_free(channel_);
    SSL_CTX_free(context_);
    ::close(socket_);
    ::close(listening_);
  }
  SitePort(const SitePort&) = delete;
  SitePort& operator=(const SitePort&) = delete;

  void work() {
    if (!channel_) {
      socket_ = ::accept4(listening_, nullptr, nullptr, SOCK_NONBLOCK);
      if (socket_ < 0) return;
      channel_ = SSL_new(context_);
      SSL_set_fd(channel_, socket_);
      SSL_set_accept_state(channel_);
    }
    char bytes[4096];
    const int count = SSL_read(channel_, bytes, sizeof bytes);
    if (count <= 0) return;
    lines.emplace_back(bytes, static_cast<std::size_t>(count - 1)); // without its end
    binding.resize(32);
    SSL_export_keying_material(channel_, reinterpret_cast<unsigned char*>(binding.data()), 32,
                               "EXPORTER-almanac-gmeta", 22, nullptr, 0, 0);
    const auto answer = "SC=0;SAID=" + std::to_string(count) + "\n";
    SSL_write(channel_, answer.data(), static_cast<int>(answer.size()));
  }

  // Sends a line, and resets the connection, since it leaves unread what the caller has sent.
  void say_and_break(const std::string& line) {
    SSL_write(channel_, (line + "\n").data(), static_cast<int>(line.size() + 1));
    ::close(std::exchange(socket_, -1));
  }

  std::uint16_t port = 0;
  std::vector<std::string> lines;
  std::string binding;

private:
  SSL_CTX* context_;
  SSL* channel_ = nullptr;
  int listening_, socket_ = -1;
};

class GivenASiteWithAPort : public GivenTwoEnds {
public:
  SitePlace place_of(const SitePort& port, const CertificateFiles& trusted) {
    SitePlace place;
    place.name = "beta", place.host = "127.0.0.1", place.port = port.port;
    place.authority = folder + "/trusted.pem";
    EXPECT_TRUE(write_file(place.authority, trusted.certificate, 0600).ok());
    return place;
  }
  void give_certificate(SitePlace& place, const CertificateFiles& issuer) const {
    const auto own = files("caller", issuer, authority);
    place.certificate = own.certificate, place.key = own.key;
  }
  void give_secret(SitePlace& place) const {
    place.key_id = "ann", place.secret_file = folder + "/secret";
    EXPECT_TRUE(write_file(place.secret_file, secret.bytes.bytes() + "\n", 0600).ok());
  }
  static Result<std::string> ask(SiteWay& way, SitePort& port, const std::string& line) {
    way.send(line);
    for (int i = 0; i < 500; ++i) {
      auto descriptors = way.waits_for();
      ::poll(descriptors.data(), descriptors.size(), 10);
      auto lines = way.work();
      if (!lines) return lines.error();
      if (!lines->empty()) return lines->front();
      port.work();
    }
    return Error{"nothing came"};
  }

  const LineSecret secret{"ann", Wiped(std::string(40, 's'))};
};

} // namespace

// M2.6
TEST_F(GivenASiteWithAPort, WhenTheCallerShowsACertificateThenLinesGoThereAsTheyAre) {
  SitePort port(files("master", authority, authority), SitePort::Caller::shows_a_certificate);
  auto place = place_of(port, authority);
  give_certificate(place, authority);
  const auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  const auto answer = ask(**way, port, "HELLO USER=ann");
  ASSERT_TRUE(answer.ok()) << answer.what();
  EXPECT_EQ(*answer, "SC=0;SAID=15");
  EXPECT_EQ(port.lines, std::vector<std::string>{"HELLO USER=ann"});
}

TEST_F(GivenASiteWithAPort, WhenItsHostHasANameThenThatIsLookedUpWhileOthersAreServed) {
  SitePort port(files("master", authority, authority), SitePort::Caller::shows_none);
  auto place = place_of(port, authority);
  place.host = "localhost";
  give_secret(place);
  std::promise<void> speaks;
  const auto silence = speaks.get_future().share();
  const auto way = open_tls_site(place, [silence, number = port.port] {
    silence.wait_for(std::chrono::seconds(60)); // whoever waited for it would go on, and be seen
    return look_up("127.0.0.1", std::to_string(number));
  });
  ASSERT_TRUE(way.ok()) << way.what();
  for (int i = 0; i < 3; ++i) {
    auto descriptors = (*way)->waits_for();
    ASSERT_EQ(::poll(descriptors.data(), descriptors.size(), 50), 0) << "nothing has happened yet";
    const auto lines = (*way)->work();
    ASSERT_TRUE(lines.ok()) << lines.what();
    ASSERT_TRUE(lines->empty());
  }
  speaks.set_value();
  const auto answer = ask(**way, port, "HELLO USER=ann");
  ASSERT_TRUE(answer.ok()) << answer.what();
}

namespace {

bool rings(const NameLookup& lookup, int wait_ms) {
  pollfd bell{lookup.descriptor(), POLLIN, 0};
  return ::poll(&bell, 1, wait_ms) == 1;
}

} // namespace

TEST(GivenANameToLookUp, WhenTheNameServerIsSilentThenNobodyWaitsForIt) {
  std::promise<void> speaks;
  const auto silence = speaks.get_future().share();
  const auto lookup = NameLookup::begin("silent", [silence] {
    silence.wait();
    return look_up("127.0.0.1", "7467");
  });
  ASSERT_TRUE(lookup.ok()) << lookup.what();
  EXPECT_FALSE(rings(*lookup, 0));
  EXPECT_FALSE(lookup->outcome());
  speaks.set_value();
  ASSERT_TRUE(rings(*lookup, 60'000));
  const auto found = lookup->outcome();
  ASSERT_TRUE(found && found->ok());
  EXPECT_EQ((**found)->ai_family, AF_INET);
}

// A site whose name server hangs is tried again and again.
TEST(GivenANameToLookUp, WhenItIsAskedForAgainMeanwhileThenOneThreadAnswersAll) {
  std::promise<void> speaks;
  std::atomic<int> asked = 0;
  const auto silence = speaks.get_future().share();
  const auto resolve = [silence, &asked] {
    ++asked;
    silence.wait();
    return look_up("127.0.0.1", "7467");
  };
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(NameLookup::begin("hanging", resolve).ok()) << "one that is given up";
  const auto one = NameLookup::begin("hanging", resolve);
  const auto two = NameLookup::begin("hanging", resolve);
  ASSERT_TRUE(one.ok() && two.ok());
  speaks.set_value();
  for (const auto* each : {&*one, &*two}) {
    ASSERT_TRUE(rings(*each, 60'000));
    const auto found = each->outcome();
    EXPECT_TRUE(found && found->ok() && **found);
  }
  EXPECT_EQ(asked, 1);
  const auto later = NameLookup::begin("hanging", resolve);
  ASSERT_TRUE(later.ok() && rings(*later, 60'000));
  EXPECT_EQ(asked, 2) << "an outcome is not kept: addresses change";
}

TEST(GivenANameToLookUp, WhenThereIsNoSuchHostThenTheOutcomeSaysSo) {
  const auto lookup =
      NameLookup::begin("nowhere", []() -> Result<Addresses> { return Error{"nowhere"}; });
  ASSERT_TRUE(lookup.ok()) << lookup.what();
  ASSERT_TRUE(rings(*lookup, 60'000));
  const auto found = lookup->outcome();
  ASSERT_TRUE(found && !found->ok());
  EXPECT_EQ(found->what(), "nowhere");
  EXPECT_FALSE(look_up("localhost", "1", AI_NUMERICHOST)) << "a name";
  EXPECT_FALSE(look_up("", "1")) << "no name";
}

// M2.7
TEST_F(GivenASiteWithAPort, WhenTheCallerHasASecretThenEachLineIsSealed) {
  SitePort port(files("master", authority, authority), SitePort::Caller::shows_none);
  auto place = place_of(port, authority);
  give_secret(place);
  const auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  ASSERT_TRUE(ask(**way, port, "HELLO USER=ann").ok());
  ASSERT_TRUE(ask(**way, port, "HELLO USER=ann").ok());
  EXPECT_EQ(port.lines, (std::vector{sealed_line("HELLO USER=ann", secret, port.binding, 1),
                                     sealed_line("HELLO USER=ann", secret, port.binding, 2)}));
}

// Whoever waits for the way works on it only when poll() says so.
TEST_F(GivenASiteWithAPort, WhenTheWayIsOpenThenItAsksToSendTheNextLine) {
  SitePort port(files("master", authority, authority), SitePort::Caller::shows_none);
  auto place = place_of(port, authority);
  give_secret(place);
  const auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  ASSERT_TRUE(ask(**way, port, "HELLO USER=ann").ok());
  EXPECT_EQ((*way)->waits_for().front().events, POLLIN);
  (*way)->send("HELLO USER=ann");
  EXPECT_EQ((*way)->waits_for().front().events, POLLIN | POLLOUT);
  ASSERT_TRUE((*way)->work().ok());
  EXPECT_EQ((*way)->waits_for().front().events, POLLIN) << "it was sent";
}

// An answer that has come counts, also where the connection broke right after it.
TEST_F(GivenASiteWithAPort, WhenNothingMoreCanBeSentThenWhatHasComeIsHeardFirst) {
  SitePort port(files("master", authority, authority), SitePort::Caller::shows_none);
  auto place = place_of(port, authority);
  give_secret(place);
  const auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  ASSERT_TRUE(ask(**way, port, "HELLO USER=ann").ok());
  (*way)->send("COMMIT RESID=R1"); // which nobody reads
  ASSERT_TRUE((*way)->work().ok());
  port.say_and_break("SC=0;STATE=COMMITTED");
  (*way)->send("COMMIT RESID=R1");
  const auto lines = (*way)->work();
  ASSERT_TRUE(lines.ok()) << lines.what();
  EXPECT_EQ(*lines, std::vector<std::string>{"SC=0;STATE=COMMITTED"});
  auto descriptors = (*way)->waits_for();
  EXPECT_EQ(::poll(descriptors.data(), descriptors.size(), 1'000), 1);
  EXPECT_FALSE((*way)->work().ok());
}

TEST_F(GivenASiteWithAPort, WhenTheSiteIsOfAnotherAuthorityThenItHearsNothing) {
  SitePort port(files("master", foreign, foreign), SitePort::Caller::shows_none);
  auto place = place_of(port, authority);
  give_secret(place);
  const auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  EXPECT_FALSE(ask(**way, port, "HELLO USER=ann").ok());
  EXPECT_TRUE(port.lines.empty());
}

// An agent of the cell has a certificate of the same authority.
TEST_F(GivenASiteWithAPort, WhenItsCertificateIsAnAgentsThenItHearsNothing) {
  SitePort port(files("n1", authority, authority), SitePort::Caller::shows_none);
  auto place = place_of(port, authority);
  give_secret(place);
  const auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  const auto answer = ask(**way, port, "HELLO USER=ann");
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.what().find("not for"), std::string::npos) << answer.what();
  EXPECT_TRUE(port.lines.empty());
}

TEST_F(GivenASiteWithAPort, WhenTheSiteDoesNotTakeTheCallersCertificateThenTheWayEnds) {
  SitePort port(files("master", authority, authority), SitePort::Caller::shows_a_certificate);
  auto place = place_of(port, authority);
  give_certificate(place, foreign);
  const auto way = open_way(place);
  ASSERT_TRUE(way.ok()) << way.what();
  EXPECT_FALSE(ask(**way, port, "HELLO USER=ann").ok());
  EXPECT_TRUE(port.lines.empty());
}

TEST_F(GivenASiteWithAPort, WhenNobodyListensThereThenTheWayEnds) {
  SitePlace place;
  {
    const SitePort port(files("master", authority, authority), SitePort::Caller::shows_none);
    place = place_of(port, authority);
  }
  give_secret(place);
  const auto way = open_way(place);
  if (!way.ok()) return; // refused at once
  for (int i = 0; i < 100; ++i) {
    auto descriptors = (*way)->waits_for();
    ::poll(descriptors.data(), descriptors.size(), 10);
    if (!(*way)->work()) return;
  }
  FAIL() << "it still waits";
}
