// Limits that execd_params set for the jobs of a host (O7.40).
#include "core/configuration/objects/global_configuration.hpp"
#include "core/execution/process_limits.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace almanac {
namespace {

Result<GlobalConfiguration> with(const char* params) {
  auto object = template_of(ObjectKind::global_configuration, "");
  object.set("execd_params", params);
  return GlobalConfiguration::parse(object);
}

TEST(GivenLimitsOfAHost, WhenOneOfTwoIsGivenThenBothAreTheSame) {
  const auto conf =
      with("S_DESCRIPTORS=1024,H_DESCRIPTORS=4096 H_MEMORYLOCKED=infinity,S_MAXPROC=2k");
  ASSERT_TRUE(conf.ok()) << conf.what();
  const auto limits = host_limits(conf->process_limits);
  ASSERT_EQ(limits.size(), 3u);
  EXPECT_EQ(limits[0].kind, "descriptors");
  EXPECT_EQ(limits[0].soft, 1024);
  EXPECT_EQ(limits[0].hard, 4096);
  EXPECT_EQ(limits[1].kind, "maxproc");
  EXPECT_EQ(limits[1].soft, 2000);
  EXPECT_EQ(limits[1].hard, 2000);
  EXPECT_EQ(limits[2].kind, "memorylocked");
  EXPECT_EQ(limits[2].soft, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(limits[2].hard, limits[2].soft);
}

TEST(GivenLimitsOfAHost, WhenTheyMakeNoSenseThenTheyAreRefused) {
  for (const char* params : {"H_DESCRIPTORS=many", "H_DESCRIPTORS", "S_LOCKS=-1", "H_OPENFILES=5"})
    EXPECT_FALSE(with(params).ok()) << params;
}

} // namespace
} // namespace almanac
