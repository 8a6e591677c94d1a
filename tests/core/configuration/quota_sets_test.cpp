// Resource quota sets among the other objects: their order, and what they refer to.
#include "core/configuration/configuration.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

ConfigurationObject set_with(const std::string& name, const std::string& rule) {
  return {ObjectKind::quota_set, name, {{"limit", rule}}};
}

class GivenQuotaSetsInACell : public ::testing::Test {
public:
  Configuration configuration = Configuration::initial("root", "master");

  GivenQuotaSetsInACell() {
    make({ChangeVerb::add, template_of(ObjectKind::exec_host, "h1"), {}});
    set_complex("lic", "lic INT <= YES YES 0 0");
    set_complex("cores", "cores INT <= YES NO 0 0");
  }
  void make(const ConfigurationChange& change) {
    auto changed = configuration.with(change);
    ASSERT_TRUE(changed.ok()) << changed.what();
    configuration = std::move(changed->configuration);
  }
  void add(const std::string& name, const std::string& rule) {
    make({ChangeVerb::add, set_with(name, rule), {}});
  }
  std::string refusal(ChangeVerb verb, ConfigurationObject object) const {
    const auto changed = configuration.with({verb, std::move(object), {}});
    return changed ? "" : changed.what();
  }
  ConfigurationObject complexes_with(const std::string& name, const std::string& row) const {
    auto table = *configuration.find(ObjectKind::complex, "");
    if (row.empty()) std::erase_if(table.attributes, [&](auto& a) { return a.name == name; });
    else table.set(name, row);
    return table;
  }
  void set_complex(const std::string& name, const std::string& row) {
    make({ChangeVerb::modify, complexes_with(name, row), {}});
  }
  std::string names() const {
    std::string all;
    for (const auto& set : configuration.quota_sets()) all += set.name + " ";
    return all;
  }
};

} // namespace

TEST_F(GivenQuotaSetsInACell, WhenSetsAreAddedThenTheyAreAskedInThatOrder) {
  add("z", "limit to slots=1");
  add("a", "limit to slots=2");
  EXPECT_EQ(names(), "z a ");
  // One that is changed stays where it is, and one that is off is among them.
  auto off = set_with("z", "limit to slots=3");
  off.set("enabled", "0");
  make({ChangeVerb::modify, off, {}});
  EXPECT_EQ(names(), "z a ");
  EXPECT_FALSE(configuration.quota_sets().front().enabled);
  EXPECT_EQ(configuration.quota_sets().front().rules.front().limits.front().amount, 3);
  make({ChangeVerb::erase, {ObjectKind::quota_set, "z", {}}, {}});
  add("z", "limit to slots=1");
  EXPECT_EQ(names(), "a z ");
  auto first = *configuration.find(ObjectKind::quota_set, "z");
  first.set("position", "0");
  make({ChangeVerb::modify, first, {}});
  auto second = *configuration.find(ObjectKind::quota_set, "a");
  second.set("position", "0");
  make({ChangeVerb::modify, second, {}});
  EXPECT_EQ(names(), "a z ") << "by name in the same place";
}

TEST_F(GivenQuotaSetsInACell, WhenASetIsAddedThenItIsStoredInCanonicalForm) {
  // quotas Q2.12, quotas Q2.13: a host as it is spelt in its object, others as they are.
  add("a", "limit hosts {H1,h*,@no,H9,!h1} to s=$p*2");
  const auto* stored = configuration.find(ObjectKind::quota_set, "a");
  EXPECT_EQ(*stored->find("limit"), "limit hosts {h1,h*,@no,H9,!h1} to slots=$num_proc*2");
  EXPECT_EQ(*stored->find("enabled"), "TRUE");
  EXPECT_EQ(*stored->find("description"), "NONE");
  const auto restored = Configuration::restore(configuration.objects());
  ASSERT_TRUE(restored.ok()) << restored.what();
  EXPECT_EQ(restored->objects(), configuration.objects());
  EXPECT_EQ(restored->quota_sets().size(), 1u);
}

TEST_F(GivenQuotaSetsInACell, WhenAComplexIsReferencedThenItStays) {
  add("a", "limit hosts {*} to slots=$cores*2");
  add("b", "limit to lic=3");
  // quotas Q5.11
  EXPECT_EQ(refusal(ChangeVerb::modify, complexes_with("lic", "")),
            "Complex attribute \"lic\" is still referenced in resource quota set \"b\".");
  EXPECT_EQ(refusal(ChangeVerb::modify, complexes_with("cores", "")),
            "Complex attribute \"cores\" is still referenced in resource quota set \"a\".");
  make({ChangeVerb::erase, {ObjectKind::quota_set, "b", {}}, {}});
  set_complex("lic", "");
}

TEST_F(GivenQuotaSetsInACell, WhenAComplexGetsAnotherTypeThenSetsMustStillRead) {
  add("a", "limit hosts {*} to slots=$cores,lic=3");
  EXPECT_EQ(refusal(ChangeVerb::modify, complexes_with("cores", "cores STRING == YES NO NONE 0")),
            "\"dynamical_limit\" uses \"$cores\", which is neither INT nor DOUBLE\n"
            "rule a/1: \"$cores\"");
  set_complex("lic", "lic DOUBLE <= YES YES 0 0");
  EXPECT_EQ(configuration.quota_sets().front().rules.front().limits.back().amount, 3'000'000);
}

