// Which queue instances a listing is about (docs/spec/cli.md C6.8, C6.9, C7.11), and what they offer
// (C6.42).
#include "core/matching/selected_instances.hpp"

#include "core/configuration/objects/built_in_complexes.hpp"
#include "core/matching/host_load.hpp"
#include "core/matching/instance_condition.hpp"
#include "matching_fixture.hpp"

using namespace almanac;

namespace {

class GivenTwoQueues : public MatchingFixture {
public:
  GivenTwoQueues() {
    hosts(2, 4);
    complex("license", "lic INT <= YES YES 0 0");
    offer("h1", "license=2");
    change({ObjectKind::userset, "few", {{"entries", "alice"}}}, ChangeVerb::add);
    queue("all.q", {{"pe_list", "make smp"}});
    queue("few.q", {{"hostlist", "h1 h2"}, {"user_lists", "few"}, {"pe_list", "mpi"}});
  }

  HostState measured(const std::string& name) const {
    auto host = state().host(name);
    host.load.load_short = 100, host.load.load_medium = 200, host.load.load_long = 300;
    host.load.cpu = 50, host.load.memory_free = 2LL << 30;
    host.load.swap_total = host.load.swap_free = 1LL << 30;
    host.facts.topology = "SCTTCTT", host.load.topology_in_use = "ScttCTT";
    return host;
  }
  SelectedInstances::Present present() const {
    return {[this](const QueueInstance& one) {
              return instance_letters(state().configuration(), one, state().host_of(one),
                                      state().condition_of(one));
            },
            [this](const QueueInstance& one) {
              return offered_at_instance(state().configuration(), one, measured(one.name.host),
                                         used);
            },
            [this](const QueueInstance& one) -> const HostState& { return state().host_of(one); }};
  }
  /// The names of what is selected, or why nothing is.
  std::string selected(const InstanceSelection& selection) const {
    const auto found = SelectedInstances::of(state().configuration(), selection, present());
    if (!found) return text(Answer::refusal(found.error()));
    std::string names;
    for (const auto& one : state().configuration().instances())
      if (found->has(one.name)) names += one.name.text() + " ";
    return names;
  }
  bool could_take(const InstanceSelection& selection, const std::string& who,
                  JobRequest request) const {
    auto found = SelectedInstances::of(state().configuration(), selection, present());
    Job job;
    job.owner.user = who, job.request = std::move(request);
    return found.ok() && found->could_take(job);
  }
  static InstanceSelection queues(std::vector<std::string> names) {
    InstanceSelection selection;
    selection.queues = std::move(names);
    return selection;
  }
  static InstanceSelection resources(std::vector<Attribute> requests) {
    InstanceSelection selection;
    selection.resources = std::move(requests);
    return selection;
  }
  /// "gc:license=2", or "" where it is not offered.
  std::string offered(const std::string& name) const {
    for (const auto& one :
         offered_at_instance(state().configuration(), instance("h1"), measured("h1"), used))
      if (one.complex->name == name) return one.kind + ":" + name + "=" + one.value;
    return "";
  }

  UsedAmounts used;
};

} // namespace

TEST_F(GivenTwoQueues, WhenNothingIsAskedThenAllAreSelected) {
  EXPECT_EQ(selected({}), "all.q@h1 all.q@h2 few.q@h1 few.q@h2 ");
}

// C6.8
TEST_F(GivenTwoQueues, WhenQueuesAreNamedThenByNameInstanceAndPattern) {
  EXPECT_EQ(selected(queues({"few.q"})), "few.q@h1 few.q@h2 ");
  EXPECT_EQ(selected(queues({"*@h2", "all.q@h1"})), "all.q@h1 all.q@h2 few.q@h2 ");
  EXPECT_EQ(selected(queues({"all.q", "nosuch"})), "invalid queue \"nosuch\"\n");
}

TEST_F(GivenTwoQueues, WhenParallelEnvironmentsAreNamedThenTheirLists) {
  InstanceSelection selection;
  selection.pes = {"mp*"};
  EXPECT_EQ(selected(selection), "few.q@h1 few.q@h2 ");
  selection.pes = {"nosuch"};
  EXPECT_EQ(selected(selection), "parallel environment \"nosuch\" does not exist\n");
}

TEST_F(GivenTwoQueues, WhenUsersAreNamedThenOneOfThemHasToBeLetIn) {
  InstanceSelection selection;
  selection.users = {"bob"};
  EXPECT_EQ(selected(selection), "all.q@h1 all.q@h2 ");
  selection.users = {"bob", "alice"};
  EXPECT_EQ(selected(selection), "all.q@h1 all.q@h2 few.q@h1 few.q@h2 ");
}

