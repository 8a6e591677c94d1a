// Operating systems and architectures (spec/plus.md P3.18, spec/metascheduler.md M3.19).
#include "core/host/operating_system.hpp"
#include "core/text/pattern.hpp"

#include <gtest/gtest.h>

using namespace almanac;

TEST(GivenASystem, WhenItsArchitecturesAreWantedThenTheExpressionMatchesThose) {
  EXPECT_EQ(architectures_of("linux"), "linux|linux-*|lx|lx-*|ulx|ulx-*");
  EXPECT_EQ(architectures_of("lx-amd64"), "lx-amd64|lx-amd64-*");
  EXPECT_EQ(architectures_of("darwin"), "darwin|darwin-*");
}

TEST(GivenSystemsAndArchitectures, WhenTheyAreComparedThenBothWaysAgree) {
  for (const auto* system : {"linux", "Linux", "lx", "lx-amd64", "solaris", "sol", "windows",
                             "win32", "hp-ux", "darwin", "vms", "l"})
    for (const auto* arch : {"lx-amd64", "ulx-alpha", "lx", "sol-sparc64", "win32-x86", "hp11-64",
                             "darwin-arm64", "vax", "lxx-amd64"}) {
      EXPECT_TRUE(valid_expression(architectures_of(system)).ok());
      EXPECT_EQ(matches_expression(architectures_of(system), arch),
                is_operating_system(arch, system))
          << system << " " << arch;
    }
}
