// The queues on whose hosts PluS may reserve (params PLUS_QUEUES of the scheduler).
#include "core/configuration/configuration.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

ConfigurationChange change(ChangeVerb verb, ObjectKind kind, const std::string& name,
                           std::vector<Attribute> attributes) {
  return {verb, {kind, name, std::move(attributes)}, {}};
}

} // namespace

// plus.md P3.6
TEST(GivenParamsOfTheScheduler, WhenPlusQueuesAreNamedThenTheyHaveToBeThere) {
  const auto configuration = Configuration::initial("root", "master");
  const auto with = [](const Configuration& to, const std::string& queues) {
    return to.with(change(ChangeVerb::modify, ObjectKind::scheduler_configuration, "",
                          {{"params", "PLUS_QUEUES=" + queues}}));
  };
  for (const std::string wrong : {"nosuch.q", "NONE", "all.q|nosuch.q", "nosuch.q@h1", "x*"}) {
    const auto refused = with(configuration, wrong);
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_NE(refused.what().find("PLUS_QUEUES: cluster queue \""), std::string::npos)
        << refused.what();
  }
  EXPECT_LT(with(configuration, std::string(100'000, 'q')).what().size(), 300u);
  EXPECT_TRUE(with(configuration, "a*.q").ok());
  const auto one = with(configuration, "all.q");
  ASSERT_TRUE(one.ok()) << one.what();
  EXPECT_EQ(one->configuration.scheduler().plus.queues, std::vector<std::string>{"all.q"});
  const auto gone =
      one->configuration.with(change(ChangeVerb::erase, ObjectKind::cluster_queue, "all.q", {}));
  ASSERT_FALSE(gone.ok());
  EXPECT_NE(gone.what().find("PLUS_QUEUES"), std::string::npos) << gone.what();
  const auto all = with(one->configuration, "all");
  ASSERT_TRUE(all.ok()) << all.what();
  EXPECT_TRUE(all->configuration.scheduler().plus.queues.empty());
}
