#include "actors/master/kept_scripts.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

Job job_with(std::int64_t key, const std::string& hash) {
  Job job;
  job.key = {key}, job.script_hash = hash;
  return job;
}

} // namespace

TEST(GivenScriptsOfJobs, WhenTheLastJobWithOneIsGoneThenItIsNotKept) {
  KeptScripts scripts;
  scripts.note(job_with(1, "a"));
  scripts.note(job_with(2, "a"));
  scripts.note(job_with(2, "a"));
  scripts.note(job_with(3, "b"));
  scripts.note(job_with(4, ""));
  EXPECT_EQ(scripts.forget({1}), std::nullopt);
  EXPECT_TRUE(scripts.has("a"));
  EXPECT_EQ(scripts.forget({2}), "a");
  EXPECT_FALSE(scripts.has("a"));
  EXPECT_EQ(scripts.forget({2}), std::nullopt) << "it was gone already";
  EXPECT_EQ(scripts.forget({4}), std::nullopt) << "it had none";
  EXPECT_EQ(scripts.forget({9}), std::nullopt);
  EXPECT_TRUE(scripts.has("b"));
  scripts.note(job_with(5, "a"));
  EXPECT_EQ(scripts.forget({5}), "a");
}
