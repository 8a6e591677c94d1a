#include "core/configuration/objects/built_in_complexes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace almanac;

// That each of them is shown where a host reports its load: selected_instances_test (C6.42).
TEST(GivenLoadValues, WhenTheyAreLookedUpThenEachIsABuiltInComplexOnce) {
  const auto& built_in = built_in_complexes();
  for (const auto name : load_value_names()) {
    EXPECT_TRUE(is_load_value(name)) << name;
    EXPECT_EQ(std::count_if(built_in.begin(), built_in.end(),
                            [&](const Attribute& complex) { return complex.name == name; }),
              1)
        << name;
  }
  const auto names = load_value_names();
  EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), names.size());
  EXPECT_FALSE(is_load_value("num_proc")) << "it does not change";
}
