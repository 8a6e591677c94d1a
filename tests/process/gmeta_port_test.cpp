// One connection to the port for metaschedulers, without its socket (spec/metascheduler.md section
// 2, M8.26).
#include "tools/gmeta_port/port.hpp"
#include "tests/process/two_ends.hpp"

using namespace almanac;

class GivenThePort : public GivenTwoEnds {
public:
  const std::int64_t begin = 1'000'000;
  std::int64_t now = begin;
  const LineSecret secret{"grid", Wiped(std::string(32, 's'))};
  KnownCallers callers;
  TlsContext context = *TlsContext::open_site(files("master", authority, authority));

  GivenThePort() {
    callers.by_subject.emplace("CN=n1", SiteSubject{"meta", "ann"});
    callers.by_key_id.emplace("grid", SiteSubject{"grid", ""});
    callers.secrets.push_back({secret.id, Wiped(secret.bytes.bytes())});
  }

  Talk talk() { return {context, callers, now}; }
  TlsChannel caller() const { // who shows no certificate
    return {*TlsContext::call_site({"", "", files("n1", authority, authority).authority}),
            TlsChannel::End::client};
  }
  TlsChannel caller_with_certificate(const CertificateFiles& issuer) const {
    return {*TlsContext::call_site(files("n1", issuer, authority)), TlsChannel::End::client};
  }
  // What the caller hears when both have said all they had to say.
  std::string exchange(TlsChannel& caller, Talk& talk) const {
    std::string heard;
    for (int turn = 0; turn < 10; ++turn) {
      if (const auto bytes = caller.output(); !bytes.empty()) talk.hear(bytes, now);
      const auto bytes = talk.output(0, now);
      if (bytes.empty()) continue;
      const auto text = caller.hear(bytes);
      if (text) heard += *text;
    }
    return heard;
  }
  std::string say(TlsChannel& caller, Talk& talk, const std::string& text) const {
    EXPECT_TRUE(caller.say(text).ok());
    return exchange(caller, talk);
  }
  std::string sealed(const TlsChannel& caller, const std::string& line, std::int64_t number) const {
    return sealed_line(line, secret, caller.binding(), number) + "\n";
  }
};

TEST_F(GivenThePort, WhenACallerShowsItsCertificateThenItsLinesAreOfItsSubject) {
  auto port = talk();
  auto meta = caller_with_certificate(authority);
  exchange(meta, port);
  ASSERT_TRUE(meta.is_open());
  EXPECT_TRUE(port.is_known());
  EXPECT_EQ(say(meta, port, "HELLO\r\nHELLO ID=2\n"), "");
  auto first = port.next();
  auto second = port.next();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->line + "|" + second->line, "HELLO|HELLO ID=2");
  EXPECT_EQ(first->from.name + first->from.user, "metaann");
  port.answered(second->number, {"SC=0;ID=2"}, now);
  EXPECT_EQ(exchange(meta, port), "") << "the first one is not answered";
  port.answered(first->number, {"SC=0", "SC=0;STIME=1"}, now);
  EXPECT_EQ(exchange(meta, port), "SC=0\nSC=0;STIME=1\nSC=0;ID=2\n");
}

TEST_F(GivenThePort, WhenACallerSealsItsLinesThenTheyAreOfItsKey) {
  auto port = talk();
  auto meta = caller();
  exchange(meta, port);
  ASSERT_TRUE(meta.is_open());
  EXPECT_FALSE(port.is_known()) << "not yet";
  say(meta, port, sealed(meta, "COMMIT RESID=R1", 1) + sealed(meta, "COMMIT RESID=R2", 2));
  EXPECT_TRUE(port.is_known());
  const auto first = port.next(), second = port.next();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->line + "|" + second->line, "COMMIT RESID=R1|COMMIT RESID=R2");
  EXPECT_EQ(second->from.name, "grid");
  EXPECT_FALSE(port.take_failure());
}

TEST_F(GivenThePort, WhenALineIsSentAgainThenItIsRefusedAfterAWhileAndNoMoreIsRead) {
  auto port = talk();
  auto meta = caller();
  exchange(meta, port);
  const auto line = sealed(meta, "COMMIT RESID=R1", 1);
  EXPECT_EQ(say(meta, port, line + line + sealed(meta, "COMMIT RESID=R2", 3)), "");
  EXPECT_TRUE(port.take_failure());
  EXPECT_FALSE(port.take_failure()) << "it was one";
  EXPECT_FALSE(port.wants_input());
  const auto first = port.next();
  ASSERT_TRUE(first);
  EXPECT_FALSE(port.next());
  now += 1'000;
  EXPECT_EQ(exchange(meta, port), "") << "the line before is answered first";
  port.answered(first->number, {"SC=-40"}, now);
  EXPECT_EQ(exchange(meta, port), "SC=-40\nSC=-20;MSG=not authenticated\n");
  EXPECT_TRUE(port.is_over());
}

