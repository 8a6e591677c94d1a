// initial_state of queues (O1.37).
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenTwoHostsThatCome : public PlannerFixture {
public:
  GivenTwoHostsThatCome() { hosts(2, 4); }
  Answer queue(ChangeVerb verb, const char* name, std::vector<Attribute> attributes) {
    return command(root,
                   Configure{{verb, {ObjectKind::cluster_queue, name, std::move(attributes)}, {}}});
  }
  bool is_disabled(const char* queue, const char* host) const {
    return planner.state().instance({queue, host}).disabled;
  }
  void silence_and_return(const char* host) {
    tell(HostSilent{host, true});
    register_host(host);
  }
};

} // namespace

TEST_F(GivenTwoHostsThatCome, WhenAQueueIsAddedThenItsInstancesBeginAsItSays) {
  ASSERT_EQ(queue(ChangeVerb::add, "off.q",
                  {{"hostlist", "h1 h2"}, {"initial_state", "disabled,[h2=default]"}})
                .exit_code,
            0);
  EXPECT_TRUE(is_disabled("off.q", "h1"));
  EXPECT_FALSE(is_disabled("off.q", "h2"));
  // What is there already stays as it is.
  ASSERT_EQ(queue(ChangeVerb::modify, "all.q", {{"initial_state", "disabled"}}).exit_code, 0);
  EXPECT_FALSE(is_disabled("all.q", "h1"));
  EXPECT_EQ(queue(ChangeVerb::modify, "all.q", {{"initial_state", "open"}}).exit_code, 1);
}

TEST_F(GivenTwoHostsThatCome, WhenAHostComesBackThenItsInstancesBeginAgain) {
  ASSERT_EQ(
      queue(ChangeVerb::modify, "all.q", {{"initial_state", "default,[h1=disabled]"}}).exit_code,
      0);
  silence_and_return("h1");
  EXPECT_TRUE(is_disabled("all.q", "h1"));
  EXPECT_FALSE(is_disabled("all.q", "h2"));
  command(root, ModifyQueues{QueueAction::enable, {"all.q@h1"}});
  // It was not lost for long: nothing begins.
  tell(HostSilent{"h1", false});
  register_host("h1");
  EXPECT_FALSE(is_disabled("all.q", "h1"));
  ASSERT_EQ(queue(ChangeVerb::modify, "all.q", {{"initial_state", "enabled"}}).exit_code, 0);
  command(root, ModifyQueues{QueueAction::disable, {"all.q@h2"}});
  silence_and_return("h2");
  EXPECT_FALSE(is_disabled("all.q", "h2"));
}
