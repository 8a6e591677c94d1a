// -par: a job or a reservation has a rule of its own for the slots of its parallel environment (C3.56).
#include "assignment_fixture.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

class GivenAPEThatFillsHosts : public AssignmentFixture {
public:
  GivenAPEThatFillsHosts() {
    hosts(3, 4);
    scheduler({{"load_formula", "0"}, {"params", "DURATION_OFFSET=0"}});
  }
  static JobRequest by(const std::string& rule, std::int64_t slots) {
    auto request = parallel("fill", slots);
    request.pe_rule = rule;
    return request;
  }
};

} // namespace

// C3.56.
TEST_F(GivenAPEThatFillsHosts, WhenTheJobHasARuleThenThatOfThePEDoesNotCount) {
  EXPECT_EQ(alone(by("", 6)), "all.q@h1:4 all.q@h2:2");
  EXPECT_EQ(alone(by("$round_robin", 6)), "all.q@h1:2 all.q@h2:2 all.q@h3:2");
  EXPECT_EQ(alone(by("3", 6)), "all.q@h1:3 all.q@h2:3");
  EXPECT_EQ(alone(by("3", 5)), "");
  EXPECT_EQ(alone(by("$pe_slots", 4)), "all.q@h1:4");
  EXPECT_EQ(alone(by("$pe_slots", 5)), "");
}

TEST_F(GivenAPEThatFillsHosts, WhenTheRuleHasNoPEThenItIsRefused) {
  auto request = by("$pe_slots", 2);
  request.pe = "", request.allocation_rule = "$fill_up";
  EXPECT_NE(text(command(alice, Submit{request, ""})).find("-par $pe_slots needs -pe"),
            std::string::npos);
  auto asked = window(now.seconds, 1000);
  asked.pe_rule = "2";
  EXPECT_NE(text(command(root, Reserve{asked})).find("-par 2 needs -pe"), std::string::npos);
}

TEST_F(GivenAPEThatFillsHosts, WhenAReservationHasARuleThenItsJobsHaveItOrTheirOwn) {
  auto asked = on_pe(window(now.seconds, 1000), "fill", 6);
  asked.pe_rule = "2";
  ASSERT_EQ(reserve(root, asked), 1);
  due(1);
  const auto& shape = planner.state().reservation_by_number({1})->shape;
  EXPECT_EQ(shape.grants.size(), 3U);
  EXPECT_EQ(shape.allocation_rule, "2");
  const auto inside = [&](const std::string& rule, std::int64_t slots) {
    auto request = by(rule, slots);
    request.resources = {{"h_rt", "100"}};
    request.reservation = {1};
    const auto number = submit(root, request);
    pass();
    return place(number);
  };
  EXPECT_EQ(inside("1", 2), "all.q@h1:1 all.q@h2:1");
  EXPECT_EQ(inside("", 2), "all.q@h3:2");
}
