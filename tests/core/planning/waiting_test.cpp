// Jobs of one class are looked at as one: whatever a search or an order asks of a job separates
// them.
#include "core/planning/waiting.hpp"

#include "core/request/submit_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace almanac;

namespace {

void change(std::string& value) { value += "x"; }
void change(std::int64_t& value) { ++value; }
void change(bool& value) { value = !value; }
void change(Bytes& value) { value.content += "x"; }
void change(Instant& value) { ++value.seconds; }
void change(Duration& value) { ++value.seconds; }
void change(TaskRange& value) { ++value.last; }
template <class E>
requires std::is_enum_v<E>
void change(E& value) { value = last_of<E>; }
template <IsId T> void change(T& id) { ++id.value; }
void change_first(std::string& value) { value = "x"; }
void change_first(Attribute& value) { value = {"x", "1"}; }
void change_first(SlotRange& value) { value = {2, 3}; }
template <class T> void change(std::vector<T>& list) { change_first(list.emplace_back()); }

// Changes the field with a number, and has its name.
struct ChangeOne {
  int number;
  int at = 0;
  std::string name{};
  template <class T> void operator()(const char* field, T& value) {
    if (at++ != number) return;
    name = field;
    change(value);
  }
};

// The rows of the options that fill the field which differs in the second request.
std::vector<const SubmitOption*> rows_that_fill(const JobRequest& plain, const JobRequest& other) {
  std::vector<const SubmitOption*> rows;
  for (const auto& option : submit_table()) {
    auto filled = plain;
    option.fields->copy(filled, other);
    if (filled == other) rows.push_back(&option);
  }
  return rows;
}

// A row that leaves a column out.
template <class Row>
concept CompilesWithoutClass = requires(Row row) {
  Row{.name = *row.name,
      .values = *row.values,
      .help = *row.help,
      .read = *row.read,
      .fields = *row.fields,
      .check = *row.check,
      .alter = *row.alter,
      .shown = *row.shown};
};
template <class Row>
concept CompilesWithoutAlteration = requires(Row row) {
  Row{.name = *row.name,
      .values = *row.values,
      .help = *row.help,
      .read = *row.read,
      .fields = *row.fields,
      .check = *row.check,
      .in_class = *row.in_class,
      .shown = *row.shown};
};
template <class Row>
concept CompilesWhole = requires(Row row) {
  Row{.name = *row.name,
      .values = *row.values,
      .help = *row.help,
      .read = *row.read,
      .fields = *row.fields,
      .check = *row.check,
      .alter = *row.alter,
      .in_class = *row.in_class,
      .shown = *row.shown};
};
static_assert(CompilesWhole<SubmitOption>);
static_assert(!CompilesWithoutClass<SubmitOption>);
static_assert(!CompilesWithoutAlteration<SubmitOption>);

} // namespace

TEST(GivenAClassOfJobs, WhenOneOptionDiffersThenTheClassDoesAsItsRowSays) {
  // What is run, where it was submitted and what its user sees of it (qrsh, qlogin) is no option.
  const std::set<std::string> not_options{"script", "command", "origin", "interaction"};
  // What decides where and when a job may start; written down here once more on purpose.
  const std::set<std::string> decide{
      "resources",        "queues",           "pe",          "slots",         "priority",
      "deadline",         "reserve",          "immediate",   "master_queues", "project",
      "job_share",        "override_tickets", "reservation", "soft_queues",   "soft_resources",
      "allocation_rule",  "stays_outside",    "checkpoint",  "rerun",         "pe_rule",
      "master_resources", "slave_resources",  "slave_queues"};
  for (int number = 0;; ++number) {
    Job one, other;
    ChangeOne visit{number};
    auto request = *other.request;
    describe(visit, request);
    other.request = request;
    if (visit.name.empty()) break;
    auto plain = *one.request;
    const auto rows = rows_that_fill(plain, request);
    EXPECT_EQ(rows.empty(), not_options.contains(visit.name)) << visit.name;
    const bool in_class = std::any_of(rows.begin(), rows.end(), [](const SubmitOption* row) {
      return *row->in_class == PartOfClass::yes;
    });
    EXPECT_EQ(class_name(one) != class_name(other), in_class) << visit.name;
    EXPECT_EQ(in_class, decide.contains(visit.name)) << visit.name;
  }
}
