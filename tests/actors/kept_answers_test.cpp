#include "actors/master/kept_answers.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

KeptAnswer kept_answer(std::size_t characters, std::int64_t given = 0) {
  Answer answer;
  answer.say(Statement::said(std::string(characters, 'x')));
  return {"hash", answer, {given}};
}
std::string kept_key(int user, int request) {
  return std::to_string(user) + "/" + std::to_string(request);
}

} // namespace

TEST(GivenKeptAnswers, WhenAUserHasLongOnesThenTheOldestGoAndOthersKeepTheirs) {
  KeptAnswers answers;
  EXPECT_TRUE(answers.keep(kept_key(2, 0), kept_answer(100)).empty());
  std::vector<std::string> dropped;
  for (int request = 0; request < 100; ++request)
    for (auto& key : answers.keep(kept_key(1, request), kept_answer(1 << 20)))
      dropped.push_back(std::move(key));
  ASSERT_EQ(dropped.size(), 69u) << "of 100 of a megabyte 31 fit into 32";
  EXPECT_EQ(dropped.front(), kept_key(1, 0));
  EXPECT_FALSE(answers.find(kept_key(1, 68)));
  EXPECT_TRUE(answers.find(kept_key(1, 69)));
  EXPECT_TRUE(answers.find(kept_key(2, 0)));
}

TEST(GivenKeptAnswers, WhenOneIsTooLongByItselfThenItIsKeptAlone) {
  KeptAnswers answers;
  answers.keep(kept_key(1, 1), kept_answer(10));
  EXPECT_EQ(answers.keep(kept_key(1, 2), kept_answer(64u << 20)).size(), 1u);
  EXPECT_TRUE(answers.find(kept_key(1, 2)));
  EXPECT_EQ(answers.keep(kept_key(1, 3), kept_answer(10)).size(), 1u) << "it goes with the next";
}

TEST(GivenKeptAnswers, WhenOneIsKeptAgainThenItCountsOnce) {
  KeptAnswers answers;
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(answers.keep(kept_key(1, 1), kept_answer(1 << 20)).empty());
  EXPECT_TRUE(answers.keep(kept_key(1, 2), kept_answer(1 << 20)).empty());
}

TEST(GivenKeptAnswersOfAStore, WhenTimePassesThenTheOldOnesAreForgottenAndNoLongerCounted) {
  KeptAnswers answers(
      {{kept_key(1, 1), kept_answer(20u << 20, 5)}, {kept_key(1, 2), kept_answer(10, 100'000)}});
  EXPECT_EQ(answers.forget_old(Instant{5} + KeptAnswers::kept_for),
            std::vector<std::string>{kept_key(1, 1)});
  EXPECT_TRUE(answers.keep(kept_key(1, 3), kept_answer(20u << 20)).empty());
}
