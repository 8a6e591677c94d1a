// Managers, operators and users of access lists that come and go: what is said of one that is there
// already, or is missing.
#include "core/configuration/configuration.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenLists : public ::testing::Test {
public:
  Configuration configuration = Configuration::initial("root", "master");

  std::string change(ChangeVerb verb, ObjectKind kind, const std::string& name,
                     std::vector<std::string> entries) {
    auto next = configuration.with({verb, {kind, name, {}}, std::move(entries)});
    if (!next) return next.what();
    configuration = std::move(next->configuration);
    return "";
  }
};

} // namespace

TEST_F(GivenLists, WhenANameIsThereOrMissingThenThatIsSaidAsGridEngineSaysIt) {
  EXPECT_EQ(change(ChangeVerb::add_entries, ObjectKind::operators, "", {"ann"}), "");
  EXPECT_EQ(change(ChangeVerb::add_entries, ObjectKind::operators, "", {"ann"}),
            "operator \"ann\" already exists");
  EXPECT_EQ(change(ChangeVerb::remove_entries, ObjectKind::managers, "", {"ann"}),
            "denied: manager \"ann\" does not exist");
  EXPECT_EQ(change(ChangeVerb::add_entries, ObjectKind::userset, "team", {"ann"}), "");
  EXPECT_EQ(change(ChangeVerb::add_entries, ObjectKind::userset, "team", {"ann"}),
            "\"ann\" is already in access list \"team\"");
  EXPECT_EQ(change(ChangeVerb::remove_entries, ObjectKind::userset, "team", {"bob"}),
            "user \"bob\" is not in access list \"team\"");
}

TEST_F(GivenLists, WhenRootIsAManagerThenItStaysOne) {
  EXPECT_EQ(change(ChangeVerb::remove_entries, ObjectKind::managers, "", {"root"}),
            "denied: may not remove user \"root\" from manager list");
  EXPECT_TRUE(configuration.is_manager("root"));
}

// O0.5: such a list would be read back as an empty one.
TEST_F(GivenLists, WhenANewNameIsAKeywordThenItIsRefusedAndNothingChanges) {
  const auto before = configuration.objects();
  for (const auto kind : {ObjectKind::managers, ObjectKind::operators, ObjectKind::admin_hosts,
                          ObjectKind::submit_hosts, ObjectKind::userset})
    for (const std::string name : {"NONE", "none", "None", "All", "TEMPLATE"})
      EXPECT_EQ(change(ChangeVerb::add_entries, kind, kind == ObjectKind::userset ? "team" : "",
                       {"ann", name}),
                "Keyword (\"" + name + "\") not allowed as objectname");
  EXPECT_EQ(configuration.objects(), before);
  EXPECT_EQ(change(ChangeVerb::add_entries, ObjectKind::operators, "", {"none.at.all"}), "");
}
