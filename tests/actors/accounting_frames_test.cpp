#include "actors/master/accounting_frames.hpp"

#include "schema/codec.hpp"
#include "schema/store/records.hpp"
#include "tests/actors/memory_store.hpp"

#include <limits>
#include <map>

using namespace almanac;

namespace {

// Accounting alone, in memory.
class StoredAccounting : public Archive {
public:
  void add(std::int64_t count) {
    for (; count > 0; --count) {
      AccountingRecord record;
      record.sequence = static_cast<std::int64_t>(values.size()) + 1;
      values[store::number_key(record.sequence)] = encode(record);
    }
  }
  std::optional<std::string> get(store::Family, const std::string&) const override { return {}; }
  void scan_from(store::Family family, const std::string& from, const Visit& visit) const override {
    EXPECT_EQ(family, store::Family::accounting);
    for (auto it = values.lower_bound(from); it != values.end(); ++it) {
      ++read;
      if (!visit(it->first, it->second)) return;
    }
  }
  std::optional<std::string> last(store::Family) const override {
    return values.empty() ? std::nullopt : std::optional(values.rbegin()->second);
  }

  std::shared_ptr<const Archive> snapshot() const override { return nullptr; }

  std::map<std::string, std::string> values;
  mutable int read = 0;
};

std::vector<std::int64_t> next_of(AnswerFrames& frames) {
  const auto frame = frames.next();
  if (!frame) return {-1};
  std::vector<std::int64_t> sequences;
  for (const auto& record : std::get<door::Accounting>(*frame).records)
    sequences.push_back(record.sequence);
  return sequences;
}

} // namespace

TEST(GivenAccountingRecords, WhenTheyAreAskedForThenTheyAreReadAsTheirReaderTakesThem) {
  StoredAccounting records;
  records.add(450);
  const auto frames = accounting_frames(records, {});
  EXPECT_EQ(records.read, 0) << "nobody has taken anything";
  EXPECT_EQ(next_of(*frames).size(), 200u);
  EXPECT_LE(records.read, 201);
  records.add(100); // later than the question
  records.values[store::number_key(300)] = "what can't be read";
  auto more = next_of(*frames);
  EXPECT_EQ(more.front(), 201);
  EXPECT_EQ(more.size(), 200u);
  more = next_of(*frames);
  EXPECT_EQ(more.front(), 402) << "one could not be read";
  EXPECT_EQ(more.back(), 450);
  EXPECT_EQ(next_of(*frames), std::vector<std::int64_t>{-1});
}

TEST(GivenAccountingRecords, WhenThereAreNoneThenOneFrameSaysSo) {
  const StoredAccounting records;
  const auto frames = accounting_frames(records, {});
  EXPECT_TRUE(next_of(*frames).empty());
  EXPECT_EQ(next_of(*frames), std::vector<std::int64_t>{-1});
}

namespace {

class GivenAHistory : public ::testing::Test {
public:
  MemoryStore store;

  // Sequence, number of the job, its key, its task.
  void add(std::int64_t sequence, std::int64_t number, std::int64_t key, std::int64_t task = 0) {
    AccountingRecord record;
    record.sequence = sequence, record.job_number = {number}, record.job = {key};
    record.task = task, record.owner = number % 2 == 0 ? "even" : "odd";
    store.families[store::Family::accounting][store::number_key(sequence)] = encode(record);
    const auto index = store::index_of(record);
    store.families[index.family][index.key] = *index.value;
  }
  std::vector<std::int64_t> all(AccountingQuery query) const {
    std::vector<std::int64_t> found;
    const auto frames = accounting_frames(store, std::move(query));
    for (auto next = next_of(*frames); next != std::vector<std::int64_t>{-1};
         next = next_of(*frames)) {
      EXPECT_LE(next.size(), most_records_in_a_frame);
      found.insert(found.end(), next.begin(), next.end());
    }
    return found;
  }
};

} // namespace

TEST_F(GivenAHistory, WhenNothingInItIsWantedThenTheReaderStillHearsOfEachPiece) {
  for (std::int64_t i = 1; i <= 5'000; ++i) add(i, i, i);
  AccountingFilter filter;
  filter.owner = "nobody";
  const auto frames = accounting_frames(store, {filter, {}, {}});
  for (int piece = 0; piece < 3; ++piece)
    EXPECT_TRUE(next_of(*frames).empty()) << "2,000 records are looked at for each";
  EXPECT_EQ(next_of(*frames), std::vector<std::int64_t>{-1});
  filter.owner = "even";
  EXPECT_EQ(all({filter, {}, {}}).size(), 2'500u);
  filter.project = "NONE", filter.host = "*";
  EXPECT_EQ(all({filter, {}, {}}).size(), 2'500u) << "what stands for others is in no record";
}

TEST_F(GivenAHistory, WhenAJobIsWantedThenItsIndexFindsItsRecords) {
  for (std::int64_t i = 1; i <= 5'000; ++i) add(i, i % 2, 1);
  add(5'001, 7, 20, 1), add(5'002, 7, 30, 1), add(5'003, 7, 30, 2), add(5'004, 8, 31);
  AccountingFilter filter;
  filter.number = {7};
  EXPECT_EQ(all({filter, {}, {}}), (std::vector<std::int64_t>{5'001, 5'002, 5'003}));
  EXPECT_EQ(all({filter, {30}, {}}), (std::vector<std::int64_t>{5'002, 5'003}))
      << "another job had the number";
  filter.owner = "even";
  EXPECT_TRUE(all({filter, {}, {}}).empty());
  for (const auto number : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    filter.number = {number};
    EXPECT_TRUE(all({filter, {}, {}}).empty());
  }
}

TEST_F(GivenAHistory, WhenATaskIsInErrorThenThatStandsForWhatIsStoredOfIt) {
  add(1, 7, 30, 1), add(2, 7, 30, 2);
  AccountingQuery query;
  query.filter.number = {7};
  for (std::int64_t task = 2; task <= 300; ++task)
    query.also.emplace_back().sequence = 1'000 + task, query.also.back().task = task;
  const auto found = all(query);
  ASSERT_EQ(found.size(), 300u);
  EXPECT_EQ(found.front(), 1);
  EXPECT_EQ(found.back(), 1'300);
}

TEST_F(GivenAHistory, WhenItsBeginningWasRemovedThenTheReaderHearsSinceWhenItIsKnown) {
  store.families[store::Family::meta][accounting_since_key] = "86400";
  const auto frame = accounting_frames(store, {})->next();
  EXPECT_EQ(std::get<door::Accounting>(*frame).known_since.seconds, 86'400);
}
