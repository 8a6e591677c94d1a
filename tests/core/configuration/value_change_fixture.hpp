// Objects whose values are changed by qconf's attribute switches.
#pragma once

#include "core/answer/gridengine.hpp"
#include "core/configuration/value_change.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace almanac {

class ValueChangeFixture : public ::testing::Test {
public:
  static constexpr auto add = ChangeVerb::add_values;
  static constexpr auto remove_them = ChangeVerb::remove_values;
  static constexpr auto modify = ChangeVerb::modify_values;
  static constexpr auto replace = ChangeVerb::replace_values;

  Configuration configuration = Configuration::initial("root", "master");

  ValueChangeFixture() {
    for (const char* host : {"h1", "h2"})
      make({ChangeVerb::add, template_of(ObjectKind::exec_host, host), {}});
    make({ChangeVerb::add, {ObjectKind::host_group, "@g", {{"hostlist", "h1"}}}, {}});
    make({ChangeVerb::add, template_of(ObjectKind::userset, "staff"), {}});
    auto complexes = *configuration.find(ObjectKind::complex, "");
    complexes.set("licences", "lic INT <= YES YES 0 0");
    make({ChangeVerb::modify, complexes, {}});
  }
  void make(const ConfigurationChange& change) {
    auto changed = configuration.with(change);
    ASSERT_TRUE(changed.ok()) << changed.what();
    configuration = std::move(changed->configuration);
  }

  /// The notes, or why nothing is changed.
  std::string change(ChangeVerb verb, ObjectKind kind, const std::string& id,
                     std::vector<Attribute> values) {
    const auto decided = decide_values(configuration, {verb, {kind, id, std::move(values)}, {}});
    if (!decided) return "refused: " + decided.what();
    auto next = configuration.with_all(decided->changes);
    if (!next) return "refused: " + next.what();
    configuration = std::move(next->configuration);
    std::string notes;
    for (const auto& note : decided->notes) {
      EXPECT_FALSE(note.trouble);
      notes += gridengine::text_of(note) + "\n";
    }
    return notes;
  }
  std::string value(ObjectKind kind, const std::string& name, const std::string& attribute) const {
    const auto* object = configuration.find(kind, name);
    const auto* text = object ? object->find(attribute) : nullptr;
    return text ? *text : "";
  }
};

} // namespace almanac
