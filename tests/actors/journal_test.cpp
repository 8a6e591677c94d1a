// The only writer: durable before it is said.
#include "actors/master/journal.hpp"
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
};

} // namespace

TEST_F(GivenAJournal, WhenABatchIsCommittedThenItIsThereBeforeAnybodyHearsOfIt) {
  const auto said = ask<Durable>(*this, journal,
                                 batch({{store::Family::scripts, "hash", "content"},
                                        {store::Family::scripts, "gone", std::nullopt}}));
  EXPECT_TRUE(said->has_value());
  EXPECT_EQ(store.get(store::Family::scripts, "hash"), "content");
  EXPECT_FALSE(store.get(store::Family::scripts, "gone"));
}

TEST_F(GivenAJournal, WhenAnotherMasterHasTheStoreThenThisOneEnds) {
  store.next = Commit::fenced;
  EXPECT_EXIT(ask<Durable>(*this, journal, batch({})), testing::ExitedWithCode(1), "");
  store.next = Commit::failed;
  EXPECT_EXIT(ask<Durable>(*this, journal, batch({})), testing::ExitedWithCode(1), "");
}
