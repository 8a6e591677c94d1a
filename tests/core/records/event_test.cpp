// What people hear of an input.
#include "core/records/event.hpp"
#include "core/records/records.hpp"
#include "core/planning/planner.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace almanac;

namespace {

using Of = EventKind::Of;

Job named_job(std::int64_t key, const std::string& name) {
  Job made;
  made.key = {key}, made.number = {key + 100}, made.owner.user = "alice";
  made.request.edit().name = name;
  return made;
}

Task task_of(std::int64_t job, std::int64_t number) {
  Task made;
  made.job = {job}, made.number = number, made.state = TaskState::running;
  return made;
}

class GivenRecordsThatTell : public testing::Test {
public:
  Records records;

  GivenRecordsThatTell() {
    EXPECT_TRUE(records.restore(Planner::initial_records("root", "master")).ok());
  }
  // What the effects since the last time tell, a word each.
  std::vector<std::string> told() {
    records.take_effects({});
    std::vector<std::string> words;
    for (const auto& event : records.events()) {
      auto word = event_name(event.kind, event.verb);
      if (event.key > 0) word += " key " + std::to_string(event.key);
      if (event.number > 0) word += " number " + std::to_string(event.number);
      words.push_back(event.name.empty() ? word : word + " " + event.name);
    }
    return words;
  }
  using Words = std::vector<std::string>;

  Reservation reservation(ReservationPhase phase) const {
    Reservation made;
    made.key = {5}, made.number = {3}, made.request.name = "course", made.phase = phase;
    return made;
  }
  void configure(ConfigurationChange change) {
    auto changed = records.configuration().with(change);
    ASSERT_TRUE(changed.ok()) << changed.what();
    records.reconfigure(std::move(*changed));
  }
  static ConfigurationObject object(ObjectKind kind, const std::string& name) {
    return template_of(kind, name);
  }
};

} // namespace

TEST_F(GivenRecordsThatTell, WhenAJobComesChangesAndGoesThenEachIsToldWithItsNumberAtTheEnd) {
  records.put(named_job(1, "sleep"));
  EXPECT_EQ(told(), Words{"JOB_ADD key 1"});
  records.edit<Job>({1}, [](Job& job) { job.held_by_user = true; });
  EXPECT_EQ(told(), Words{"JOB_MOD key 1"});
  records.erase<Job>({1});
  EXPECT_EQ(told(), Words{"JOB_DEL key 1 number 101 sleep"});
  EXPECT_TRUE(told().empty());
}

TEST_F(GivenRecordsThatTell, WhenTasksChangeThenThatIsAChangeOfTheirJobAndOnlyOne) {
  records.put(named_job(1, "array"));
  told();
  records.put(task_of(1, 1)), records.put(task_of(1, 2));
  EXPECT_EQ(told(), Words{"JOB_MOD key 1"});
  records.erase<Task>({{1}, 1}), records.erase<Task>({{1}, 2}), records.erase<Job>({1});
  EXPECT_EQ(told(), Words{"JOB_DEL key 1 number 101 array"});
}

TEST_F(GivenRecordsThatTell, WhenARecordComesAndGoesInOneInputThenNothingIsTold) {
  records.put(named_job(1, "refused"));
  records.erase<Job>({1});
  EXPECT_TRUE(told().empty());
}

// spec/reservations.md R14.7, R14.8: AR_ADD, AR_MOD, AR_DEL; the last with id and name.
TEST_F(GivenRecordsThatTell, WhenAReservationIsGrantedAndPassesThenOnlyThatIsSeen) {
  records.put(reservation(ReservationPhase::proposed));
  EXPECT_TRUE(told().empty());
  records.put(reservation(ReservationPhase::waiting));
  EXPECT_EQ(told(), Words{"AR_ADD key 5"});
  records.put(reservation(ReservationPhase::running));
  EXPECT_EQ(told(), Words{"AR_MOD key 5"});
  records.put(reservation(ReservationPhase::expired));
  EXPECT_EQ(told(), Words{"AR_DEL key 5 number 3 course"});
  records.erase<Reservation>({5});
  EXPECT_TRUE(told().empty());
}

// R14.6, B0.66
TEST_F(GivenRecordsThatTell, WhenOnlyABookingOrAProposalOfAReservationChangesThenNothingIsTold) {
  records.put(reservation(ReservationPhase::running));
  told();
  records.edit<Reservation>({5}, [](Reservation& one) { one.proposed.emplace_back(); });
  records.edit<Reservation>({5}, [](Reservation& one) { one.proposed.clear(); });
  EXPECT_TRUE(told().empty());
  records.edit<Reservation>({5}, [](Reservation& one) { one.shape.window.end.seconds += 60; });
  EXPECT_EQ(told(), Words{"AR_MOD key 5"});
  records.edit<Reservation>({5}, [](Reservation& one) { one.request.name = "seminar"; });
  EXPECT_EQ(told(), Words{"AR_MOD key 5"});
  records.put(reservation(ReservationPhase::deleted));
  EXPECT_EQ(told(), Words{"AR_MOD key 5"});
  records.edit<Reservation>({5}, [](Reservation& one) {
    one.shape.bookings = {{Container::queue({"all.q", "n1"}), "slots", 1}};
  });
  EXPECT_TRUE(told().empty()) << "a job of it has ended";
}

