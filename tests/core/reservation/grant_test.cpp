// The text of a key, the file that it lies in, and what is proved with it (spec/metascheduler.md section 6).
#include "core/reservation/grant.hpp"
#include "core/text/base64url.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

KeyText some_key(bool with_secret) {
  return {std::string(64, 'g'), std::string(64, 's'),
          with_secret ? std::string(32, 'x') : std::string()};
}

} // namespace

TEST(GivenBytes, WhenWrittenAsBase64urlThenTheyReadBackAndNoOtherTextIsTaken) {
  std::string bytes;
  for (int i = 0; i < 70; ++i) {
    const auto text = print_base64url(bytes);
    const auto read = parse_base64url(text);
    ASSERT_TRUE(read.ok()) << text;
    EXPECT_EQ(*read, bytes);
    bytes += static_cast<char>(i * 37);
  }
  EXPECT_EQ(print_base64url("\xff\xef"), "_-8");
  for (const auto* text : {"A", "AA==", "_-9", "AB", "A A", "A+B/", "AAAA\n"})
    EXPECT_FALSE(parse_base64url(text).ok()) << text;
}

// M6.3
TEST(GivenAKey, WhenPrintedThenItReadsBackWithAndWithoutItsSecret) {
  for (const bool with_secret : {true, false}) {
    const auto text = print_key(some_key(with_secret));
    EXPECT_EQ(text.substr(0, 3), "v1.");
    const auto read = parse_key(text);
    ASSERT_TRUE(read.ok()) << read.what();
    EXPECT_EQ(print_key(*read), text);
    EXPECT_EQ(read->secret.empty(), !with_secret);
  }
}

TEST(GivenAKey, WhenItIsCutLongerOrOfAnotherVersionThenItIsRefusedWithoutShowingIt) {
  const auto text = print_key(some_key(true));
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto read = parse_key(text.substr(0, length));
    // What is left without its last part is a key without a secret.
    if (read.ok()) EXPECT_EQ(length, text.rfind('.'));
    else EXPECT_EQ(read.what().find(text.substr(60, 20)), std::string::npos);
  }
  for (const auto& bad : {"v2" + text.substr(2), text + ".AAAA", text + "A", " " + text,
                          std::string(1 << 20, '.'), std::string("v1...")})
    EXPECT_FALSE(parse_key(bad).ok());
}

TEST(GivenAFileWithAKey, WhenItIsAnAnswerOfGmetaThenTheKeyInItIsFound) {
  const auto text = print_key(some_key(true));
  const auto alone = parse_key_file(text + "\n");
  ASSERT_TRUE(alone.ok()) << alone.what();
  EXPECT_EQ(print_key(alone->key), text);
  const auto answer = parse_key_file("SC=0;SETRES=1;RESID=R14;RESKEY=" + text + ";HOLDUNTIL=5\r\n");
  ASSERT_TRUE(answer.ok()) << answer.what();
  EXPECT_EQ(print_key(answer->key), text);
  const auto positional = parse_key_file("SETRES 1 " + text + " info\n");
  ASSERT_TRUE(positional.ok());
}

TEST(GivenAFileWithAKey, WhenItHasAPrivateKeyThenThatIsReadAndTwoOfAKindAreRefused) {
  const auto text = print_key(some_key(false));
  const auto line = "privkey=" + print_base64url(std::string(32, 'p')) + "\n";
  const auto both = parse_key_file("# of R14\n" + text + "\n" + line);
  ASSERT_TRUE(both.ok()) << both.what();
  EXPECT_EQ(both->private_key, std::string(32, 'p'));
  for (const auto& bad : {std::string(), line, text + "\n" + text, text + "\n" + line + line,
                          text + "\nprivkey=AAAA\n", "# " + text + "\n"})
    EXPECT_FALSE(parse_key_file(bad).ok()) << bad;
}

// M6.7
TEST(GivenAClaim, WhenAnythingOfItIsAnotherThenOtherBytesAreProved) {
  const ClaimedUse use{std::string(32, 'n'), "cell/store", {7}, {70}, std::string(32, 'd')};
  const auto text = claim_text(use);
  EXPECT_EQ(text.substr(0, 14), "gmeta-claim-v1");
  EXPECT_EQ(text.size(), 14 + 32 + 11 + 8 + 8 + 32u);
  auto other = use;
  other.nonce[31] = 'm';
  EXPECT_NE(claim_text(other), text);
  other = use, other.site = "cell/other"; // M6.12
  EXPECT_NE(claim_text(other), text);
  other = use, other.number = {8};
  EXPECT_NE(claim_text(other), text);
  other = use, other.incarnation = {71}; // M6.13
  EXPECT_NE(claim_text(other), text);
  other = use, other.digest[0] = 'e'; // M6.10
  EXPECT_NE(claim_text(other), text);
}
