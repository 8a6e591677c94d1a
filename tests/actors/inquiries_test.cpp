// Questions that take more than one slice.
#include "actors/master/inquiries.hpp"
#include "tests/actors/many_hosts.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

class GivenInquiries : public ::testing::Test {
public:
  static constexpr Instant now{1000};
  Caller root{"root", "root", 0, 0, "master", "unix door"};
  Planner planner = planner_of_many_hosts();
  ListedNotebook notebook;
  Inquiries inquiries{planner, notebook};
  std::vector<std::pair<std::string, Answer>> answered; ///< by whom it waits for

  std::optional<Answer> ask(const std::string& who, ValidQuestion question) {
    return inquiries.begin({root, std::move(question)}, now, [this, who] {
      return [this, who](Answer answer) { answered.emplace_back(who, std::move(answer)); };
    });
  }
};

} // namespace

TEST_F(GivenInquiries, WhenOneSliceIsEnoughThenTheAnswerIsThereAndNobodyWaits) {
  EXPECT_TRUE(ask("ann", MayEnter{root}));
  EXPECT_EQ(inquiries.size(), 0u);
}

TEST_F(GivenInquiries, WhenTwoTakeLongThenTheSecondBeginsOnceTheFirstIsAnswered) {
  const ExplainJob question{{1}, true};
  EXPECT_FALSE(ask("ann", question));
  EXPECT_FALSE(ask("bob", question));
  EXPECT_TRUE(ask("eve", MayEnter{root})) << "who asks little does not wait for them";
  EXPECT_EQ(inquiries.size(), 2u);
  for (int slice = 0; slice < 1000 && inquiries.size() > 1; ++slice) inquiries.go_on(now);
  ASSERT_EQ(answered.size(), 1u);
  EXPECT_EQ(answered.front().first, "ann");
  EXPECT_EQ(answered.front().second, planner.ask(question, now));
  for (int slice = 0; slice < 1000 && inquiries.size() > 0; ++slice) inquiries.go_on(now);
  ASSERT_EQ(answered.size(), 2u);
  EXPECT_EQ(answered.back().first, "bob");
}

TEST_F(GivenInquiries, WhenASliceIsInHandThenTheNotebookSaysWhoseAndAfterwardsNobodys) {
  ask("ann", ExplainJob{{1}, true});
  inquiries.go_on(now);
  ASSERT_EQ(notebook.noted.size(), 4u);
  EXPECT_TRUE(notebook.noted[2].starts_with("0/question "));
  EXPECT_EQ(notebook.noted[2], notebook.noted[0]);
  EXPECT_EQ(notebook.noted[3], "");
}

TEST_F(GivenInquiries, WhenAQuestionHasCrashedMastersThenItIsRefusedUnseen) {
  ask("ann", MayEnter{root});
  notebook.poison = notebook.noted.front();
  notebook.noted.clear();
  EXPECT_EQ(ask("ann", MayEnter{root})->exit_code, 1);
  EXPECT_TRUE(notebook.noted.empty());
}
