#include "agent/helper/message.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace almanac;

namespace {

class GivenTwoEnds : public testing::Test {
protected:
  GivenTwoEnds() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0); }
  ~GivenTwoEnds() override {
    for (const int end : ends) ::close(end);
  }
  HelperPacket received() {
    HelperPacket packet;
    EXPECT_TRUE(receive_packet(ends[1], packet));
    for (const int file : packet.files) ::close(file);
    return packet;
  }
  int ends[2];
};

} // namespace

TEST_F(GivenTwoEnds, WhenAPacketIsSentThenItComesWithItsFilesHoweverLongItIs) {
  for (const std::size_t size : {1U, 32U << 10, (32U << 10) + 1, 1U << 20, 8U << 20}) {
    const int file = ::open("/dev/null", O_RDONLY);
    ASSERT_TRUE(send_packet(ends[0], std::string(size, 'x'), {file, file}));
    ::close(file);
    const auto packet = received();
    EXPECT_EQ(packet.text, std::string(size, 'x'));
    EXPECT_EQ(packet.files.size(), 2U);
  }
}

TEST_F(GivenTwoEnds, WhenAPacketIsTooLongThenItSaysNothing) {
  ASSERT_TRUE(send_packet(ends[0], std::string((8 << 20) + 1, 'x')));
  EXPECT_EQ(received().text, "");
  const std::string raw(40 << 10, 'x');
  ASSERT_EQ(::send(ends[0], raw.data(), raw.size(), 0), 40 << 10);
  EXPECT_EQ(received().text, "");
}

TEST_F(GivenTwoEnds, WhenTheFileIsNoMemoryThenItIsNotRead) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  for (const int file : {::open("/etc/passwd", O_RDONLY), ::open("/dev/zero", O_RDONLY), pipe[0]}) {
    ASSERT_TRUE(send_packet(ends[0], "in a file", {file}));
    const auto packet = received();
    EXPECT_EQ(packet.text, "");
    EXPECT_TRUE(packet.files.empty());
    ::close(file);
  }
  ::close(pipe[1]);
}

TEST_F(GivenTwoEnds, WhenTheOtherEndIsGoneThenThatIsSaid) {
  ::close(ends[0]);
  ends[0] = -1;
  HelperPacket packet;
  EXPECT_FALSE(receive_packet(ends[1], packet));
  EXPECT_FALSE(send_packet(ends[1], "x"));
}
