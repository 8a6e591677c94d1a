// What load sensors print, and what of it is believed (docs/spec/objects.md O7.4, O7.60).
#include "core/host/sensor_report.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenASensorOfN1 : public testing::Test {
protected:
  std::string said() const {
    std::string text;
    for (const auto& [name, value, host] : report.values())
      text += (text.empty() ? "" : " ") + host + ":" + name + "=" + value;
    return text;
  }
  SensorReport report{"n1.cluster"};
};

} // namespace

TEST_F(GivenASensorOfN1, WhenItReportsThenItsLastReportCounts) {
  EXPECT_FALSE(report.take("begin\nn1:scratch:5G\nglobal:lic"));
  EXPECT_EQ(said(), "") << "it is not at its end";
  EXPECT_TRUE(report.take("enses:7\nend\n"));
  EXPECT_EQ(said(), ":scratch=5G global:licenses=7");
  EXPECT_TRUE(report.take("begin\nN1.cluster:uptime:1:20:00\n:scratch:4G\nend\n"));
  EXPECT_EQ(said(), ":uptime=1:20:00 :scratch=4G");
  EXPECT_TRUE(report.take("begin\nn1:a:1\nn1:a:2\nend\nbegin\nend\n"));
  EXPECT_EQ(said(), "");
  EXPECT_EQ(report.dropped(), 0);
}

TEST_F(GivenASensorOfN1, WhenALineIsOfAnotherHostOrInNoFormThenItIsDropped) {
  report.take("n1:early:1\nbegin\nn2:scratch:5G\nn1:scratch\nn1::5\nn1:empty:\nnoise\n"
              "n1:good:1\nn1:bell:\x07\nend\nend\n");
  EXPECT_EQ(said(), ":good=1");
  EXPECT_EQ(report.dropped(), 8);
  EXPECT_EQ(report.first_dropped(), "n1:early:1");
}

TEST_F(GivenASensorOfN1, WhenItPrintsWithoutEndThenNothingGrows) {
  std::string flood = "begin\n";
  for (int i = 0; i < 1000; ++i) flood += "n1:v" + std::to_string(i) + ":1\n";
  EXPECT_TRUE(report.take(flood + "end\n"));
  EXPECT_EQ(report.values().size(), most_load_values);
  for (int i = 0; i < 1000; ++i) report.take(std::string(4096, 'x'));
  EXPECT_TRUE(
      report.take("\nbegin\nn1:a:" + std::string(longest_load_value + 1, '1') + "\nn1:b:1\nend\n"));
  EXPECT_EQ(said(), ":b=1");
}