// M8.7 M8.26
TEST_F(GivenThePort, WhenAProofIsMissingThenTheAnswerComesAfterTwoHundredMilliseconds) {
  for (const std::string line : {"HELLO\n", "\n", "HELLO;X_KEYID=grid;X_HMAC=00\n"}) {
    auto port = talk();
    auto meta = caller();
    exchange(meta, port);
    const auto asked = now;
    EXPECT_EQ(say(meta, port, line), "");
    EXPECT_EQ(port.due_ms(), asked + 200);
    now = asked + 199;
    EXPECT_EQ(exchange(meta, port), "");
    now = asked + 200;
    EXPECT_EQ(exchange(meta, port), "SC=-20;MSG=not authenticated\n");
    EXPECT_TRUE(port.is_over());
    EXPECT_GT(port.due_ms(), now) << "whoever does not take the answer keeps nobody awake";
  }
}

TEST_F(GivenThePort, WhenACertificateIsOfAnotherAuthorityThenTheHandshakeIsAFailure) {
  auto port = talk();
  auto meta = caller_with_certificate(foreign);
  exchange(meta, port);
  EXPECT_TRUE(port.is_over());
  EXPECT_TRUE(port.take_failure());
  auto other = talk();
  other.hear("GET / HTTP/1.0\r\n\r\n", now);
  EXPECT_TRUE(other.is_over());
  EXPECT_TRUE(other.take_failure());
}

TEST_F(GivenThePort, WhenASubjectIsUnknownThenItsLinesNeedASeal) {
  callers.by_subject.clear();
  auto port = talk();
  auto meta = caller_with_certificate(authority);
  exchange(meta, port);
  EXPECT_FALSE(port.is_known());
  say(meta, port, sealed(meta, "HELLO", 1) + "HELLO\n");
  EXPECT_TRUE(port.next());
  EXPECT_TRUE(port.take_failure());
}

TEST_F(GivenThePort, WhenNothingIsSaidThenTheConnectionIsOverInTime) {
  auto silent = talk();
  now = begin + 9'999;
  silent.output(0, now);
  EXPECT_FALSE(silent.is_over());
  now = begin + 10'000;
  silent.output(0, now);
  EXPECT_TRUE(silent.is_over());

  auto port = talk();
  auto meta = caller_with_certificate(authority);
  exchange(meta, port);
  now += 59'999;
  say(meta, port, "HELLO"); // half a line is none
  EXPECT_FALSE(port.is_over());
  now += 1;
  exchange(meta, port);
  EXPECT_TRUE(port.is_over());
}

TEST_F(GivenThePort, WhenTheMasterTakesItsTimeThenThatIsNotIdle) {
  auto port = talk();
  auto meta = caller_with_certificate(authority);
  exchange(meta, port);
  say(meta, port, "HELLO\n");
  const auto question = port.next();
  now += 100'000;
  exchange(meta, port);
  EXPECT_FALSE(port.is_over());
  port.answered(question->number, {"SC=0"}, now);
  EXPECT_EQ(exchange(meta, port), "SC=0\n");
  EXPECT_FALSE(port.is_over());
}

TEST_F(GivenThePort, WhenMuchIsSaidThenItIsReadBitByBit) {
  auto port = talk();
  auto meta = caller_with_certificate(authority);
  exchange(meta, port);
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "HELLO ID=" + std::to_string(i) + "\n";
  say(meta, port, lines);
  EXPECT_FALSE(port.wants_input()) << "64 lines wait";
  std::string heard;
  int asked = 0;
  while (const auto question = port.next()) {
    ++asked;
    port.answered(question->number, {question->line}, now);
    heard += exchange(meta, port);
  }
  EXPECT_EQ(asked, 100);
  EXPECT_EQ(heard, lines);
  EXPECT_TRUE(port.wants_input());
}

