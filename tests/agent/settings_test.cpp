#include "agent/helper/settings.hpp"

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

TEST_F(GivenSettings, WhenALineIsAsPeopleWriteItThenItIsRead) {
  EXPECT_EQ(with("spool = '/var/a # b' # where tasks are kept")->spool, "/var/a # b");
  EXPECT_EQ(with("spool=\"/s\"\r")->spool, "/s");
  EXPECT_EQ(with("  spool\t=  \"\"")->spool, "");
  EXPECT_EQ(with("port = 65535 # any")->port, 65535);
  EXPECT_EQ(with("min_uid=9223372036854775807")->min_uid, INT64_MAX);
  EXPECT_EQ(with("# port = 7\n\n   \n")->port, 0);
}

TEST_F(GivenSettings, WhenALineIsNotThenItIsNamedWithWhatWasExpected) {
  const auto at = path + ":3: ";
  EXPECT_EQ(with("port = 65536").what(), at + "port: a number from 0 to 65535 is expected");
  EXPECT_EQ(with("min_uid = -1").what(), at + "min_uid: a number from 0 is expected");
  EXPECT_EQ(with("host = \"n2\"").what(), at + "host is there twice");
  EXPECT_EQ(with("[agent]").what(), at + "NAME = VALUE is expected");
  EXPECT_TRUE(with("prot = 1").what().starts_with(at + "\"prot\" is not a setting; known are"));
  for (const char* value : {"x", "\"x", "\"x\" y", "\"x'", "'x\"", "7", "\""})
    EXPECT_EQ(with(std::string("spool = ") + value).what(),
              at + "spool: a text in quotes is expected")
        << value;
  for (const char* value : {"\"a\\tb\"", "'a\tb'", "\"a\x7f\""})
    EXPECT_EQ(with(std::string("spool = ") + value).what(),
              at + "spool: it can have no \\ and no control characters in it")
        << value;
  for (const char* line : {"port =", "= 7", "port"})
    EXPECT_EQ(with(line).what(), at + "NAME = VALUE is expected") << line;
  std::filesystem::remove(path);
  EXPECT_NE(read_agent_settings(path).what().find("can't read"), std::string::npos);
}
