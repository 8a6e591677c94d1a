// For whom a request at a door is.
#include "actors/master/gate_questions.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

const Caller ann{"ann", "users", 1001, 1001, "h1"}, bob{"bob"};

Command command(std::vector<OnBehalf> whom) {
  return {ann, ReserveEarliest{}, {}, std::move(whom)};
}

} // namespace

// What a secret is sealed for is compared with the owner later.
TEST(GivenACommand, WhenTheCallerNamesThemselvesThenTheOwnerIsTheCallerAsTheyCame) {
  EXPECT_EQ(owner_in(command({})).uid, 1001);
  EXPECT_EQ(owner_in(command({{{}, ""}})).uid, 1001);
  auto own = command({{{"ann"}, ""}});
  look_up(whom_of(own), nullptr); // a user whom this machine does not know
  EXPECT_EQ(owner_in(own).uid, 1001);
}

TEST(GivenACommand, WhenItIsForAnotherUserOrOfASubjectThenTheOwnerIsTheUserWhomThisMachineKnows) {
  auto other = command({{bob, ""}}), of_subject = command({{{"ann"}, "grid"}});
  const UidOf knows = [](const std::string& user) -> std::optional<std::int64_t> {
    return user == "bob" ? 7 : 8;
  };
  look_up(whom_of(other), knows), look_up(whom_of(of_subject), knows);
  EXPECT_EQ(owner_in(other).user, "bob");
  EXPECT_EQ(owner_in(other).uid, 7);
  EXPECT_EQ(owner_in(of_subject).uid, 8);
}