TEST_F(GivenQuotaSetsInACell, WhenALoadValueIsLimitedThenItIsRefusedUnlessItIsConsumed) {
  // quotas Q1.5
  const auto refused = [&](const std::string& name) {
    return refusal(ChangeVerb::add, set_with("a", "limit to " + name + "=1"));
  };
  for (const char* name : {"load_avg", "np_load_avg", "mem_free", "cpu"})
    EXPECT_EQ(refused(name), "attribute \"" + std::string(name) +
                                 "\" is a load value, and only consumable and fixed attributes are "
                                 "limited\nrule a/1: \"1\"");
  EXPECT_EQ(refused("num_proc"), "");
  const auto loaded = *configuration.find(ObjectKind::complex, "")->find("mem_free");
  set_complex("mem_free", "mf MEMORY <= YES YES 0 0");
  add("a", "limit to mem_free=1");
  EXPECT_NE(refusal(ChangeVerb::modify, complexes_with("mem_free", loaded)), "");
}

TEST_F(GivenQuotaSetsInACell, WhenAChangeLeavesASetAsItWasThenNothingIsStored) {
  add("a", "limit to slots=1");
  const auto changed = configuration.with({ChangeVerb::modify, set_with("a", "limit to s=1"), {}});
  ASSERT_TRUE(changed.ok()) << changed.what();
  EXPECT_TRUE(changed->stored.empty() && changed->erased.empty());
}

// An older version may have stored what this one does not read: the cell starts without it.
TEST_F(GivenQuotaSetsInACell, WhenAStoredSetNoLongerReadsThenItLimitsNothing) {
  add("a", "limit to lic=3");
  add("b", "limit to slots=3");
  auto objects = configuration.objects();
  for (auto& object : objects)
    if (object.kind == ObjectKind::complex)
      std::erase_if(object.attributes, [](auto& a) { return a.name == "lic"; });
  auto restored = Configuration::restore(objects);
  ASSERT_TRUE(restored.ok()) << restored.what();
  configuration = *restored;
  EXPECT_EQ(names(), "a b ");
  EXPECT_FALSE(configuration.quota_sets().front().enabled);
  EXPECT_TRUE(configuration.quota_sets().front().rules.empty());
  EXPECT_EQ(configuration.objects(), objects) << "it is kept as it is";
  // Other changes are made as ever; this set can be mended, and taken out.
  add("c", "limit to slots=1");
  EXPECT_NE(refusal(ChangeVerb::modify, {ObjectKind::quota_set, "a", {{"enabled", "FALSE"}}}), "");
  make({ChangeVerb::modify, set_with("a", "limit to slots=9"), {}});
  EXPECT_TRUE(configuration.quota_sets().front().enabled);
}

TEST_F(GivenQuotaSetsInACell, WhenTheyAreChangedElsewhereThenAFollowerHasTheSame) {
  auto follower = configuration;
  add("a", "limit to slots=3");
  ASSERT_TRUE(
      follower
          .follow({{{ObjectKind::quota_set, "a"}, *configuration.find(ObjectKind::quota_set, "a")}})
          .ok());
  ASSERT_EQ(follower.quota_sets().size(), 1u);
  EXPECT_EQ(follower.quota_sets().front().rules, configuration.quota_sets().front().rules);
  ASSERT_TRUE(follower.follow({{{ObjectKind::quota_set, "a"}, std::nullopt}}).ok());
  EXPECT_TRUE(follower.quota_sets().empty());
}

TEST_F(GivenQuotaSetsInACell, WhenOneIsChangedSeveralTimesAtOnceThenTheLastChangeIsStored) {
  add("a", "limit to slots=1");
  const ConfigurationChange erasure{ChangeVerb::erase, {ObjectKind::quota_set, "a", {}}, {}};
  const auto again =
      configuration.with_all({erasure, {ChangeVerb::add, set_with("a", "limit to slots=2"), {}}});
  ASSERT_TRUE(again.ok()) << again.what();
  EXPECT_TRUE(again->erased.empty());
  ASSERT_EQ(again->stored.size(), 1u);
  EXPECT_EQ(*again->stored.front().find("limit"), "limit to slots=2");
  const ConfigurationObject fresh{ObjectKind::quota_set, "b", {}};
  const auto gone =
      configuration.with_all({{ChangeVerb::add, fresh, {}}, {ChangeVerb::erase, fresh, {}}});
  ASSERT_TRUE(gone.ok()) << gone.what();
  EXPECT_TRUE(gone->erased.empty() && gone->stored.empty()) << "it never was there";
}

TEST_F(GivenQuotaSetsInACell, WhenThereAreTooManyThenTheNextOneIsRefused) {
  std::vector<ConfigurationChange> changes;
  for (std::size_t i = 0; i < most_quota_sets; ++i)
    changes.push_back({ChangeVerb::add, set_with("s" + std::to_string(i), "NONE"), {}});
  auto changed = configuration.with_all(changes);
  ASSERT_TRUE(changed.ok()) << changed.what();
  configuration = std::move(changed->configuration);
  EXPECT_EQ(configuration.quota_sets().back().name, "s999") << "in the order of the changes";
  EXPECT_EQ(refusal(ChangeVerb::add, set_with("more", "NONE")),
            "at most 1000 resource quota sets are kept");
}
