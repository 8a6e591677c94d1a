#include "schema/frame_assembly.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

using Frames = std::vector<std::string>;

// The bytes in pieces of the given sizes, again and again.
Result<Frames> assembled(std::string_view bytes, const std::vector<std::uint8_t>& sizes) {
  FrameAssembly assembly;
  Frames all;
  for (std::size_t turn = 0; !bytes.empty(); ++turn) {
    const std::size_t size = sizes.empty() ? 1 : 1 + sizes[turn % sizes.size()];
    auto frames = assembly.take(bytes.substr(0, size));
    if (!frames) return frames.error();
    all.insert(all.end(), frames->begin(), frames->end());
    bytes.remove_prefix(std::min(size, bytes.size()));
  }
  return all;
}

} // namespace

RC_GTEST_PROP(GivenFrames, WhenTheyComeInAnyPiecesThenTheyAreTheSame,
              (const Frames& given, const std::vector<std::uint8_t>& sizes)) {
  std::string bytes;
  Frames wanted;
  for (const auto& frame : given) {
    if (frame.empty()) continue;
    wanted.push_back(frame);
    bytes += door::framed(frame);
  }
  const auto frames = assembled(bytes, sizes);
  RC_ASSERT(frames.ok());
  RC_ASSERT(*frames == wanted);
}

RC_GTEST_PROP(GivenAnyBytes, WhenTheyAreTakenThenNoFrameIsLongerThanWhatCame,
              (const std::string& bytes, const std::vector<std::uint8_t>& sizes)) {
  const auto frames = assembled(bytes, sizes);
  if (!frames) return;
  std::size_t total = 0;
  for (const auto& frame : *frames) {
    RC_ASSERT(!frame.empty());
    total += frame.size() + 4;
  }
  RC_ASSERT(total <= bytes.size());
}

TEST(GivenALengthThatNoFrameHas, WhenItIsReadThenNothingIsTakenEverAfter) {
  for (const std::size_t length :
       {std::size_t{0}, FrameAssembly::largest_frame + 1, std::size_t{0xffffff00}}) {
    FrameAssembly assembly;
    const auto head = door::frame_head(length);
    ASSERT_TRUE(assembly.take({head.data(), 3}).ok());
    EXPECT_FALSE(assembly.take({head.data() + 3, 1}).ok()) << length;
    EXPECT_FALSE(assembly.take(door::framed("a whole one")).ok());
  }
}

TEST(GivenTheLongestFrame, WhenItHasComeThenItIsTaken) {
  FrameAssembly assembly;
  const std::string longest(FrameAssembly::largest_frame, 'x');
  const auto frames = assembly.take(door::framed(longest));
  ASSERT_TRUE(frames.ok());
  EXPECT_EQ(*frames, Frames{longest});
}
