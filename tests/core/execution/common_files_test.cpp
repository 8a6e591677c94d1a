// Which files of common/ agents keep copies of, and what they do to have them (spec/objects.md
// O12.10 to O12.12).
#include "core/execution/common_files.hpp"

#include <algorithm>
#include <gtest/gtest.h>

using namespace almanac;

namespace {

using Names = std::vector<std::string>;
using Versions = std::vector<CommonFileVersion>;

} // namespace

// O12.10
TEST(GivenTheFolderCommon, WhenAFileIsNoDefaultOfACommandThenItIsNotOnTheList) {
  for (const char* name : {"sge_request", "sge_ar_request", "sge_qstat", "sge_qrstat", "sge_qquota",
                           "sge_qselect", "sge_aliases", "host_aliases", "bootstrap"})
    EXPECT_TRUE(is_common_file(name)) << name;
  for (const char* name : {"accounting", "schedule", "act_qmaster", "settings.sh", "", ".",
                           "../sge_request", "sge_request/", "sge_reques", "sge_request.new"})
    EXPECT_FALSE(is_common_file(name)) << name;
  EXPECT_TRUE(std::is_sorted(common_file_names.begin(), common_file_names.end(),
                             [](std::string_view a, std::string_view b) { return a < b; }));
}

// O12.11
TEST(GivenAnAgentWithCopies, WhenTheMasterHasOthersThenTheseAreAskedForOnly) {
  const Versions masters{{"sge_qstat", "1"}, {"sge_qquota", "2"}, {"sge_request", "3"}};
  const auto steps = common_file_steps(masters, {{"sge_qquota", "2"}, {"sge_request", "old"}});
  EXPECT_EQ(steps.to_ask, Names({"sge_qstat", "sge_request"}));
  EXPECT_EQ(steps.to_remove, Names());
  EXPECT_EQ(common_file_steps(masters, {}).to_ask,
            Names({"sge_qstat", "sge_qquota", "sge_request"}));
  EXPECT_EQ(common_file_steps(masters, masters).to_ask, Names());
}

// O12.12
TEST(GivenAnAgentWithCopies, WhenTheMasterHasOneNoLongerThenThatOneIsRemoved) {
  const Versions copies{{"sge_qstat", "1"}, {"sge_request", "3"}};
  const auto steps = common_file_steps({{"sge_request", "3"}}, copies);
  EXPECT_EQ(steps.to_ask, Names());
  EXPECT_EQ(steps.to_remove, Names({"sge_qstat"}));
  EXPECT_EQ(common_file_steps({}, copies).to_remove, Names({"sge_qstat", "sge_request"}));
}

// O12.10
TEST(GivenAnAgentWithCopies, WhenANameIsNotOnTheListThenItMeansNothing) {
  const Versions odd{{"accounting", "1"}, {"../sge_request", "2"}, {"", "3"}};
  EXPECT_EQ(common_file_steps(odd, {}).to_ask, Names());
  EXPECT_EQ(common_file_steps({}, odd).to_remove, Names());
  EXPECT_FALSE(is_current(odd, odd.front()));
}

TEST(GivenAnAgentWithCopies, WhenAListNamesAFileTwiceThenItIsAskedForOnce) {
  const Versions masters{{"sge_request", "1"}, {"sge_request", "2"}};
  EXPECT_EQ(common_file_steps(masters, {}).to_ask, Names({"sge_request"}));
  EXPECT_EQ(common_file_steps(masters, {{"sge_request", "1"}}).to_ask, Names());
}

TEST(GivenAnAgentThatHasAsked, WhenTheMasterHasAnotherVersionByNowThenTheOldOneIsNotKept) {
  const Versions masters{{"sge_request", "2"}};
  EXPECT_TRUE(is_current(masters, {"sge_request", "2"}));
  EXPECT_FALSE(is_current(masters, {"sge_request", "1"}));
  EXPECT_FALSE(is_current(masters, {"sge_qstat", "2"})) << "of another file";
}

TEST(GivenFilesOfTheMaster, WhenTheyAreListedThenOnlyNamesAndHashesAreTold) {
  EXPECT_EQ(versions_of({{{"sge_qstat", "1"}, "-u alice"}, {{"sge_request", "2"}, "-j y"}}),
            Versions({{"sge_qstat", "1"}, {"sge_request", "2"}}));
}
