// What jobs and reservations refer to stays as it is while they do.
#include "planner_fixture.hpp"

using namespace almanac;

namespace {

class GivenObjectsInUse : public PlannerFixture {
public:
  Answer change(ChangeVerb verb, ObjectKind kind, const std::string& name,
                std::vector<Attribute> attributes = {}) {
    return command(root, Configure{{verb, {kind, name, std::move(attributes)}, {}}});
  }
  void made(ChangeVerb verb, ObjectKind kind, const std::string& name,
            std::vector<Attribute> attributes = {}) {
    const auto answer = change(verb, kind, name, std::move(attributes));
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
  }
};

} // namespace

TEST_F(GivenObjectsInUse, WhenAnOrphanHasACalendarThenTheCalendarStays) {
  hosts(2, 1);
  made(ChangeVerb::add, ObjectKind::calendar, "c", {{"week", "sat-sun"}});
  made(ChangeVerb::add, ObjectKind::cluster_queue, "x.q", {{"hostlist", "h1"}, {"calendar", "c"}});
  auto request = window(now.seconds + 10, 100);
  request.queues = {"x.q"};
  const auto ar = reserve(root, request);
  made(ChangeVerb::erase, ObjectKind::cluster_queue, "x.q");
  EXPECT_EQ(text(change(ChangeVerb::erase, ObjectKind::calendar, "c")),
            "denied: calendar \"c\" is referenced in advance reservation 1\n");
  pass();
  command(root, DeleteReservations{{std::to_string(ar)}, {}, false});
  made(ChangeVerb::erase, ObjectKind::calendar, "c");
}
