#include "schema/store/upgrade.hpp"

#include "schema/codec.hpp"
#include "schema/earlier_records.hpp"
#include "schema/store/records.hpp"

#include <gtest/gtest.h>

#include <map>

using namespace almanac;

namespace {

using Stored = std::map<store::Family, std::map<std::string, std::string>>;

store::JobOfFormat1 array(std::int64_t key) {
  store::JobOfFormat1 job;
  job.key = {key}, job.number = {key}, job.owner.user = "alice";
  job.request.edit().name = "array", job.request.edit().command = "true";
  job.request.edit().tasks = {1, 9, 1}, job.fresh = {{4, 9, 1}};
  for (std::int64_t number = 1; number <= 3; ++number) {
    Task task;
    task.number = number, task.attempt = number;
    if (number < 3) {
      task.state = TaskState::running, task.grants = {{{"all.q", "h1"}, 1}};
      task.bookings = {{Container::queue({"all.q", "h1"}), "slots", 1}};
    }
    job.tasks.push_back(task);
  }
  return job;
}

Stored in_format_1() {
  Stored stored;
  for (std::int64_t key = 1; key <= 4; ++key)
    stored[store::Family::jobs][store::number_key(key)] = encode(array(key));
  return stored;
}

// As the upgrade does it, but for a cut after so many jobs.
void upgrade(Stored& stored, std::size_t cut_after) {
  std::vector<store::Write> all;
  std::size_t jobs = 0;
  for (const auto& [key, value] : stored[store::Family::jobs]) {
    if (jobs++ == cut_after) break;
    for (auto& write : store::job_in_format_2(key, value)) all.push_back(std::move(write));
  }
  for (auto& write : all) stored[write.family][write.key] = *write.value;
}

store::StoredRecords read(const Stored& stored) {
  auto records = store::read_stored([&](store::Family family, const auto& visit) {
    if (stored.contains(family))
      for (const auto& [key, value] : stored.at(family)) visit(key, value);
  });
  EXPECT_TRUE(records.ok());
  return std::move(*records);
}

} // namespace

TEST(GivenAStoreOfFormat1, WhenItIsUpgradedThenNoTaskIsLostAndNothingElseHasChanged) {
  auto stored = in_format_1();
  upgrade(stored, 4);
  const auto all = read(stored);
  EXPECT_TRUE(all.set_aside.empty());
  ASSERT_EQ(all.records.jobs.size(), 4u);
  ASSERT_EQ(all.records.tasks.size(), 12u);
  for (const auto& job : all.records.jobs) {
    store::JobOfFormat1 whole{job, {}};
    for (const auto& task : all.records.tasks)
      if (task.job == job.key) whole.tasks.push_back(task);
    auto before = array(job.key.value);
    for (auto& task : before.tasks) task.job = job.key;
    EXPECT_EQ(encode(whole), encode(before));
  }
}

TEST(GivenAStoreOfFormat1, WhenTheUpgradeIsCutAnywhereThenItComesToTheSameWithTheNextStart) {
  auto at_once = in_format_1();
  upgrade(at_once, 4);
  for (std::size_t cut = 0; cut <= 4; ++cut) {
    auto stored = in_format_1();
    upgrade(stored, cut);
    upgrade(stored, 4);
    EXPECT_EQ(stored, at_once) << "cut after " << cut << " jobs";
  }
}

TEST(GivenAStoreOfFormat1, WhenAJobCannotBeReadThenItStaysAsItIsAndIsSetAside) {
  auto stored = in_format_1();
  auto& spoiled = stored[store::Family::jobs][store::number_key(2)];
  spoiled = "garbage!";
  upgrade(stored, 4);
  EXPECT_EQ(spoiled, "garbage!");
  const auto all = read(stored);
  ASSERT_EQ(all.set_aside.size(), 1u);
  EXPECT_EQ(all.set_aside.front().key, 2);
  EXPECT_EQ(all.records.tasks.size(), 9u);
}
