// What the next commit writes.
#include "actors/master/next_commit.hpp"
#include "schema/codec.hpp"
#include "schema/store/records.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

class GivenTheNextCommit : public ::testing::Test {
public:
  MemoryStore store;
  NextCommit commit{{41}, KeptAnswers()};

  static Effect job(std::int64_t key, const std::string& hash) {
    Job job;
    job.key = {key}, job.script_hash = hash;
    return std::make_shared<const Job>(job);
  }
  void add(std::vector<Effect> effects) {
    Decisions decisions;
    decisions.effects = std::move(effects);
    commit.add(Pass{}, Instant{7}, decisions, {});
  }
  // Of one family, in the order in which they are written; "": that it goes.
  std::vector<std::pair<std::string, std::string>> taken(store::Family family) {
    std::vector<std::pair<std::string, std::string>> result;
    const auto writes = commit.take();
    for (const auto& write : *writes)
      if (write.family == family) result.emplace_back(write.key, write.value.value_or(""));
    return result;
  }
  using Writes = std::vector<std::pair<std::string, std::string>>;
};

} // namespace

TEST_F(GivenTheNextCommit, WhenInputsAreAddedThenTheyAreNumberedOnAndTakenOnce) {
  add({}), add({});
  EXPECT_EQ(commit.last_sequence().value, 43);
  const auto inputs = taken(store::Family::inputs);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs.back().first, store::number_key(43));
  const auto input = decode<JournaledInput>(inputs.front().second);
  EXPECT_EQ(input->sequence.value, 42);
  EXPECT_EQ(input->now, Instant{7});
  EXPECT_TRUE(commit.take()->empty());
}

TEST_F(GivenTheNextCommit, WhenAnAccountingRecordIsDecidedThenItsIndexIsWrittenWithIt) {
  AccountingRecord record;
  record.sequence = 3, record.job_number = {7};
  add({record});
  const auto writes = commit.take();
  ASSERT_EQ(writes->size(), 3u);
  EXPECT_EQ(writes->at(1).family, store::Family::accounting);
  EXPECT_EQ(writes->at(2).key, store::index_of(record).key);
}

TEST_F(GivenTheNextCommit, WhenTheLastJobWithAScriptIsGoneThenTheScriptGoes) {
  commit.add_script("a", "before any job has it");
  EXPECT_TRUE(commit.take()->empty());
  add({job(1, "a"), job(2, "a")});
  commit.add_script("a", "content");
  EXPECT_EQ(taken(store::Family::scripts), (Writes{{"a", "content"}}));
  add({Erased<Job>{{1}}});
  EXPECT_TRUE(taken(store::Family::scripts).empty());
  add({Erased<Job>{{2}}});
  EXPECT_EQ(taken(store::Family::scripts), (Writes{{"a", ""}}));
}

TEST_F(GivenTheNextCommit, WhenTheStoreHasScriptsOfNoJobThenTheyGoAtTheStart) {
  store.families[store::Family::scripts] = {{"a", "content"}, {"b", "content"}};
  commit.begin({job(1, "b")}, store, {7});
  EXPECT_EQ(taken(store::Family::scripts), (Writes{{"a", ""}}));
  add({Erased<Job>{{1}}});
  EXPECT_EQ(taken(store::Family::scripts), (Writes{{"b", ""}}));
}

TEST_F(GivenTheNextCommit, WhenAnAnswerIsKeptThenItIsFoundAndWrittenUntilItIsOld) {
  EXPECT_EQ(commit.answer("7/a"), nullptr);
  commit.keep_answer("7/a", {"hash", Answer(), Instant{1000}});
  ASSERT_TRUE(commit.answer("7/a"));
  EXPECT_EQ(commit.answer("7/a")->request_hash, "hash");
  EXPECT_EQ(taken(store::Family::answers).size(), 1u);
  commit.forget_old_answers(Instant{1000} + KeptAnswers::kept_for - Duration{1});
  EXPECT_TRUE(taken(store::Family::answers).empty());
  commit.forget_old_answers(Instant{1000} + KeptAnswers::kept_for);
  EXPECT_TRUE(taken(store::Family::answers).empty()) << "nobody looks every second";
  commit.forget_old_answers(Instant{1600} + KeptAnswers::kept_for);
  EXPECT_EQ(taken(store::Family::answers), (Writes{{"7/a", ""}}));
  EXPECT_EQ(commit.answer("7/a"), nullptr);
}

TEST_F(GivenTheNextCommit,
       WhenAnInputTellsSomethingThenItsRowsAreInItsBatchButNotInItsFingerprint) {
  const auto rows =
      store::rows_of({42}, {{{EventKind::Of::host, {}}, EventVerb::modified, 0, 0, "h1"},
                            {{EventKind::Of::job, {}}, EventVerb::added, 7, 0, {}}});
  commit.add(Pass{}, Instant{7}, Decisions(), rows);
  commit.add(Pass{}, Instant{7}, Decisions(), {});
  const auto writes = commit.take();
  ASSERT_EQ(writes->size(), 4u);
  EXPECT_EQ(writes->at(1).key, store::change_key({42}, 0));
  EXPECT_EQ(writes->at(1).family, store::Family::changes);
  EXPECT_EQ(writes->at(2).value, store::write_of(rows.back()).value);
  const auto told = decode<JournaledInput>(*writes->at(0).value);
  const auto silent = decode<JournaledInput>(*writes->at(3).value);
  EXPECT_EQ(told->decision, silent->decision);
}

TEST_F(GivenTheNextCommit, WhenTheMasterStartsThenTheStoreHearsWithWhichInput) {
  store.families[store::Family::meta][store::starts_key] = "5-1 6-20";
  commit.begin({}, store, {7});
  const auto starts = taken(store::Family::meta);
  EXPECT_EQ(starts, (Writes{{store::starts_key, "5-1 6-20 7-42"}}));
}
