// What the jobs of a class ask for: how long, how much, and where it could ever be.
#include "core/matching/class_request.hpp"
#include "core/matching/instance_obstacles.hpp"
#include "matching_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class GivenClassRequests : public MatchingFixture {
public:
  ClassRequest wanted(const JobRequest& request) {
    auto found = make_class_request(state(), *find(submit(alice, request)));
    EXPECT_TRUE(found.ok());
    return *found;
  }
  static std::string names(const Instances& instances) {
    std::string text;
    for (const auto* instance : instances)
      text += (text.empty() ? "" : " ") + instance->name.text();
    return text;
  }
};

} // namespace

TEST_F(GivenClassRequests, WhenAJobHasALimitThenItsPlaceIsBookedForThatAndTheOffset) {
  hosts(1, 4);
  scheduler({{"default_duration", "1:0:0"}, {"params", "DURATION_OFFSET=7"}});
  const auto limited = wanted(job("limited", "100"));
  EXPECT_EQ(limited.length, Duration{107});
  EXPECT_FALSE(limited.endless);
  const auto endless = wanted(job("endless"));
  EXPECT_EQ(endless.length, Duration{3607}) << "towards other jobs";
  EXPECT_TRUE(endless.endless) << "towards advance reservations";
}

TEST_F(GivenClassRequests, WhenARangeOfSlotsIsAskedForThenTheFewestWillDo) {
  hosts(1, 4);
  EXPECT_EQ(wanted(job("one")).slots, 1);
  EXPECT_EQ(wanted(parallel("fill", 3, 8)).slots, 3);
}

TEST_F(GivenClassRequests, WhenAnInstanceNeverWillDoThenItIsNotAmongThose) {
  hosts(3, 4);
  complex("fast", "fst BOOL == YES NO 0 0");
  offer("h2", "fast=TRUE");
  const auto request = wanted(asking({{"fast", "TRUE"}}));
  EXPECT_EQ(names(*request.suitable), "all.q@h2");
  EXPECT_TRUE(is_suitable(request, &instance("h2")));
  EXPECT_FALSE(is_suitable(request, &instance("h1")));
  Obstacles obstacles;
  add_lasting_obstacles(state(), *find(1), request, obstacles);
  EXPECT_EQ(obstacles.list().size(), 2U);
}

TEST_F(GivenClassRequests, WhenOnlyTheirLimitsDifferThenTheyShareTheInstances) {
  hosts(2, 4);
  const auto brief = wanted(job("brief", "100")), lengthy = wanted(job("lengthy", "9000"));
  EXPECT_EQ(brief.suitable, lengthy.suitable);
  queue("all.q", {{"h_rt", "INFINITY,[h1=1:0:0]"}});
  EXPECT_EQ(names(*wanted(job("brief", "100")).suitable), "all.q@h1 all.q@h2");
  EXPECT_EQ(names(*wanted(job("lengthy", "9000")).suitable), "all.q@h2");
}

namespace {

// Two queues on three hosts, each of which keeps some jobs out.
void close_some_doors(MatchingFixture& cell) {
  cell.hosts(3, 4);
  cell.complex("fast", "fst BOOL == YES NO 0 0");
  cell.complex("gpu", "gpu INT <= YES YES 0 0");
  cell.complex("special", "spc BOOL == FORCED NO 0 0");
  cell.change({ObjectKind::userset, "friends", {{"entries", "alice"}}}, ChangeVerb::add);
  cell.change({ObjectKind::project, "p", {}}, ChangeVerb::add);
  const auto sometimes = [](const std::string& value) {
    return *rc::gen::arbitrary<bool>() ? value : std::string("NONE");
  };
  cell.queue("b.q", {{"hostlist", "@allhosts"},
                     {"h_rt", *rc::gen::element<std::string>("INFINITY", "50,[h2=INFINITY]")},
                     {"user_lists", sometimes("friends")},
                     {"projects", sometimes("p")},
                     {"complex_values", sometimes("special=TRUE")}});
  cell.queue("all.q", {{"xprojects", sometimes("p")}});
  cell.offer("h1", *rc::gen::element<std::string>("NONE", "fast=TRUE", "gpu=1"));
  cell.offer("h3", *rc::gen::element<std::string>("NONE", "fast=TRUE,gpu=1"));
}

JobRequest any_class() {
  auto request = PlannerFixture::job("any");
  const auto maybe = [&](const char* name, const std::string& value) {
    if (*rc::gen::inRange(0, 3) == 0) request.resources.push_back({name, value});
  };
  maybe("h_rt", *rc::gen::element<std::string>("10", "100"));
  maybe("fast", "TRUE");
  maybe("gpu", "1");
  maybe("special", "TRUE");
  if (*rc::gen::inRange(0, 3) == 0) request.project = "p";
  if (*rc::gen::inRange(0, 3) == 0)
    request.queues = {*rc::gen::element<std::string>("b.q", "all.q@h1", "*@h3")};
  return request;
}

} // namespace

// Many classes share what was found for one of them.
RC_GTEST_PROP(GivenAnyClassRequests, WhenTheySharePlacesThenEachHasThoseThatCouldServeItAlone, ()) {
  MatchingFixture cell;
  close_some_doors(cell);
  auto unread = Obstacles::unwanted();
  const auto count = *rc::gen::inRange(2, 12);
  for (int i = 0; i < count; ++i) {
    const auto& owner = *rc::gen::arbitrary<bool>() ? cell.alice : cell.bob;
    const auto job = *cell.find(cell.submit(owner, any_class()));
    const auto wanted = make_class_request(cell.state(), job);
    RC_ASSERT(wanted.ok());
    Instances alone;
    for (const auto& instance : cell.state().configuration().instances())
      if (could_serve(cell.state(), instance, wanted->demand, unread)) alone.push_back(&instance);
    RC_ASSERT(*wanted->suitable == alone);
    for (const auto& instance : cell.state().configuration().instances())
      RC_ASSERT(is_suitable(*wanted, &instance) ==
                (std::count(alone.begin(), alone.end(), &instance) > 0));
    Obstacles obstacles;
    add_lasting_obstacles(cell.state(), job, *wanted, obstacles);
    RC_ASSERT(obstacles.list().size() ==
              cell.state().configuration().instances().size() - alone.size());
  }
}
