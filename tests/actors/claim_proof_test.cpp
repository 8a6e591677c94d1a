// What keys of reservations are made of is OpenSSL's, and gives what the RFCs say
// (spec/metascheduler.md M6.15).
#include "actors/trust/claim_proof.hpp"
#include "actors/trust/keyring.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

std::string bytes(std::string_view digits) { return *from_hex(digits); }

} // namespace

// FIPS 180-4 and RFC 4231, test case 1
TEST(GivenBytes, WhenADigestOrAMacIsTakenThenItIsThatOfTheStandard) {
  EXPECT_EQ(digest_of("abc"),
            bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  EXPECT_EQ(hmac_of(std::string(20, '\x0b'), "Hi There"),
            bytes("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"));
}

// RFC 8032, test 1
TEST(GivenASignature, WhenItIsOfAnotherProgramThenItCounts) {
  const auto key = bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  auto signature = bytes("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb88215"
                         "90a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
  const auto signer =
      SigningKey::parse("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
  EXPECT_EQ(signer->public_key(), key);
  EXPECT_EQ(signer->sign(""), signature);
  EXPECT_TRUE(verify_signature(key, "", signature));
  EXPECT_FALSE(verify_signature(key, "x", signature));
  signature.back() = static_cast<char>(signature.back() ^ 1);
  EXPECT_FALSE(verify_signature(key, "", signature));
}

TEST(GivenTwoTexts, WhenTheyAreComparedThenEachByteAndTheLengthCount) {
  EXPECT_TRUE(same_bytes("", ""));
  EXPECT_TRUE(same_bytes(bytes("00ff"), bytes("00ff")));
  EXPECT_FALSE(same_bytes(bytes("00ff"), bytes("00fe")));
  EXPECT_FALSE(same_bytes(bytes("00ff"), bytes("00ff00")));
}

// M1.11: unique
TEST(GivenRandomBytes, WhenTheyAreDrawnThenTheyAreOthersEachTime) {
  EXPECT_EQ(random_bytes(32).size(), 32u);
  EXPECT_NE(random_bytes(32), random_bytes(32));
}
