// qconf -purge: what a host or a group has of its own in a queue goes (docs/spec/cli.md C8.20).
#include "core/configuration/override_purge.hpp"

#include "core/answer/gridengine.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenAQueueWithValuesOfHosts : public ::testing::Test {
public:
  Configuration configuration = Configuration::initial("root", "master");

  GivenAQueueWithValuesOfHosts() {
    for (const char* host : {"h1", "h2"})
      make({ChangeVerb::add, template_of(ObjectKind::exec_host, host), {}});
    make({ChangeVerb::add, {ObjectKind::host_group, "@g", {{"hostlist", "h1"}}}, {}});
    make({ChangeVerb::modify,
          {ObjectKind::cluster_queue,
           "all.q",
           {{"hostlist", "h1 h2"}, {"slots", "8,[h1=4],[@g=2]"}, {"seq_no", "1,[h1=7],[h2=9]"}}},
          {}});
  }
  void make(const ConfigurationChange& change) {
    auto changed = configuration.with(change);
    ASSERT_TRUE(changed.ok()) << changed.what();
    configuration = std::move(changed->configuration);
  }
  /// The notes, or why nothing is changed.
  std::string purge(const std::string& instance, std::vector<std::string> names,
                    ObjectKind kind = ObjectKind::cluster_queue) {
    ConfigurationChange change{ChangeVerb::purge_values, {kind, instance, {}}, {}};
    for (auto& name : names) change.object.attributes.push_back({std::move(name), ""});
    const auto decided = decide_values(configuration, change);
    if (!decided) return "refused: " + decided.what();
    EXPECT_EQ(decided->object, "all.q");
    auto next = configuration.with_all(decided->changes);
    if (!next) return "refused: " + next.what();
    configuration = std::move(next->configuration);
    std::string notes;
    for (const auto& note : decided->notes) notes += gridengine::text_of(note) + "\n";
    return notes;
  }
  std::string value(const std::string& attribute) const {
    return *configuration.find(ObjectKind::cluster_queue, "all.q")->find(attribute);
  }
};

} // namespace

TEST_F(GivenAQueueWithValuesOfHosts, WhenAnAttributeIsPurgedThenTheDefaultHoldsThere) {
  EXPECT_EQ(purge("all.q@H1", {"slots"}), "") << "names of hosts are the same in any case";
  EXPECT_EQ(value("slots"), "8,[@g=2]");
  EXPECT_EQ(value("seq_no"), "1,[h1=7],[h2=9]");
  EXPECT_EQ(purge("all.q@@g", {"slots"}), "");
  EXPECT_EQ(value("slots"), "8");
}

TEST_F(GivenAQueueWithValuesOfHosts, WhenAllIsPurgedThenNothingIsLeftOfTheHost) {
  EXPECT_EQ(purge("all.q@h1", {"*"}), "");
  EXPECT_EQ(value("slots"), "8,[@g=2]");
  EXPECT_EQ(value("seq_no"), "1,[h2=9]");
  EXPECT_EQ(purge("all.q@h1", {"*"}), "");
}

TEST_F(GivenAQueueWithValuesOfHosts, WhenThereIsNoSuchValueThenThatIsNotedAndIsNoFailure) {
  EXPECT_EQ(purge("all.q@h2", {"slots", "seq_no"}),
            "\"h2\" does not exist in \"slots\" of \"queue\"\n");
  EXPECT_EQ(value("seq_no"), "1,[h1=7]");
}

TEST_F(GivenAQueueWithValuesOfHosts, WhenItIsNotMeantThenItIsRefused) {
  EXPECT_EQ(purge("all.q", {"slots"}), "refused: \"all.q\" is no queue instance and no queue "
                                       "domain: write queue@host or queue@@group");
  EXPECT_EQ(purge("x.q@h1", {"slots"}), "refused: denied: cluster queue \"x.q\" does not exist");
  EXPECT_EQ(purge("all.q@h1", {"nosuch"}), "refused: unknown attribute name \"nosuch\"");
  EXPECT_EQ(purge("all.q@h1", {"hostlist"}), "refused: attribute \"hostlist\": it has no values of "
                                             "single hosts and groups");
  EXPECT_EQ(purge("smp", {"slots"}, ObjectKind::parallel_environment),
            "refused: Modification of object \"parallel environment\" not supported");
  EXPECT_EQ(value("slots"), "8,[h1=4],[@g=2]");
}