TEST_F(GivenThePort, WhenALineIsTooLongThenItIsARefusalAndTheNextOneCounts) {
  auto port = talk();
  auto meta = caller_with_certificate(authority);
  exchange(meta, port);
  say(meta, port, "QUERY " + std::string(200'000, ';') + "\nHELLO\n");
  const auto first = port.next();
  ASSERT_TRUE(first);
  EXPECT_GT(first->line.size(), longest_site_line) << "whoever reads it sees that";
  EXPECT_LT(first->line.size(), longest_site_line + 1'000);
  port.answered(first->number, {"SC=-10"}, now);
  exchange(meta, port);
  const auto second = port.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->line, "HELLO");
}

// M8.24
TEST_F(GivenThePort, WhenItShutsDownThenWhatWasNotAskedIsToldSo) {
  auto port = talk();
  auto meta = caller_with_certificate(authority);
  exchange(meta, port);
  say(meta, port, "HELLO\nSTATUS RESID=1\n");
  const auto first = port.next();
  ASSERT_TRUE(first);
  port.shut_down();
  EXPECT_EQ(exchange(meta, port), "");
  port.answered(first->number, {"SC=0"}, now);
  EXPECT_EQ(exchange(meta, port), "SC=0\nSC=-62;MSG=shutting down\n");
  EXPECT_TRUE(port.is_over());
}

TEST(GivenAnAddress, WhenItIsCountedThenANetworkOfIpv6IsOne) {
  EXPECT_EQ(account_of_address("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(account_of_address("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(account_of_address("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(account_of_address("2001:db8:1:2::9"), "2001:db8:1:2::/64");
  EXPECT_EQ(account_of_address("fe80::1%eth0"), "fe80::/64");
}

namespace {

const std::string usual = "port = 7467\ncertificate = \"c.pem\"\nkey = \"/k/c.key\"\n";

std::string problem_of(const std::string& text) {
  const auto settings = parse_port_settings(text, "/etc/almanac");
  return settings ? "" : settings.what();
}

} // namespace

TEST(GivenSettingsOfThePort, WhenTheyAreCompleteThenTheyAreRead) {
  const auto settings = parse_port_settings(
      usual + "client_authority = \"ca.pem\"\nuser = \"gate\"\naddress = \"::1\"\nconnections = 9\n"
              "[[caller]]\nname = \"one\"\nsubject = \"CN=a,O=b\"\nuser = \"ann\"\n"
              "[[caller]]\nname = \"two\"\nsecret = \"two.secret\"\n",
      "/etc/almanac");
  ASSERT_TRUE(settings) << settings.what();
  EXPECT_EQ(settings->files.certificate + " " + settings->files.key, "/etc/almanac/c.pem /k/c.key");
  EXPECT_EQ(settings->user + settings->address, "gate::1");
  EXPECT_EQ(settings->connections, 9u);
  ASSERT_EQ(settings->callers.size(), 2u);
  EXPECT_EQ(settings->callers[1].secret_file, "/etc/almanac/two.secret");
}

TEST(GivenSettingsOfThePort, WhenSomethingIsWrongThenTheErrorSaysWhatAndWhere) {
  const std::string one = "[[caller]]\nname = \"one\"\n";
  EXPECT_EQ(problem_of("certificate = \"c\"\n"), "port is missing");
  EXPECT_EQ(problem_of("port = 1\n"),
            "certificate and key are missing: those of this site, for its port");
  EXPECT_EQ(problem_of(usual), "no [[caller]] is there: nobody could send a line");
  const auto starts = [&](const std::string& more, const std::string& begin) {
    const auto problem = problem_of(usual + more);
    EXPECT_EQ(problem.substr(0, begin.size()), begin) << more;
  };
  starts("prot = 1\n", "line 4: prot: it is not a setting");
  starts("port = 2\n", "line 4: ");
  starts("at_once = 0\n", "line 4: at_once: a number from 1 to 128 is expected");
  starts("address = \"a b\"\n", "line 4: address: an address");
  starts(one, "line 4: caller: a caller has a subject or a secret");
  starts(one + "subject = \"CN=a\"\n", "line 4: caller: a subject needs client_authority");
  starts(one + "secret = \"a\"\nsubject = \"CN=a\"\n", "line 4: caller: a caller has a subject or");
  starts(one + "secret = \"a\"\n" + one + "secret = \"b\"\n",
         "line 7: caller: two callers have this name");
  starts("[[caller]]\nname = \"o-e\"\nsecret = \"a\"\n", "line 4: caller: a caller needs a name");
  starts("[[caller]]\nname = \"one\"\nsecert = \"a\"\n",
         "line 6: caller: \"secert\" is not a setting");
  starts("caller = 5\n", "line 4: caller: each caller is a table");
}
