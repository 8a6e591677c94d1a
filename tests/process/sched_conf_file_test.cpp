// The file of plus_scheduler -c (docs/spec/plus.md P3.3, P3.8, section 6).
#include "core/configuration/objects/site_file.hpp"
#include "tests/process/command_call.hpp"
#include "tools/commands/sched_conf_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace almanac;

namespace {

namespace fs = std::filesystem;

class GivenAFileOfKeys : public ::testing::Test {
public:
  GivenAFileOfKeys() {
    char name[] = "/tmp/almanac-keys-XXXXXX";
    place = ::mkdtemp(name);
  }
  ~GivenAFileOfKeys() override { fs::remove_all(place); }
  Result<std::string> read(const std::string& text) const {
    std::ofstream(place / "keys") << text;
    return read_sched_conf((place / "keys").string());
  }
  fs::path place;
};

// A master that has read an older file, and reads the new one before the third question.
class ReadingDoor : public Door {
public:
  explicit ReadingDoor(std::string text) : text_(std::move(text)) {}
  Outcome call(door::RequestBody body, const OnFrame& on_frame) override {
    door::ReplyBody reply;
    if (std::holds_alternative<door::ListActors>(body)) {
      door::ActorView reader;
      reader.id = 7, reader.kind = "site-files";
      reply = door::Actors{{reader}};
    } else {
      const auto shown = line_of_site_file("sched_conf", ++asked < 3 ? "# old\n" : text_);
      reply = door::Output{{"reservable.ad: there is none\n" + shown + "\n"}, false};
    }
    on_frame(reply);
    return Done{};
  }
  int asked = 0;

private:
  std::string text_;
};

} // namespace

TEST_F(GivenAFileOfKeys, WhenItIsReadThenAsMuchIsTakenAsTheMasterTakes) {
  const std::string keys = "NodeSortKey: NodeName\n";
  EXPECT_EQ(*read(keys), keys);
  EXPECT_EQ(*read(""), "\n") << "it is there, and says nothing";
  EXPECT_TRUE(read(keys + std::string(129 << 10, '#')));
  EXPECT_TRUE(read(std::string(largest_site_file, '#')));
  const auto large = read(std::string(largest_site_file + 1, '#'));
  ASSERT_FALSE(large);
  EXPECT_NE(large.what().find("it is longer than 262144 bytes"), std::string::npos) << large.what();
  EXPECT_FALSE(read("NodeSortKey: Nonsense\n"));
}

// P3.8: passes that come after it obey it.
TEST(GivenAFileThatWasWritten, WhenItIsAwaitedThenUntilTheMasterHasReadThisOne) {
  ReadingDoor door("NodeSortKey: NodeName\n");
  CommandCall call(door, "plus_scheduler");
  await_sched_conf(call.context, "NodeSortKey: NodeName\n");
  EXPECT_EQ(door.asked, 3);
  EXPECT_EQ(call.err.str(), "");
}
