// The only writer: durable before it is said, and what is asked of the store.
#include "actors/master/journal.hpp"
#include "schema/codec.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

class GivenAJournal : public ActorFixture {
public:
  MemoryStore store;
  JournalActor journal = keep(spawn_journal(system, directory, store, {7}, Thread::shared));

  static CommitBatch batch(std::vector<store::Write> writes) {
    return {std::make_shared<const std::vector<store::Write>>(std::move(writes))};
  }
  void account(std::int64_t sequence, std::int64_t job) {
    AccountingRecord record;
    record.job_number = {job};
    store.families[store::Family::accounting][store::number_key(sequence)] = encode(record);
  }
  void input(std::int64_t sequence) {
    store.families[store::Family::inputs][store::number_key(sequence)] =
        encode(JournaledInput{{sequence}, {sequence}, 1, Pass{}, 0});
  }
};

} // namespace

TEST_F(GivenAJournal, WhenABatchIsCommittedThenItIsThereBeforeAnybodyHearsOfIt) {
  const auto said = ask<Durable>(*this, journal,
                                 batch({{store::Family::scripts, "hash", "content"},
                                        {store::Family::scripts, "gone", std::nullopt}}));
  EXPECT_TRUE(said->has_value());
  EXPECT_EQ(store.get(store::Family::scripts, "hash"), "content");
  const auto script = ask<ScriptContent>(*this, journal, GetScript{"hash"});
  EXPECT_EQ(*script->value().content, "content");
  EXPECT_EQ(*ask<ScriptContent>(*this, journal, GetScript{"nosuch"})->value().content, "");
}

TEST_F(GivenAJournal, WhenAnotherMasterHasTheStoreThenThisOneEnds) {
  store.next = Commit::fenced;
  EXPECT_EXIT(ask<Durable>(*this, journal, batch({})), testing::ExitedWithCode(1), "");
  store.next = Commit::failed;
  EXPECT_EXIT(ask<Durable>(*this, journal, batch({})), testing::ExitedWithCode(1), "");
}

TEST_F(GivenAJournal, WhenRecordsOfJobsAreWantedThenTheyComeInPagesThatEnd) {
  for (std::int64_t i = 1; i <= 1'200; ++i) account(i, i % 2 == 0 ? 4 : 5);
  const auto jobs = std::make_shared<const std::set<JobNumber>>(std::set{JobNumber{4}});
  std::string from;
  std::size_t found = 0;
  int pages = 0;
  do {
    const auto page =
        ask<FoundAccountingRecords>(*this, journal, FindAccountingRecords{jobs, from});
    ASSERT_TRUE(page->has_value());
    for (const auto& record : page->value().records) found += record.job_number == JobNumber{4};
    from = page->value().next;
  } while (++pages < 10 && !from.empty());
  EXPECT_EQ(found, 600u);
  EXPECT_EQ(pages, 3);
}

TEST_F(GivenAJournal, WhenTheLastInputsAreWantedThenTheyAreCountedFromTheEnd) {
  for (std::int64_t i = 1; i <= 300; ++i) input(i);
  EXPECT_EQ(ask<InputSummaries>(*this, journal, GetInputSummaries{-10})->value().inputs.size(),
            10u);
  EXPECT_EQ(ask<InputSummaries>(*this, journal, GetInputSummaries{295})->value().inputs.size(), 5u);
  EXPECT_EQ(ask<InputSummaries>(*this, journal, GetInputSummaries{0})->value().inputs.size(), 200u)
      << "a page";
  store.families.clear();
  EXPECT_TRUE(ask<InputSummaries>(*this, journal, GetInputSummaries{-10})->value().inputs.empty());
}
