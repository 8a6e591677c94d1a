// Orders get their warrants: numbered, with the nonce that the helper named last, and signed.
#include "actors/master/warrant_signer.hpp"
#include "schema/warrant.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenAWarrantSigner : public ::testing::Test {
public:
  const Identity identity{"test", "master", session::Role::master, SigningKey::generate(), "",
                          "",     ""};
  std::shared_ptr<std::atomic<std::int64_t>> count =
      std::make_shared<std::atomic<std::int64_t>>(41);
  WarrantSigner signer{{&identity, "store", 7, count}, "h1"};

  static session::Launch order_for(const std::string& host) {
    session::Launch order;
    order.attempt = {3, 0, 1};
    order.job.tasks.resize(1);
    order.job.tasks.front().grants = {{{"all.q", host}, 1}};
    order.parts.push_back({host, {"all.q", host}, 1, "", "/tmp", {}});
    return order;
  }
  session::Launch sign(const session::Launch& order) const {
    return std::get<session::Launch>(signer.sign(order));
  }
  static bool has(const session::Launch& order, const std::string& line) {
    return order.warrant.content.find(line) != std::string::npos;
  }
};

} // namespace

TEST_F(GivenAWarrantSigner, WhenTheAgentNamesNoNonceThenItsOrdersHaveNoWarrant) {
  signer.take(session::Register{});
  EXPECT_TRUE(sign(order_for("h1")).warrant.content.empty());
  EXPECT_TRUE(sign(order_for("elsewhere")).warrant.content.empty()) << "nobody looks";
  EXPECT_EQ(*count, 41);
}

TEST_F(GivenAWarrantSigner, WhenAnOrderIsSignedTwiceThenEachWarrantHasANumberOfItsOwn) {
  signer.take(session::Register{HostFacts(), {}, {"nonce"}, warrant_version});
  const auto first = sign(order_for("h1")), second = sign(order_for("h1"));
  EXPECT_EQ(*count, 43);
  EXPECT_NE(first.warrant.content, second.warrant.content);
  for (const auto& order : {first, second})
    EXPECT_TRUE(verify_signature(identity.key.public_key(), warrant_label + order.warrant.content,
                                 order.warrant_signature.content));
}

TEST_F(GivenAWarrantSigner, WhenTheAgentRenewsWithANonceThenThatOneCountsUntilTheNext) {
  signer.take(session::Register{HostFacts(), {}, {"first"}, warrant_version});
  signer.take(session::Renew{1, {"second"}});
  signer.take(session::Renew{2, {}});
  EXPECT_TRUE(has(sign(order_for("h1")), "\nsecond\n"));
  signer.take(session::Register{});
  EXPECT_TRUE(sign(order_for("h1")).warrant.content.empty()) << "that is another agent";
}

TEST_F(GivenAWarrantSigner, WhenTheOrderHasNoPartOnTheHostThenThatIsNotItsUsersFault) {
  signer.take(session::Register{HostFacts(), {}, {"nonce"}, warrant_version});
  const auto signed_order = signer.sign(order_for("h2"));
  const auto* failure = std::get_if<WarrantSigner::Failure>(&signed_order);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->why, "the job has no part on h1");
  EXPECT_FALSE(failure->is_users_fault);
}

TEST_F(GivenAWarrantSigner, WhenNoLinkTakesTheWarrantThenThatIsItsUsersFault) {
  signer.take(session::Register{HostFacts(), {}, {"nonce"}, warrant_version});
  auto order = order_for("h1");
  order.parts.front().tmpdir = std::string(16u << 20, 'x');
  const auto signed_order = signer.sign(order);
  const auto* failure = std::get_if<WarrantSigner::Failure>(&signed_order);
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->is_users_fault);
}

TEST_F(GivenAWarrantSigner, WhenAHelperReadsAnotherVersionThenWhoIsToBeUpgradedIsSaid) {
  const auto obstacle = [&](std::int64_t version, const std::string& nonce) {
    return signer.obstacle({HostFacts(), {}, {nonce}, version}).value_or("");
  };
  EXPECT_EQ(obstacle(warrant_version, "nonce"), "");
  EXPECT_EQ(obstacle(0, ""), "") << "nobody looks at warrants there";
  EXPECT_EQ(obstacle(0, "nonce"), "agent h1 reads warrants of version 1: upgrade it");
  EXPECT_EQ(obstacle(warrant_version + 1, "nonce"), "agent h1 reads warrants of version " +
                                                        std::to_string(warrant_version + 1) +
                                                        ": upgrade the master");
}
