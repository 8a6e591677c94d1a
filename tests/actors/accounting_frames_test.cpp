#include "actors/master/accounting_frames.hpp"

#include "schema/codec.hpp"

#include <gtest/gtest.h>

#include <map>

using namespace almanac;

namespace {

// Accounting alone, in memory.
class StoredAccounting : public Journal {
public:
  void add(std::int64_t count) {
    for (; count > 0; --count) {
      AccountingRecord record;
      record.sequence = static_cast<std::int64_t>(values.size()) + 1;
      values[store::number_key(record.sequence)] = encode(record);
    }
  }
  Commit commit(const std::vector<store::Write>&, Term) override { return Commit::failed; }
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
  bool has_space() const override { return true; }

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
  const auto frames = accounting_frames(records);
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
  const auto frames = accounting_frames(records);
  EXPECT_TRUE(next_of(*frames).empty());
  EXPECT_EQ(next_of(*frames), std::vector<std::int64_t>{-1});
}
