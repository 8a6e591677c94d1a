// Which records qacct wants (docs/spec/cli.md C7.13).
#include "core/job/accounting_filter.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

AccountingRecord record() {
  AccountingRecord r;
  r.job_number = {7}, r.task = 3, r.queue = "all.q", r.host = "n1", r.owner = "ann";
  r.group = "users", r.job_name = "work", r.account = "sge", r.pe = "mpi", r.slots = 4;
  r.department = "physics", r.started = {1'000}, r.ended = {2'000};
  return r;
}

// What a filter says about the record once `change` was made to it.
template <class Change> bool is_wanted(Change change) {
  AccountingFilter filter;
  change(filter);
  return wants(filter, record());
}

} // namespace

TEST(GivenAFilter, WhenItNamesNothingThenAllRecordsAreWanted) {
  EXPECT_TRUE(is_wanted([](AccountingFilter&) {}));
}

TEST(GivenAFilter, WhenItNamesTextsThenTheyAreNamesOrPatterns) {
  struct Field {
    std::string AccountingFilter::*which;
    std::string is, is_like, is_not;
  };
  for (const auto& field : {Field{&AccountingFilter::account, "sge", "s*", "sg"},
                            {&AccountingFilter::group, "users", "user?", "user"},
                            {&AccountingFilter::host, "n1", "n[1-3]", "n"},
                            {&AccountingFilter::department, "physics", "*", "chemistry"},
                            {&AccountingFilter::pe, "mpi", "m*", "NONE"},
                            {&AccountingFilter::project, "NONE", "N*", "p"},
                            {&AccountingFilter::queue, "all.q", "all.q@n*", "all.q@n2"}}) {
    const auto with = [&](const std::string& text) {
      return is_wanted([&](AccountingFilter& filter) { filter.*field.which = text; });
    };
    EXPECT_TRUE(with(field.is)) << field.is;
    EXPECT_TRUE(with(field.is_like)) << field.is_like;
    EXPECT_FALSE(with(field.is_not)) << field.is_not;
  }
}

TEST(GivenAFilter, WhenItNamesNumbersAndTimesThenTheirBoundsBelongToThem) {
  EXPECT_TRUE(is_wanted([](auto& f) { f.slots = 4; }));
  EXPECT_FALSE(is_wanted([](auto& f) { f.slots = 5; }));
  EXPECT_TRUE(is_wanted([](auto& f) { f.begun_from = {1'000}, f.begun_to = {1'000}; }));
  EXPECT_FALSE(is_wanted([](auto& f) { f.begun_from = {1'001}; }));
  EXPECT_FALSE(is_wanted([](auto& f) { f.begun_to = {999}; }));
  EXPECT_TRUE(is_wanted([](auto& f) { f.tasks = {{9, 9, 1}, {1, 5, 2}}; }));
  EXPECT_FALSE(is_wanted([](auto& f) { f.tasks = {{2, 6, 2}}; }));
}

TEST(GivenAFilter, WhenItsTimesAreOfTheEndThenTheStartPlaysNoPart) {
  const auto at = [](std::int64_t from, std::int64_t to, bool by_end) {
    return is_wanted([&](AccountingFilter& filter) {
      filter.begun_from = {from}, filter.begun_to = {to}, filter.by_end = by_end;
    });
  };
  EXPECT_TRUE(at(900, 1'100, false));
  EXPECT_FALSE(at(1'900, 2'100, false));
  EXPECT_TRUE(at(1'900, 2'100, true));
  EXPECT_FALSE(at(900, 1'100, true));
}
