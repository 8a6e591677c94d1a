// Jobs of one class are looked at as one: whatever a search or an order asks of a job separates
// them.
#include "core/planning/waiting.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace almanac;

namespace {

void change(std::string& value) { value += "x"; }
void change(std::int64_t& value) { ++value; }
void change(bool& value) { value = !value; }
void change(Bytes& value) { value.content += "x"; }
void change(Instant& value) { ++value.seconds; }
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

} // namespace

TEST(GivenAClassOfJobs, WhenAnythingThatDecidesDiffersThenTheClassDoes) {
  // How a job runs and what is told of it; when it may start is asked of each job.
  // clang-format off
  const std::set<std::string> not_asked{
      "name",         "account",      "binary", "direct",      "script",     "command",
      "arguments",    "shell",        "environment", "origin",     "directory",
      "output",       "error",        "join",        "tasks",      "execution_time",
      "held_by_user", "predecessors", "rerun",       "validation", "notify",
      "most_running", "mail_at",      "mail_to",     "reservation"}; // the job's own key of it is
  // clang-format on
  for (int number = 0;; ++number) {
    Job job;
    const auto before = class_name(job);
    ChangeOne visit{number};
    describe(visit, job.request);
    if (visit.name.empty()) break;
    EXPECT_EQ(class_name(job) == before, not_asked.contains(visit.name)) << visit.name;
  }
}
