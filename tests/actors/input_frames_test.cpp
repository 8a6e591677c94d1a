#include "actors/master/input_frames.hpp"

#include "schema/codec.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

class GivenInputsInTheStore : public ::testing::Test {
public:
  MemoryStore store;

  void add(std::int64_t sequence, const Input& input = Pass{}) {
    store.families[store::Family::inputs][store::number_key(sequence)] =
        encode(JournaledInput{sequence, {sequence}, 1, input, 0});
  }
  // Each tenth input names host n1.
  void add_up_to(std::int64_t last) {
    for (std::int64_t i = 1; i <= last; ++i) i % 10 == 0 ? add(i, HostSilent{"n1", false}) : add(i);
  }
  std::shared_ptr<AnswerFrames> frames(std::int64_t after, InputFilter filter = {}) const {
    return input_frames(store, {after, std::move(filter)});
  }
  static std::optional<door::InputSummaries> next(AnswerFrames& frames) {
    auto frame = frames.next();
    return frame ? std::optional(std::get<door::InputSummaries>(std::move(*frame))) : std::nullopt;
  }
  /// The numbers of what one frame after the other has.
  static std::vector<std::int64_t> all(AnswerFrames& frames) {
    std::vector<std::int64_t> found;
    while (const auto frame = next(frames)) {
      EXPECT_LE(frame->inputs.size(), most_inputs_in_a_frame);
      for (const auto& one : frame->inputs) found.push_back(one.sequence.value);
    }
    return found;
  }
  std::vector<std::int64_t> all(std::int64_t after, InputFilter filter = {}) const {
    return all(*frames(after, std::move(filter)));
  }
};

} // namespace

TEST_F(GivenInputsInTheStore, WhenInputsAreAskedForThenThoseBehindANumberComeFrameByFrame) {
  add_up_to(450);
  const auto answer = frames(50);
  auto frame = next(*answer);
  ASSERT_EQ(frame->inputs.size(), 200u);
  EXPECT_EQ(frame->inputs.front().sequence.value, 51);
  EXPECT_EQ(frame->read_to.value, 250);
  add(451); // later than the question
  frame = next(*answer);
  ASSERT_EQ(frame->inputs.size(), 200u);
  EXPECT_EQ(frame->read_to.value, 450);
  EXPECT_FALSE(next(*answer));
}

TEST_F(GivenInputsInTheStore, WhenTheLastInputsAreWantedThenTheyAreCountedFromTheEnd) {
  add_up_to(300);
  EXPECT_EQ(all(-2), (std::vector<std::int64_t>{299, 300}));
  EXPECT_EQ(all(-1'000).size(), 300u);
  EXPECT_EQ(all(-20, {{"host n1"}}), (std::vector<std::int64_t>{290, 300})) << "of these twenty";
}

TEST_F(GivenInputsInTheStore, WhenOnlySomeAreWantedThenNoOtherIsSent) {
  add_up_to(4'500);
  const auto found = all(0, {{"host n1"}});
  ASSERT_EQ(found.size(), 450u);
  EXPECT_EQ(found.front(), 10);
  EXPECT_EQ(found.back(), 4'500);
}

TEST_F(GivenInputsInTheStore, WhenNothingInItIsWantedThenTheReaderStillHearsOfEachPiece) {
  add_up_to(5'000);
  const auto answer = frames(0, {{"host n2"}});
  for (const std::int64_t read_to : {2'000, 4'000, 5'000}) {
    const auto frame = next(*answer);
    ASSERT_TRUE(frame);
    EXPECT_TRUE(frame->inputs.empty());
    EXPECT_EQ(frame->read_to.value, read_to);
  }
  EXPECT_FALSE(next(*answer));
}

TEST_F(GivenInputsInTheStore, WhenInputsAreLargeThenFewerAreLookedAtForAFrame) {
  const std::string large(100'000, 'x');
  for (std::int64_t i = 1; i <= 100; ++i) add(i, Command{{}, DeleteJobs{{large}, {}, {}, false}});
  const auto answer = frames(0, {{"host n1"}});
  EXPECT_LT(next(*answer)->read_to.value, 50);
  EXPECT_TRUE(all(*answer).empty()) << "and the others for the next ones";
}

TEST_F(GivenInputsInTheStore, WhenThereIsNothingThenOneFrameSaysSo) {
  for (const std::int64_t after : {-5, 0, 5}) {
    const auto answer = frames(after);
    const auto frame = next(*answer);
    ASSERT_TRUE(frame);
    EXPECT_TRUE(frame->inputs.empty());
    EXPECT_EQ(frame->read_to.value, std::max<std::int64_t>(after, 0));
    EXPECT_FALSE(next(*answer));
  }
}

TEST_F(GivenInputsInTheStore, WhenAnInputCannotBeReadThenTheOthersCome) {
  add_up_to(5);
  store.families[store::Family::inputs][store::number_key(2)] = "what can't be read";
  EXPECT_EQ(all(0), (std::vector<std::int64_t>{1, 3, 4, 5}));
  store.families[store::Family::inputs][store::number_key(5)] = "what can't be read";
  EXPECT_EQ(all(0), (std::vector<std::int64_t>{1, 3, 4}));
}

TEST_F(GivenInputsInTheStore, WhenAFrameIsTooLongThenEachPartOfItSaysHowFarItGoes) {
  for (std::int64_t i = 1; i <= 200; ++i)
    add(i, Command{{}, DeleteJobs{{std::string(4'000, 'x')}, {}, {}, false}});
  EncodedFrames encoded(frames(0));
  std::int64_t parts = 0, last = 0;
  while (const auto content = encoded.next()) {
    EXPECT_LE(content->size(), door::largest_frame);
    const auto reply = *decode<door::Reply>(*content);
    const auto& frame = std::get<door::InputSummaries>(reply.body);
    EXPECT_EQ(frame.inputs.front().sequence.value, last + 1);
    last = frame.read_to.value, ++parts;
    EXPECT_EQ(frame.inputs.back().sequence.value, last);
  }
  EXPECT_GT(parts, 1);
  EXPECT_EQ(last, 200);
}
