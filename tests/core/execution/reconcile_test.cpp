#include "core/execution/reconcile.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {
const Attempt one{1, 0, 1}, two{2, 0, 1};
} // namespace

TEST(GivenAnAgentThatRegisters, WhenATaskIsNotInItsListThenSpoolAndStateDecide) {
  const auto same = reconcile({{one, true, false}, {two, true, true}}, {}, true, "s", {1});
  EXPECT_EQ(same.send_again, std::vector<Attempt>{one}) << "never started: the same attempt again";
  EXPECT_EQ(same.lost, std::vector<Attempt>{two});
  const auto other = reconcile({{one, false, true}}, {}, false, "s", {1});
  EXPECT_EQ(other.lost, std::vector<Attempt>{one});
}

TEST(GivenAnAgentThatRegisters, WhenItHasMoreThanItShouldThenOnlyOursIsStopped) {
  const auto result = reconcile({{one, true, true}},
                                {{one, "s", 1, false},
                                 {two, "s", 1, false, true},
                                 {{3, 0, 1}, "other", 1, false},
                                 {{4, 0, 1}, "s", 9, false}},
                                true, "s", {2});
  EXPECT_EQ(result.forget, std::vector<Attempt>{two});
  EXPECT_EQ(result.foreign.size(), 2u);
  EXPECT_TRUE(result.lost.empty() && result.send_again.empty());
}

TEST(GivenAnAgentThatRegisters, WhenTasksAreUnknownThenTheOperatorIsAsked) {
  EXPECT_EQ(reconcile({}, {{one, "s", 1, false}}, true, "s", {1}).doubtful.size(), 1u);
  std::vector<ReportedTask> many;
  for (std::int64_t i = 0; i < 20; ++i) many.push_back({{i, 0, 1}, "s", 1, false});
  EXPECT_EQ(reconcile({}, many, true, "s", {1}).doubtful.size(), 20u);
  EXPECT_TRUE(reconcile({}, many, true, "s", {1}).forget.empty());
  for (auto& task : many) task.over = true;
  EXPECT_EQ(reconcile({}, many, true, "s", {1}).forget.size(), 20u) << "their end is known";
  for (auto& task : many) task.over = false, task.ended = true;
  EXPECT_EQ(reconcile({}, many, true, "s", {1}).forget.size(), 20u)
      << "what has ended is not stopped";
}

// Who was away and what happened meanwhile, a row for each combination of what the master wants and
// what the agent has.
TEST(GivenTheTableOfReconciliation, WhenAnAgentRegistersThenEachRowHasItsVerdict) {
  enum class Verdict { nothing, send_again, lost, forget, doubtful, foreign };
  struct Row {
    const char* wanted;   ///< "", or m(aster) or p(art), then s(ent) or r(unning)
    const char* reported; ///< "", or r(unning) or e(nded), then o(urs), k (ours, known to be
                          ///< over), x (of another store), l(ater)
    bool same_spool;
    Verdict verdict;
  };
  const std::vector<Row> table{
      // The master gave it, the agent does not have it.
      {"ms", "", true, Verdict::send_again},  // the order never came, or the agent died before it
      {"ms", "", false, Verdict::send_again}, // nobody ever said that it began
      {"mr", "", true, Verdict::lost},        // it ran, and its spool does not know it
      {"mr", "", false, Verdict::lost},       // the machine or its spool is a new one
      {"ps", "", true, Verdict::send_again},
      {"ps", "", false, Verdict::send_again},
      {"pr", "", true,
       Verdict::send_again}, // a part has no process of its own: it is laid out anew
      {"pr", "", false, Verdict::lost},
      // Both have it: the agent's report says the rest.
      {"ms", "ro", true, Verdict::nothing},
      {"ms", "eo", true, Verdict::nothing}, // it began and ended while nobody listened
      {"mr", "ro", true, Verdict::nothing},
      {"mr", "eo", true, Verdict::nothing},
      {"mr", "ro", false, Verdict::nothing},
      {"pr", "ro", true, Verdict::nothing},
      // The agent has what the master does not want: taken away, rescheduled, or ended and known.
      {"", "rk", true, Verdict::forget},
      {"", "eo", true, Verdict::forget},
      {"", "rk", false, Verdict::forget},
      // The records are older than the task: they come from a backup.
      {"", "ro", true, Verdict::doubtful},
      // Of another cell, or of a master that came later than this one.
      {"", "rx", true, Verdict::foreign},
      {"", "ex", true, Verdict::foreign},
      {"", "rl", true, Verdict::foreign},
      {"", "el", false, Verdict::foreign},
      {"", "", true, Verdict::nothing},
  };
  for (const auto& row : table) {
    std::vector<WantedTask> wanted;
    std::vector<ReportedTask> reported;
    const std::string want = row.wanted, has = row.reported;
    if (!want.empty()) wanted.push_back({one, want[0] == 'm', want[1] == 'r'});
    if (!has.empty())
      reported.push_back({one, has[1] == 'x' ? "other" : "s", has[1] == 'l' ? 9 : 2, has[0] == 'e',
                          has[1] == 'k'});
    const auto result = reconcile(wanted, reported, row.same_spool, "s", {2});
    const auto named = want + " against " + has + (row.same_spool ? "" : ", another spool");
    const auto only = [&](Verdict verdict) {
      return std::vector<Attempt>(row.verdict == verdict ? 1 : 0, one);
    };
    EXPECT_EQ(result.send_again, only(Verdict::send_again)) << named;
    EXPECT_EQ(result.lost, only(Verdict::lost)) << named;
    EXPECT_EQ(result.forget, only(Verdict::forget)) << named;
    EXPECT_EQ(result.foreign, only(Verdict::foreign)) << named;
    EXPECT_EQ(result.doubtful, only(Verdict::doubtful)) << named;
  }
}
