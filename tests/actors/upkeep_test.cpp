// What is removed from the store, and when.
#include "actors/master/upkeep.hpp"
#include "actors/master/accounting_frames.hpp"
#include "schema/codec.hpp"
#include "schema/store/records.hpp"
#include "schema/store/spans.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;
using store::Family;

namespace {

constexpr Instant now{1'000'000'000};
constexpr std::int64_t day = 24 * 3600;

class GivenAStoreWithAPast : public ::testing::Test {
public:
  MemoryStore store;
  Retentions retentions;

  void account(std::int64_t sequence, Instant ended, bool is_indexed = true) {
    AccountingRecord record;
    record.sequence = sequence, record.job_number = {sequence % 7 + 1}, record.ended = ended;
    store.families[Family::accounting][store::number_key(sequence)] = encode(record);
    const auto index = store::index_of(record);
    if (is_indexed) store.families[index.family][index.key] = *index.value;
  }
  void input(std::int64_t sequence, Instant at) {
    store.families[Family::inputs][store::number_key(sequence)] =
        encode(JournaledInput{sequence, at, 1, Pass{}, 0});
  }
  void checkpoint(std::int64_t sequence, Instant made = now) {
    for (const auto& write : store::checkpoint_writes({}, {sequence}, made))
      store.families[write.family][write.key] = *write.value;
  }
  // Pieces that wrote something, until there is nothing to be done.
  int keep_up(Upkeep& upkeep, Instant at = now) {
    int pieces = 0;
    for (;;) {
      const auto piece = upkeep.next(at);
      if (piece.is_last && piece.writes.empty()) return pieces;
      EXPECT_LE(piece.writes.size(), 2 * Upkeep::most_in_a_piece + 1);
      pieces += !piece.writes.empty();
      store.commit(piece.writes, Term{1});
    }
  }
  int keep_up() {
    Upkeep upkeep(store);
    upkeep.follow(retentions);
    return keep_up(upkeep);
  }
  std::vector<std::int64_t> left(Family family) {
    std::vector<std::int64_t> result;
    for (const auto& [key, value] : store.families[family])
      result.push_back(store::key_number(key));
    return result;
  }
};

} // namespace

TEST_F(GivenAStoreWithAPast, WhenRecordsAreTooOldThenTheyGoWithTheirIndexAndItIsKnownSinceWhen) {
  for (std::int64_t i = 1; i <= 2'500; ++i) account(i, now - Duration{500 * day} + Duration{i});
  account(2'501, now - Duration{399 * day});
  keep_up();
  EXPECT_EQ(left(Family::accounting), std::vector<std::int64_t>{2'501});
  EXPECT_EQ(store.families[Family::accounting_of_job].size(), 1u);
  EXPECT_EQ(store.get(Family::meta, accounting_since_key),
            std::to_string(now.seconds - 500 * day + 2'500));
}

TEST_F(GivenAStoreWithAPast, WhenOneThatEndedEarlierIsReportedLaterThenTheLatestEndIsTold) {
  account(1, {900}), account(2, now);
  keep_up();
  account(3, {800}), account(4, now);
  store.families[Family::accounting].erase(store::number_key(2));
  keep_up();
  EXPECT_EQ(left(Family::accounting), std::vector<std::int64_t>{4});
  EXPECT_EQ(store.get(Family::meta, accounting_since_key), "900");
}

TEST_F(GivenAStoreWithAPast, WhenNothingIsTooOldThenNothingIsWritten) {
  account(1, now);
  keep_up();
  EXPECT_EQ(keep_up(), 0);
  EXPECT_FALSE(store.get(Family::meta, accounting_since_key));
}

TEST_F(GivenAStoreWithAPast, WhenAgeHasNoLimitThenNothingIsRemoved) {
  account(1, {1}), input(1, {1}), input(2, {2}), checkpoint(2, {2});
  retentions.accounting.age = retentions.inputs.age = {};
  keep_up();
  EXPECT_EQ(left(Family::accounting).size(), 1u);
  EXPECT_EQ(left(Family::inputs).size(), 2u);
}

// They are kept as accounting is; what goes on stays.
TEST_F(GivenAStoreWithAPast, WhenReportsAndSpansAreOldThenTheyGoAndItIsKnownSinceWhen) {
  for (const Instant at : {Instant{100}, Instant{200}, now}) {
    ReportingRecord report;
    report.sequence = at.seconds, report.at = at;
    store.families[Family::reports][store::number_key(report.sequence)] = encode(report);
    UsageSpan span;
    span.instance = {"all.q", "n1"}, span.during = {{1}, at};
    const auto past = store::write_of_past(span), open = store::write_of_open(span, 0);
    store.families[Family::usage][past.key] = *past.value;
    store.families[Family::usage][open.key] = *open.value;
  }
  keep_up();
  EXPECT_EQ(left(Family::reports), std::vector<std::int64_t>{now.seconds});
  EXPECT_EQ(store.families[Family::usage].size(), 2u) << "the last one, and what goes on";
  EXPECT_EQ(store.get(Family::meta, store::usage_since_key), "200");
}

TEST_F(GivenAStoreWithAPast, WhenInputsAreOldThenThoseSinceTheCheckpointAndTheLastOneStay) {
  for (std::int64_t i = 1; i <= 10; ++i) input(i, {i});
  keep_up();
  EXPECT_EQ(left(Family::inputs).size(), 10u) << "there is no checkpoint to go on from";
  checkpoint(4);
  keep_up();
  EXPECT_EQ(left(Family::inputs), (std::vector<std::int64_t>{5, 6, 7, 8, 9, 10}));
  store.families[Family::checkpoint].clear();
  checkpoint(10);
  keep_up();
  EXPECT_EQ(left(Family::inputs), std::vector<std::int64_t>{10}) << "it tells time and number";
}

TEST_F(GivenAStoreWithAPast, WhenThereIsTooMuchThenTheOldestGoAndTheRestFits) {
  retentions.accounting = {{}, 1};
  std::size_t bytes = 0;
  for (std::int64_t i = 1; bytes < 3u << 20; ++i) {
    account(i, now);
    bytes += store.families[Family::accounting].rbegin()->second.size() + 8;
  }
  const auto last = left(Family::accounting).back();
  Upkeep upkeep(store);
  upkeep.follow(retentions);
  const auto size = [&] {
    std::size_t sum = 0;
    for (const auto& [key, value] : store.families[Family::accounting])
      sum += key.size() + value.size();
    return sum;
  };
  keep_up(upkeep);
  EXPECT_LE(size(), 1u << 20);
  EXPECT_GT(size(), (1u << 20) - 1'000) << "no more than has to go";
  EXPECT_EQ(left(Family::accounting).back(), last);
  for (std::int64_t i = 1; i <= 100; ++i) account(last + i, now);
  keep_up(upkeep);
  EXPECT_LE(size(), 1u << 20) << "what came since is counted, too";
}

TEST_F(GivenAStoreWithAPast, WhenAnEarlierVersionWroteItThenTheIndexIsCompletedOnce) {
  for (std::int64_t i = 1; i <= 2'500; ++i) account(i, now, false);
  {
    Upkeep cut(store); // a crash after its first piece
    store.commit(cut.next(now).writes, Term{1});
    EXPECT_FALSE(cut.is_indexed());
  }
  EXPECT_EQ(store.families[Family::accounting_of_job].size(), Upkeep::most_in_a_piece);
  Upkeep upkeep(store);
  EXPECT_EQ(keep_up(upkeep), 2);
  EXPECT_TRUE(upkeep.is_indexed());
  EXPECT_EQ(store.families[Family::accounting_of_job].size(), 2'500u);
  EXPECT_TRUE(Upkeep(store).is_indexed());
}

TEST_F(GivenAStoreWithAPast, WhenARecordCantBeReadThenItStaysAndOthersGo) {
  account(1, {1}), account(3, {1});
  store.families[Family::accounting][store::number_key(2)] = "damaged";
  keep_up();
  EXPECT_EQ(left(Family::accounting), std::vector<std::int64_t>{2});
}

TEST_F(GivenAStoreWithAPast, WhenCheckpointsAreMadeThenInputsAreKeptBackToOneThatIsOldEnough) {
  std::int64_t sequence = 0;
  checkpoint(0, now);
  Upkeep upkeep(store);
  upkeep.follow({});
  std::size_t most = 0;
  for (std::int64_t of_day = 1; of_day <= 365; ++of_day) {
    const auto at = now + Duration{of_day * day};
    for (int i = 0; i < 10; ++i) input(++sequence, at);
    for (;;) {
      const auto piece = upkeep.next(at);
      store.commit(piece.writes, Term{1});
      if (piece.wants_checkpoint) upkeep.begin_checkpoint(store.snapshot(), {sequence}, at);
      else if (piece.is_last && piece.writes.empty()) break;
    }
    most = std::max(most, left(Family::inputs).size());
    const auto checkpoints = checkpoints_in(store);
    ASSERT_FALSE(checkpoints.empty());
    EXPECT_LE(checkpoints.size(), 2u);
    EXPECT_LE(left(Family::inputs).front(), checkpoints.front().sequence.value + 1)
        << "from the oldest one on all can be decided again";
    if (of_day > 7) {
      EXPECT_LE(left(Family::inputs).front(), sequence - 69) << "those of seven days";
    }
  }
  EXPECT_LE(most, 150u);
}

TEST_F(GivenAStoreWithAPast, WhenInputsTakeTooMuchThenACheckpointLetsThemGo) {
  retentions.inputs = {{}, 1};
  checkpoint(0, now);
  std::int64_t sequence = 0;
  for (; sequence < 20'000; ++sequence) input(sequence + 1, now);
  Upkeep upkeep(store);
  upkeep.follow(retentions);
  int wanted = 0;
  for (;;) {
    const auto piece = upkeep.next(now);
    store.commit(piece.writes, Term{1});
    if (piece.wants_checkpoint) {
      ++wanted;
      upkeep.begin_checkpoint(store.snapshot(), {sequence}, now);
    } else if (piece.is_last && piece.writes.empty()) break;
  }
  EXPECT_EQ(wanted, 1);
  EXPECT_EQ(checkpoints_in(store).size(), 1u);
  EXPECT_LT(left(Family::inputs).size(), 20'000u);
}

TEST_F(GivenAStoreWithAPast, WhenACheckpointIsCutByACrashThenWhatIsThereOfItGoes) {
  for (std::int64_t i = 1; i <= 3'000; ++i) {
    HostState host;
    host.name = "h" + std::to_string(i);
    store.families[Family::hosts][host.name] = encode(host);
  }
  checkpoint(0, now), input(7, now);
  const auto before = store.families[Family::checkpoint];
  {
    Upkeep upkeep(store);
    keep_up(upkeep);
    upkeep.begin_checkpoint(store.snapshot(), {7}, now);
    store.commit(upkeep.next(now).writes, Term{1});
    EXPECT_GT(store.families[Family::checkpoint].size(), before.size());
    EXPECT_EQ(checkpoints_in(store).size(), 1u) << "it is not whole";
  }
  keep_up();
  EXPECT_EQ(store.families[Family::checkpoint], before);
  Upkeep upkeep(store);
  upkeep.begin_checkpoint(store.snapshot(), {7}, now);
  store.families[Family::hosts].clear(); // the snapshot has them
  keep_up(upkeep);
  ASSERT_EQ(checkpoints_in(store).size(), 2u);
  const auto made = store::read_checkpoint(
      [&](Family family, const auto& visit) { store.scan(family, visit); }, Sequence{7});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->records.hosts.size(), 3'000u);
}

TEST_F(GivenAStoreWithAPast, WhenTheMarkOfTheIndexIsDamagedThenTheIndexIsMadeAgain) {
  account(1, now, false);
  store.families[Family::meta]["accounting_indexed"] = "no number";
  keep_up();
  EXPECT_EQ(store.families[Family::accounting_of_job].size(), 1u);
}
