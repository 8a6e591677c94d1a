// A search that stops at the first hosts with enough slots finds what one over all hosts finds.
#include "core/matching/assignment.hpp"
#include "core/matching/obstacles.hpp"
#include "matching_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class TwoQueuesOnEachHost : public MatchingFixture {
public:
  TwoQueuesOnEachHost() {
    const auto count = *rc::gen::inRange(1, 6);
    hosts(count, 4);
    for (const auto& [name, rule] : std::map<std::string, std::string>{
             {"pf", "$fill_up"}, {"pr", "$round_robin"}, {"pp", "$pe_slots"}, {"p2", "2"}})
      add({ObjectKind::parallel_environment, name, {{"allocation_rule", rule}, {"slots", "99"}}});
    const auto slots = [] { return std::to_string(*rc::gen::inRange(0, 5)); };
    const auto few = [] { return *rc::gen::element<std::string>("0", "0", "2"); };
    add({ObjectKind::cluster_queue,
         "b.q",
         {{"hostlist", "@allhosts"},
          {"pe_list", "pf pr pp p2"},
          {"slots", "2,[h1=" + few() + "],[h2=" + few() + "],[h3=" + few() + "]"}}});
    set(ObjectKind::cluster_queue, "all.q", "pe_list",
        *rc::gen::element<std::string>("pf pr pp p2", "pf,[h1=pr pp p2]"));
    set(ObjectKind::cluster_queue, "all.q", "slots", "3,[h1=" + slots() + "],[h3=" + slots() + "]");
    for (int i = 1; i <= count; ++i)
      if (*rc::gen::arbitrary<bool>())
        set(ObjectKind::exec_host, "h" + std::to_string(i), "complex_values", "slots=" + slots());
    // Some of it is taken.
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
      command(root, Reserve{on_pe(window(now.seconds, 1000), "pf", *rc::gen::inRange(1, 4))});
  }
  void TestBody() override {}

  /// In any order.
  Instances candidates() {
    Instances all;
    for (const auto& instance : planner.state().configuration().instances())
      all.push_back(&instance);
    for (auto i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[*rc::gen::inRange<std::size_t>(0, i)]);
    return all;
  }
  std::optional<Assignment> found(const Demand& demand, const Instances& candidates,
                                  Obstacles obstacles) {
    const Window soon{now, now + Duration{100}};
    return assign(planner.state(), Supply::of_promises(planner.state(), false), demand, soon,
                  candidates, obstacles);
  }

private:
  void add(ConfigurationObject object) {
    command(root, Configure{{ChangeVerb::add, std::move(object), {}}});
  }
  void set(ObjectKind kind, const std::string& name, const std::string& attribute,
           const std::string& value) {
    auto object = *planner.state().configuration().find(kind, name);
    object.set(attribute, value);
    command(root, Configure{{ChangeVerb::modify, object, {}}});
  }
};

} // namespace

RC_GTEST_PROP(GivenHostsInAnyOrder, WhenNobodyReadsReasonsThenTheSameIsFound, ()) {
  TwoQueuesOnEachHost cell;
  const std::int64_t low = *rc::gen::inRange(1, 8);
  const std::int64_t high = low + *rc::gen::inRange(0, 4);
  auto demand =
      *resolve_demand(cell.planner.state().configuration(), {}, {},
                      *rc::gen::element<std::string>("pf", "pr", "pp", "p2"), {{low, high}}, "job");
  demand.users = {{"root", "root"}};
  if (*rc::gen::arbitrary<bool>()) demand.master_queues = {"b.q"};
  const auto candidates = cell.candidates();
  const auto few = cell.found(demand, candidates, Obstacles::unwanted());
  const auto all = cell.found(demand, candidates, {});
  RC_ASSERT(few.has_value() == all.has_value());
  if (!few) return;
  RC_ASSERT(few->grants == all->grants);
  RC_ASSERT(few->bookings == all->bookings);
}
