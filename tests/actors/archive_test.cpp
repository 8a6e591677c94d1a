// What is asked of the store, and whose turn it is.
#include "actors/master/archive.hpp"
#include "actors/master/journal.hpp"
#include "schema/codec.hpp"
#include "schema/store/records.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;
using store::Family;

namespace {

class GivenAnArchive : public ActorFixture {
public:
  MemoryStore store;
  JournalActor journal = keep(spawn_journal(system, directory, store, {7}, Thread::shared));
  Partner door = partner();
  ArchiveActor archive = begin();

  ArchiveActor begin() {
    return keep(spawn_archive(system, {&store, &clock, journal, directory}, Thread::shared));
  }
  void account(std::int64_t sequence, std::int64_t number, bool is_indexed = true) {
    AccountingRecord record;
    record.sequence = sequence, record.job_number = {number}, record.ended = clock.now();
    store.families[Family::accounting][store::number_key(sequence)] = encode(record);
    const auto index = store::index_of(record);
    if (is_indexed) store.families[index.family][index.key] = *index.value;
  }
  void input(std::int64_t sequence, const Input& input = Pass{}) {
    store.families[Family::inputs][store::number_key(sequence)] =
        encode(JournaledInput{sequence, {sequence}, 1, input, 0});
  }
  static FindAccounting find(std::int64_t number, std::int64_t reader = 0) {
    FindAccounting result;
    result.query.filter.number = {number}, result.reader = reader;
    return result;
  }
  static std::size_t records_in(const DoorReply& reply) {
    return std::get<door::Accounting>(decode<door::Reply>(reply.content)->body).records.size();
  }
  static door::InputSummaries inputs_in(const DoorReply& reply) {
    return std::get<door::InputSummaries>(decode<door::Reply>(reply.content)->body);
  }
};

} // namespace

TEST_F(GivenAnArchive, WhenAScriptIsWantedThenItsHashFindsIt) {
  store.families[Family::scripts]["hash"] = "content";
  EXPECT_EQ(*ask<ScriptContent>(*this, archive, GetScript{"hash"})->value().content, "content");
  EXPECT_EQ(*ask<ScriptContent>(*this, archive, GetScript{"nosuch"})->value().content, "");
}

TEST_F(GivenAnArchive, WhenInputsAreWantedThenTheDoorAsksForOneFrameAfterTheOther) {
  for (std::int64_t i = 1; i <= 5'000; ++i)
    input(i, i > 4'998 ? Input(HostSilent{"n1", false}) : Pass{});
  auto reply = ask<DoorReply>(*this, archive, FindInputs{{0, {{"host n1"}}}, 0, 2})->value();
  EXPECT_TRUE(inputs_in(reply).inputs.empty());
  EXPECT_EQ(inputs_in(reply).read_to.value, 2'000);
  for (int frame = 0; frame < 2; ++frame) {
    ASSERT_TRUE(!reply.last && reply.rest && reply.maker);
    tell_as(door, archive, TakeFrame{5, reply.rest});
    reply = door.all<DoorReply>().back();
    EXPECT_EQ(reply.connection, 5);
  }
  EXPECT_TRUE(reply.last);
  EXPECT_EQ(inputs_in(reply).inputs.size(), 2u);
  EXPECT_EQ(inputs_in(reply).read_to.value, 5'000);
}

TEST_F(GivenAnArchive, WhenTheIndexIsNotThereYetThenWhoeverWantsInputsDoesNotWait) {
  for (std::int64_t i = 1; i <= 3'000; ++i) account(i, i, false);
  input(1);
  const auto answer = ask<DoorReply>(*this, begin(), FindInputs{{0, {}}, 0, 2});
  ASSERT_TRUE(answer->has_value());
  EXPECT_EQ(inputs_in(answer->value()).inputs.size(), 1u);
}

TEST_F(GivenAnArchive, WhenAnAnswerIsLongThenEachFrameIsMadeWhenItIsAskedFor) {
  for (std::int64_t i = 1; i <= 500; ++i) account(i, i);
  auto reply = ask<DoorReply>(*this, archive, find(0))->value();
  std::size_t found = records_in(reply);
  for (int frames = 0; !reply.last && frames < 10; ++frames) {
    ASSERT_TRUE(reply.rest && reply.maker);
    tell_as(door, archive, TakeFrame{5, reply.rest});
    ASSERT_EQ(door.all<DoorReply>().size(), static_cast<std::size_t>(frames) + 1);
    reply = door.all<DoorReply>().back();
    EXPECT_EQ(reply.connection, 5);
    found += records_in(reply);
  }
  EXPECT_TRUE(reply.last);
  EXPECT_EQ(found, 500u);
}

TEST_F(GivenAnArchive, WhenOneReaderAsksALotThenOthersHaveTheirTurn) {
  tell(archive, RetentionsChanged{});
  for (std::int64_t i = 1; i <= 500; ++i) account(i, i);
  std::vector<int> order;
  const auto read = [&](std::int64_t reader, std::int64_t number) {
    keep(system.spawn([=, this, &order](caf::event_based_actor* self) {
      self->request(archive, caf::infinite, find(number, reader))
          .then([&order, reader](const DoorReply&) { order.push_back(static_cast<int>(reader)); });
    }));
  };
  for (int i = 0; i < 10; ++i) read(1, 0);
  read(2, 7);
  settle();
  ASSERT_EQ(order.size(), 11u);
  EXPECT_LE(std::find(order.begin(), order.end(), 2) - order.begin(), 2);
}

TEST_F(GivenAnArchive, WhenTheIndexIsNotThereYetThenWhoeverLooksForAJobWaitsForIt) {
  for (std::int64_t i = 1; i <= 3'000; ++i) account(i, i, false);
  const auto later = begin();
  const auto answer = ask<DoorReply>(*this, later, find(2'999));
  EXPECT_FALSE(answer->has_value());
  tell(later, RetentionsChanged{});
  ASSERT_TRUE(answer->has_value());
  EXPECT_EQ(records_in(answer->value()), 1u);
}

TEST_F(GivenAnArchive, WhenTimeGoesOnThenWhatIsTooOldIsRemoved) {
  account(1, 1);
  tell(archive, RetentionsChanged{{{{3600}, 0}, {}}});
  EXPECT_EQ(store.families[Family::accounting].size(), 1u);
  pass(std::chrono::hours(2));
  EXPECT_TRUE(store.families[Family::accounting].empty());
}

TEST_F(GivenAnArchive, WhenRetentionChangesThenItIsFollowedAtOnce) {
  for (std::int64_t i = 1; i <= 3'000; ++i) account(i, i);
  tell(archive, RetentionsChanged{});
  EXPECT_EQ(store.families[Family::accounting].size(), 3'000u);
  Retentions less;
  less.accounting = {Duration{1}, 0};
  pass(std::chrono::seconds(2));
  EXPECT_EQ(store.families[Family::accounting].size(), 3'000u);
  tell(archive, RetentionsChanged{less});
  EXPECT_TRUE(store.families[Family::accounting].empty()) << "nobody waits ten minutes for it";
}
