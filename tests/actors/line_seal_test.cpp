// Lines that show who sends them (spec/metascheduler.md M2.7).
#include "actors/trust/line_seal.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

LineSecret secret_of(const std::string& id, std::size_t size, char byte) {
  return {id, Wiped(std::string(size, byte))};
}

const auto secrets = [] {
  std::vector<LineSecret> result;
  result.push_back(secret_of("one", 32, 'a'));
  result.push_back(secret_of("two", 40, 'b'));
  return result;
}();
const std::string here(32, '\x01'), elsewhere(32, '\x02');
const std::string line = "SETRES USER=ann;TIMENEEDED=1H;STARTTIME=NOW";

std::string opened(std::string_view sealed, std::string_view binding = here,
                   std::int64_t number = 1) {
  const auto found = opened_line(sealed, secrets, binding, number);
  return found ? found->key_id + ": " + found->line : "";
}

} // namespace

TEST(GivenASealedLine, WhenItIsOfThisConnectionAndNumberThenItIsOpened) {
  for (const auto& secret : secrets)
    EXPECT_EQ(opened(sealed_line(line, secret, here, 1)), secret.id + ": " + line);
  EXPECT_EQ(opened(sealed_line("", secrets[0], here, 1)), "one: ");
  const auto positional = sealed_line("QUERY ann 3600S NODES=4", secrets[0], here, 7);
  EXPECT_EQ(opened(positional, here, 7), "one: QUERY ann 3600S NODES=4");
  EXPECT_LE(positional.size() - 23, longest_seal);
}

TEST(GivenASealedLine, WhenItIsSentAgainThenItIsNot) {
  const auto sealed = sealed_line(line, secrets[0], here, 1);
  EXPECT_EQ(opened(sealed, here, 2), "") << "in the same connection";
  EXPECT_EQ(opened(sealed, elsewhere, 1), "") << "in another one";
}

TEST(GivenASealedLine, WhenAnyByteIsAnotherThenItIsNot) {
  const auto sealed = sealed_line(line, secrets[0], here, 1);
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    auto changed = sealed;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_EQ(opened(changed), "") << at;
  }
  for (std::size_t length = 0; length < sealed.size(); ++length)
    EXPECT_EQ(opened(sealed.substr(0, length)), "") << length;
  EXPECT_EQ(opened(sealed + "0"), "");
}

TEST(GivenASealedLine, WhenTheSecretIsUnknownThenItIsNot) {
  EXPECT_EQ(opened(sealed_line(line, secret_of("three", 32, 'a'), here, 1)), "");
  EXPECT_EQ(opened(sealed_line(line, secret_of("", 32, '\0'), here, 1)), "");
  EXPECT_EQ(opened(sealed_line(line, secret_of("two", 32, 'a'), here, 1)), "");
  EXPECT_EQ(opened(line), "") << "no seal at all";
  EXPECT_EQ(opened(";X_HMAC=;X_KEYID="), "");
}
