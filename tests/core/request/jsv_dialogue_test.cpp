// What a JSV may say, and what ends the talk with it.
#include "core/request/jsv_dialogue.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenADialogueWithAJsv : public testing::Test {
protected:
  /// What is said to it, or the error in brackets.
  std::string say(const std::string& line) {
    auto answer = dialogue.hear(line);
    return answer ? *answer : "[" + answer.what() + "]";
  }
  const JsvVerdict& verdict() const { return dialogue.verdict(); }

  JsvDialogue dialogue{{{"VERSION", "1.0"}, {"N", "sleeper"}, {"CMDARG0", "a\nb\\"}},
                       {{"HOME", "/home/alice"}}};
};

} // namespace

TEST_F(GivenADialogueWithAJsv, WhenItHasStartedThenItIsToldOfTheJobALineEach) {
  EXPECT_EQ(JsvDialogue::opening(), "START\n");
  EXPECT_FALSE(dialogue.has_spoken());
  EXPECT_EQ(say("STARTED"), "PARAM VERSION 1.0\nPARAM N sleeper\nPARAM CMDARG0 a\\nb\\\\\nBEGIN\n");
  EXPECT_TRUE(dialogue.has_spoken());
  EXPECT_FALSE(dialogue.is_over());
}

TEST_F(GivenADialogueWithAJsv, WhenItAsksForTheEnvironmentThenItHasThatToo) {
  EXPECT_EQ(say("SEND ENV"), "");
  EXPECT_EQ(say("STARTED"), "PARAM VERSION 1.0\nPARAM N sleeper\nPARAM CMDARG0 a\\nb\\\\\n"
                            "ENV ADD HOME /home/alice\nBEGIN\n");
}

TEST_F(GivenADialogueWithAJsv, WhenItCorrectsThenItsChangesAreKeptInTheirOrder) {
  say("STARTED");
  for (const auto* line : {"LOG INFO looks at it", "PARAM l_hard h_rt=60,mem=1G", "PARAM P",
                           "ENV ADD A x y", "ENV DEL HOME", "", "ENV MOD B a\\nb"})
    EXPECT_EQ(say(line), "") << line;
  EXPECT_EQ(say("RESULT STATE CORRECT the project is gone"), "");
  ASSERT_TRUE(dialogue.is_over());
  EXPECT_EQ(verdict().state, JsvVerdict::State::correct);
  EXPECT_EQ(verdict().text, "the project is gone");
  const std::vector<Attribute> parameters{{"l_hard", "h_rt=60,mem=1G"}, {"P", ""}};
  EXPECT_EQ(verdict().changes.parameters, parameters);
  const auto& environment = verdict().changes.environment;
  ASSERT_EQ(environment.size(), 3u);
  EXPECT_EQ(environment[0].value, "x y");
  EXPECT_EQ(environment[1].verb, JsvChanges::Verb::remove);
  EXPECT_EQ(environment[2].value, "a\nb");
  ASSERT_EQ(verdict().log.size(), 1u);
  EXPECT_EQ(verdict().log.front().text, "looks at it");
}

TEST_F(GivenADialogueWithAJsv, WhenItRejectsThenItsWordsAreThere) {
  say("STARTED");
  say("RESULT STATE REJECT_WAIT come again at night");
  EXPECT_EQ(verdict().state, JsvVerdict::State::reject_wait);
  EXPECT_EQ(verdict().text, "come again at night");
}

TEST_F(GivenADialogueWithAJsv, WhenItWritesGarbageThenItIsSaidWhat) {
  EXPECT_EQ(say("hello"), "[it wrote \"hello\", which is not understood before STARTED]");
  EXPECT_EQ(say("PARAM N x"), "[it wrote \"PARAM N x\", which is not understood before STARTED]");
  EXPECT_EQ(say("STARTED").back(), '\n');
  for (const auto* line : {"STARTED", "SEND ENV", "PARAM", "ENV ADD", "ENV PUT A b", "LOG LOUD x",
                           "RESULT", "RESULT STATE", "RESULT STATE MAYBE", "\x1b[2J", "\xff"})
    EXPECT_TRUE(say(line).starts_with("[it wrote ")) << line;
  EXPECT_EQ(say("ERROR no such table"), "[it failed: no such table]");
  EXPECT_FALSE(dialogue.is_over());
}

TEST_F(GivenADialogueWithAJsv, WhenItWritesWithoutEndThenItIsNotHeardWithoutEnd) {
  EXPECT_TRUE(say(std::string(JsvDialogue::longest_line + 1, 'x')).starts_with("[it wrote a line"));
  say("STARTED");
  std::string last;
  for (std::size_t i = 0; i <= JsvDialogue::most_logs; ++i) last = say("LOG INFO x");
  EXPECT_EQ(last, "[it wrote more than 1000 lines with LOG]");
  const std::string line = "PARAM N " + std::string(200'000, 'x');
  std::size_t lines = 0;
  for (; lines < 100 && say(line).empty(); ++lines) {
  }
  EXPECT_LT(lines, 30u);
}
