// Every field of everything that an agent says, over its whole range: it is refused, or does no
// harm.
#include "core/request/valid.hpp"
#include "core/text/names.hpp"
#include "schema/codec.hpp"
#include "schema/valid_message.hpp"
#include "tests/core/planning/planner_fixture.hpp"
#include "tests/schema/spoiler.hpp"

using namespace almanac;

namespace {

class GivenATaskThatRuns : public PlannerFixture {
public:
  Attempt running;
  int said = 0, refused = 0;

  void set_up_again() {
    planner = *Planner::restore(Planner::initial_records("root", "master"));
    hosts(2, 4);
    auto request = job("runs", "0:10:0");
    request.pe = "mpi", request.slots = {{1, 1}};
    const auto number = submit(alice, request);
    pass();
    start(number);
    running = attempt(number);
  }

  session::TaskReport full_report() const {
    ExitRecord record;
    record.failed = failed::run_time_limit, record.exit_status = 137, record.reason = "it is over";
    return {running, session::TaskPhase::ended,           true, false, "store", 1,
            record,  {{"", 0, record}, {"h1", 1, record}}};
  }
  static HostFacts full_facts() { return {"lx-amd64", 8, 1LL << 35, "boot", "spool", "h1:6444"}; }

  // As the session and the actor of the host carry it to the planner.
  std::vector<Input> inputs_of(const session::Message& message) const {
    if (const auto* list = std::get_if<session::Register>(&message)) {
      std::int64_t highest_key = 0;
      for (const auto& task : list->tasks)
        highest_key = std::max(highest_key, task.attempt.job.value);
      return {HostRegistered{"h1", list->facts, highest_key}};
    }
    if (const auto* load = std::get_if<HostLoad>(&message))
      return {LoadChanged{"h1", quantised(*load, full_facts().memory)}};
    if (const auto* part = std::get_if<PartSilent>(&message)) return {*part};
    const auto* report = std::get_if<session::TaskReport>(&message);
    if (!report) return {};
    return {TaskStarted{report->attempt},
            LaunchFailed{report->attempt, "h1", report->user_fault, report->record},
            TaskEnded{report->attempt, report->record, report->processes},
            TaskLost{report->attempt, "h1"}};
  }

