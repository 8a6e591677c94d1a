#include "agent/settings.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace almanac;

namespace {

class GivenSettings : public ::testing::Test {
public:
  const std::string path = std::filesystem::temp_directory_path() /
                           ("almanac-settings-" + std::to_string(::getpid()) + ".toml");
  ~GivenSettings() override { std::filesystem::remove(path); }

  Result<AgentSettings> with(const std::string& line) const {
    std::ofstream(path) << "host = \"n1\"\nmaster = \"m:1\"\n" << line << "\n";
    return read_agent_settings(path);
  }
};

} // namespace

TEST_F(GivenSettings, WhenAUserIsNamedThenThisMachineMustKnowIt) {
  EXPECT_EQ(with("")->user, "");
  EXPECT_EQ(with("user = \"root\"")->user, "root");
  EXPECT_EQ(with("user = \"nobody-has-this-name\"").what(),
            path + ":3: user: there is no user \"nobody-has-this-name\" on this machine");
  EXPECT_FALSE(with("user = 7").ok());
  EXPECT_FALSE(with("usr = \"root\"").ok());
}
