// Load sensors as an agent runs them: started by its helper, asked, ended (docs/spec/objects.md O7.4, O7.60).
#include "tests/agent/launcher_fixture.hpp"

#include "schema/sensor_order.hpp"

#include <csignal>

using namespace almanac;

namespace {

class GivenAnAgentWithSensors : public LauncherFixture {
protected:
  GivenAnAgentWithSensors() : program((place / "sensor").string()) {
    ::signal(SIGPIPE, SIG_IGN); // as an agent does
    write("5G");
  }

  // It says its process, too.
  void write(const std::string& scratch) {
    std::ofstream file(program);
    file << "#!/bin/sh\necho $$ >> " << (place / "sensors").string()
         << "\nwhile read word; do [ \"$word\" = quit ] && { echo quit >> "
         << (place / "sensors").string() << "; exit; }\necho begin; echo n1:scratch:" << scratch
         << "; echo n2:scratch:1G; echo end\ndone\n";
    file.close();
    fs::permissions(program, fs::perms::all);
  }
  Bytes signed_order(const std::vector<std::string>& programs, const std::string& host = "n1") {
    order.content = print_sensor_order({host, {launcher->nonce()}, programs});
    signature.content = masters_key().sign(sensor_label + order.content);
    return order;
  }
  void use(const std::vector<std::string>& programs) {
    signed_order(programs);
    launcher->use_sensors(order, signature);
  }
  std::string scratch() const {
    const auto load = launcher->load();
    return load.values.empty() ? "" : load.values.front().value;
  }
  bool says(const std::string& value) {
    return eventually([&] {
      launcher->ask_sensors();
      ::usleep(50'000);
      return scratch() == value;
    });
  }
  std::string log() const { return content_at(place / "sensors"); }

  std::string program;
  Bytes order, signature;
};

} // namespace

TEST_F(GivenAnAgentWithSensors, WhenTheMasterHasSignedThemThenTheyReportAndEndWithQuit) {
  use({program});
  EXPECT_TRUE(says("5G"));
  EXPECT_EQ(launcher->load().values.size(), 1u) << "it speaks for its own host";
  launcher->use_sensors({}, {});
  EXPECT_TRUE(eventually([&] { return log().find("quit") != std::string::npos; }));
  EXPECT_TRUE(eventually([&] { return scratch().empty(); }));
}

TEST_F(GivenAnAgentWithSensors, WhenTheFileIsAnotherOneOrTheSensorDiesThenItIsStartedAnew) {
  use({program});
  ASSERT_TRUE(says("5G"));
  write("7G");
  EXPECT_TRUE(says("7G"));
  const auto first = log();
  const auto pids = first.substr(0, first.find_last_of('\n'));
  const auto last = std::atoi(pids.substr(pids.find_last_of('\n') + 1).c_str());
  ASSERT_GT(last, 1);
  ::kill(last, SIGKILL);
  EXPECT_TRUE(eventually([&] { return scratch().empty(); }));
}

TEST_F(GivenAnAgentWithSensors, WhenNobodyOfTheCellHasSignedThemThenNothingIsStarted) {
  signed_order({program}, "n2");
  launcher->use_sensors(order, signature);
  launcher->ask_sensors();
  signed_order({program});
  signature.content[0] = static_cast<char>(signature.content[0] ^ 1);
  launcher->use_sensors(order, signature);
  launcher->ask_sensors();
  ::usleep(300'000);
  EXPECT_EQ(log(), "");
  EXPECT_EQ(scratch(), "");
}