  void say(const session::Message& message) {
    ++said;
    const auto heard = decode<session::Envelope>(encode(session::Envelope{message}));
    const auto sound = heard ? valid_message(heard->body) : Outcome(heard.error());
    if (!sound) {
      ++refused;
      EXPECT_LT(sound.what().size(), 200u);
      EXPECT_EQ(printable(sound.what()), sound.what());
      return;
    }
    for (const auto& input : inputs_of(heard->body)) {
      set_up_again();
      tell(input);
      EXPECT_LT(encoded_size(), 100'000u);
      pass();
      submit(alice, job("next", "0:1:0"));
      pass();
    }
  }
  // What is kept of it.
  std::size_t encoded_size() const {
    std::size_t size = 0;
    for (const auto& [key, job] : planner.state().jobs()) size += encode(*job).size();
    for (const auto& [id, task] : planner.state().records().all<Task>())
      size += encode(*task).size();
    for (const auto& [name, host] : planner.state().records().all<HostState>())
      size += encode(*host).size();
    return size;
  }

  void spoil(const session::Message& sample) {
    EXPECT_TRUE(valid_message(sample).ok()) << valid_message(sample).what();
    each_spoiled(sample, [this](const session::Message& message, int field, std::size_t way) {
      SCOPED_TRACE("message " + std::to_string(message.index()) + " field " +
                   std::to_string(field) + " way " + std::to_string(way));
      say(message);
    });
  }
  void SetUp() override { set_up_again(); }
};

} // namespace

TEST_F(GivenATaskThatRuns, WhenAHostRegistersWithAnyFieldsThenNothingBreaks) {
  spoil(session::Register{full_facts(), {full_report()}});
  EXPECT_GT(refused, said / 3);
}

TEST_F(GivenATaskThatRuns, WhenAReportHasAnyFieldsThenNothingBreaks) {
  spoil(full_report());
  spoil(PartSilent{running, "h2"});
  EXPECT_GT(refused, said / 3);
}

// spec/objects.md O12.10
TEST_F(GivenATaskThatRuns, WhenACommonFileIsAskedForByAnotherNameThenTheMessageIsNotValid) {
  spoil(session::GetCommonFile{"sge_request"});
  EXPECT_EQ(refused, said) << "there are few names";
  for (const char* name : {"accounting", "schedule", "../../ca/ca.key", "/etc/shadow", ""})
    EXPECT_FALSE(valid_message(session::GetCommonFile{name}).ok()) << name;
}

TEST_F(GivenATaskThatRuns, WhenALoadHasAnyFieldsThenNothingBreaks) {
  spoil(HostLoad{10, 20, 30, 5000, 1 << 20, 1 << 20, 1 << 20});
  EXPECT_GT(refused, said / 2);
  HostLoad load;
  const auto with = [&](const LoadValue& said, std::size_t times) {
    load.values.assign(times, said);
    return valid_message(load).ok();
  };
  EXPECT_TRUE(with({"scratch", "5G", ""}, most_load_values));
  EXPECT_TRUE(with({"licenses", "5", "global"}, 1));
  EXPECT_FALSE(with({"scratch", "5G", ""}, most_load_values + 1));
  EXPECT_FALSE(with({"scratch", "5G", "h2"}, 1)) << "a host speaks for itself and for the cell";
  EXPECT_FALSE(with({"scratch", std::string(longest_load_value + 1, '5'), ""}, 1));
  EXPECT_FALSE(with({std::string(longest_load_name + 1, 's'), "5", ""}, 1));
  EXPECT_FALSE(with({"scratch", "5\n6", ""}, 1));
}

TEST_F(GivenATaskThatRuns, WhenWhatTasksUseHasAnyFieldsThenNothingBreaks) {
  spoil(session::TaskUses{{{running, {1'000'000, 20, 30, 40, 1 << 20, 1 << 20, 1 << 20}}}});
  EXPECT_GT(refused, said / 4);
  session::TaskUses many;
  many.tasks.resize(100'001);
  EXPECT_FALSE(valid_message(many).ok()) << "more than a host could run";
}

TEST_F(GivenATaskThatRuns, WhenAgentsTellEachOtherAnyFieldsThenTheSentenceIsShort) {
  spoil(session::Hello{2, "cell", "h1", session::Role::agent, {"n"}, {"t"}, {"s"}});
  spoil(session::Challenge{"h1", session::Role::agent, {"n"}, {"t"}, {"s"}, {"s"}});
  spoil(session::Proof{{"s"}});
  spoil(session::Welcome{1, "store", {"s"}});
  spoil(session::Refused{"why"});
  spoil(session::Relay{1, {"alice", "users", 1000, 1000, "h1", "unix door"}, {"frame"}});
  spoil(session::PeerStart{1, running, {"x"}, {{"A", "1"}}, "/", {"c"}, {"s"}, false});
  spoil(session::PeerClear{running, {"c"}, {"s"}});
  spoil(session::PeerInput{1, {"x"}, false, 1});
  spoil(session::PeerEnded{1, full_report().record});
  EXPECT_GT(refused, said / 10);
}

TEST_F(GivenATaskThatRuns, WhenAListIsLongerThanAHostCouldRunThenItIsRefused) {
  session::Register list{full_facts(), {}};
  list.tasks.assign(100'001, full_report());
  EXPECT_FALSE(valid_message(list).ok());
}

// A qrsh -inherit that one agent would refuse to carry is refused where the user asks.
TEST_F(GivenATaskThatRuns, WhenAnArgumentIsTooLongThenNoSessionBetweenAgentsEndsOfIt) {
  const std::string much(200'000, 'a');
  EXPECT_FALSE(valid_process({much}, {}, "/").ok());
  EXPECT_FALSE(valid_process({"x"}, {{"A", much}}, "/").ok());
  EXPECT_FALSE(valid_process({"x"}, {}, much).ok());
  EXPECT_TRUE(valid_process({"x", "\x1b"}, {{"A", "\n"}}, "/").ok()) << "the user's own affair";
}