// C6.9
TEST_F(GivenTwoQueues, WhenStatesAreNamedThenOneOfThemHasToBeThere) {
  command(root, ModifyQueues{QueueAction::disable, {"few.q@h1"}});
  InstanceSelection selection;
  selection.states = "Ed";
  EXPECT_EQ(selected(selection), "few.q@h1 ");
}

TEST_F(GivenTwoQueues, WhenResourcesAreAskedForThenWhatIsOfferedNowCounts) {
  EXPECT_EQ(selected(resources({{"lic", "1"}})), "all.q@h1 few.q@h1 ");
  used[{Container::host("h1"), Resource("license")}] = 2;
  EXPECT_EQ(selected(resources({{"license", "1"}})), "");
  EXPECT_EQ(selected(resources({{"hostname", "H2"}, {"mem_free", "1G"}})), "all.q@h2 few.q@h2 ");
  EXPECT_EQ(selected(resources({{"mf", "3G"}})), "");
  EXPECT_EQ(selected(resources({{"nosuch", "1"}})), "unknown resource \"nosuch\"\n");
  EXPECT_NE(selected(resources({{"license", "many"}})).find("license"), std::string::npos);
}

// C6.8: jobs that wait
TEST_F(GivenTwoQueues, WhenAJobWaitsThenItBelongsToInstancesThatCouldTakeIt) {
  auto wide = parallel("mpi", 2);
  EXPECT_FALSE(could_take(queues({"all.q"}), "alice", wide));
  EXPECT_TRUE(could_take(queues({"few.q"}), "alice", wide));
  EXPECT_FALSE(could_take(queues({"few.q"}), "bob", wide)) << "he is not let in";
  auto bound = job("bound");
  bound.queues = {"all.q@h2"};
  EXPECT_TRUE(could_take(queues({"all.q"}), "bob", bound));
  EXPECT_FALSE(could_take(queues({"all.q@h1"}), "bob", bound));
  EXPECT_FALSE(could_take(queues({"all.q@h1"}), "bob", asking({{"hostname", "h2"}})));
}

// C6.42
TEST_F(GivenTwoQueues, WhenShownThenAllValuesThatHostsReportAreThere) {
  EXPECT_EQ(offered("arch"), "hl:arch=lx-amd64");
  EXPECT_EQ(offered("load_short"), "hl:load_short=1.000000");
  EXPECT_EQ(offered("np_load_avg"), "hl:np_load_avg=0.500000");
  for (const char* name :
       {"num_proc", "mem_total", "swap_total", "virtual_total", "load_avg", "load_medium",
        "load_long", "mem_free", "swap_free", "virtual_free", "mem_used", "swap_used",
        "virtual_used", "cpu", "np_load_short", "np_load_medium", "np_load_long"})
    EXPECT_TRUE(offered(name).starts_with("hl:")) << name;
  for (const auto name : load_value_names())
    EXPECT_TRUE(offered(std::string(name)).starts_with("hl:")) << name;
  used[{Container::host("h1"), Resource("license")}] = 1;
  EXPECT_EQ(offered("license"), "hc:license=1");
  EXPECT_EQ(offered("slots"), "qc:slots=4");
  EXPECT_EQ(offered("qname"), "qf:qname=all.q");
  EXPECT_EQ(offered("h_vmem"), "qf:h_vmem=INFINITY");
  EXPECT_EQ(offered("m_topology"), "hl:m_topology=SCTTCTT");
  EXPECT_EQ(offered("m_topology_inuse"), "hl:m_topology_inuse=ScttCTT");
  EXPECT_EQ(offered("m_socket"), "hl:m_socket=1");
  EXPECT_EQ(offered("m_core"), "hl:m_core=2");
  EXPECT_EQ(offered("m_thread"), "hl:m_thread=4");
}

// C6.42: a resource has one line, that of the stricter value.
TEST_F(GivenTwoQueues, WhenAResourceIsOfferedTwiceThenTheStricterIsShown) {
  const auto shown = [&](const std::string& name) {
    std::string text;
    for (const auto& one : strictest(
             offered_at_instance(state().configuration(), instance("h1"), measured("h1"), used)))
      if (one.complex->name == name) text += one.kind + "=" + one.value + " ";
    return text;
  };
  EXPECT_EQ(shown("slots"), "qc=4 ");
  offer("h1", "slots=3,mem_free=1G");
  EXPECT_EQ(shown("slots"), "hc=3 ");
  EXPECT_EQ(shown("mem_free"), "hf=1G ");
  offer("h1", "slots=9,mem_free=8G");
  EXPECT_EQ(shown("slots"), "qc=4 ");
  EXPECT_EQ(shown("mem_free"), "hl=2.000G ");
  queue("all.q", {{"complex_values", "h_vmem=20G"}});
  EXPECT_EQ(shown("h_vmem"), "qf=20G ");
}