TEST_F(GivenRecordsThatTell, WhenTheConfigurationChangesThenItsObjectsAreToldWithTheirKind) {
  const auto group = object(ObjectKind::userset, "staff");
  configure({ChangeVerb::add, group, {}});
  EXPECT_EQ(told(), Words{"USERSET_ADD staff"});
  configure({ChangeVerb::add_entries, {ObjectKind::userset, "staff", {}}, {"alice"}});
  EXPECT_EQ(told(), Words{"USERSET_MOD staff"});
  configure({ChangeVerb::erase, {ObjectKind::userset, "staff", {}}, {}});
  EXPECT_EQ(told(), Words{"USERSET_DEL staff"});
}

TEST_F(GivenRecordsThatTell, WhenAnExecutionHostComesAndGoesThenSoDoesTheMachine) {
  configure({ChangeVerb::add, object(ObjectKind::exec_host, "n1"), {}});
  EXPECT_EQ(told(), (Words{"EXECHOST_ADD n1", "HOST_ADD n1"}));
  records.edit<HostState>("n1", [](HostState& host) { host.phase = HostPhase::up; });
  EXPECT_EQ(told(), Words{"HOST_MOD n1"});
  configure({ChangeVerb::erase, {ObjectKind::exec_host, "n1", {}}, {}});
  EXPECT_EQ(told(), (Words{"EXECHOST_DEL n1", "HOST_DEL n1"}));
}

TEST_F(GivenRecordsThatTell, WhenAQueueGetsAHostThenAnInstanceComes) {
  configure({ChangeVerb::add, object(ObjectKind::exec_host, "n1"), {}});
  auto queue = object(ObjectKind::cluster_queue, "night.q");
  queue.set("hostlist", "n1");
  told();
  configure({ChangeVerb::add, queue, {}});
  EXPECT_EQ(told(), (Words{"CQUEUE_ADD night.q", "INSTANCE_ADD night.q@n1"}));
  records.edit<InstanceState>({"night.q", "n1"}, [](InstanceState& i) { i.disabled = true; });
  EXPECT_EQ(told(), Words{"INSTANCE_MOD night.q@n1"});
  configure({ChangeVerb::erase, {ObjectKind::cluster_queue, "night.q", {}}, {}});
  const auto words = told();
  EXPECT_NE(std::find(words.begin(), words.end(), "INSTANCE_DEL night.q@n1"), words.end());
}

// As in Grid Engine, CONFIG is the cell's configuration and that of each host.
TEST(GivenAllKindsOfEvents, WhenTheyAreNamedThenEachWordIsFoundAgainAndOnlyConfigTwice) {
  std::map<std::string_view, int> named;
  for (const auto& kind : event_kinds()) {
    const auto word = prefix_of(kind);
    ASSERT_FALSE(word.empty());
    ASSERT_TRUE(event_kind(word)) << word;
    EXPECT_EQ(prefix_of(*event_kind(word)), word);
    ++named[word];
  }
  for (const auto& [word, times] : named) EXPECT_EQ(times, word == "CONFIG" ? 2 : 1) << word;
  EXPECT_EQ(event_kind("job"), (EventKind{Of::job, {}}));
  EXPECT_EQ(event_kind("HGroup"), (EventKind{Of::object, ObjectKind::host_group}));
  EXPECT_EQ(event_kind("ckpt"), (EventKind{Of::object, ObjectKind::checkpoint})); // O6.14
  EXPECT_FALSE(event_kind(""));
  EXPECT_FALSE(event_kind("JOB_ADD"));
}

TEST(GivenEventsOfOneObject, WhenTheyAreMergedThenTheLastStateAndEndsStay) {
  const auto verb = [](EventVerb first, EventVerb second) {
    const auto one =
        merged({{{Of::host, {}}, first, 0, 0, "h"}, {{Of::host, {}}, second, 0, 0, "h"}});
    EXPECT_EQ(one.size(), 1u);
    return one.front().verb;
  };
  using enum EventVerb;
  EXPECT_EQ(verb(added, modified), added);
  EXPECT_EQ(verb(modified, modified), modified);
  EXPECT_EQ(verb(modified, removed), removed);
  EXPECT_EQ(verb(added, removed), removed);
  EXPECT_EQ(verb(removed, added), added);
  EXPECT_EQ(verb(removed, modified), removed);
}

TEST(GivenEventsOfSeveralObjects, WhenTheyAreMergedThenEachIsWhereItWasChangedLast) {
  const auto host = [](const std::string& name) {
    return Event{{Of::host, {}}, EventVerb::modified, 0, 0, name};
  };
  const auto result = merged({host("a"), host("b"), host("a"), host("c")});
  ASSERT_EQ(result.size(), 3u);
  EXPECT_EQ(result[0].name + result[1].name + result[2].name, "bac");
}
