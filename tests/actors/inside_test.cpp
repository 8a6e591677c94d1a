// What the console sees of the running master.
#include "actors/master/inside.hpp"
#include "core/answer/gridengine.hpp"
#include "schema/codec.hpp"
#include "tests/actors/actor_fixture.hpp"

using namespace almanac;

namespace {

// An actor that asks as the gate does, and looks when it is woken.
struct Looker {
  std::function<void(Inside&)> look;
  std::vector<door::Reply> replies;

  static GateActor::behavior_type run(GateActor::pointer self, std::shared_ptr<Looker> looker,
                                      DirectoryActor directory, ArchiveActor archive) {
    auto inside = std::make_shared<Inside>(self, std::move(directory), std::move(archive));
    return {[](const DoorFrame&) {},
            [](const CatchUp& question) { return question; },
            [](const OpenGate&) {},
            [](const PrecedenceChanged&) {},
            [](const HooksChanged&) {},
            [inside, looker](const Wake&) { looker->look(*inside); },
            [](const Inspect&) { return ActorState{"a state"}; }};
  }
};

caf::behavior archive_with_one_input(caf::event_based_actor*, std::int64_t sequence) {
  return {[sequence](const FindInputs& find) {
    InputSummary summary;
    summary.sequence = {find.query.after + sequence}, summary.about = find.query.filter.about;
    const door::InputSummaries frame{{summary}, {}};
    EXPECT_EQ(find.reader, 7);
    return DoorReply{0, encode(door::Reply{true, frame}), true, nullptr};
  }};
}

class GivenTheInside : public ActorFixture {
public:
  std::shared_ptr<Looker> looker = std::make_shared<Looker>();
  ArchiveActor archive =
      caf::actor_cast<ArchiveActor>(keep(system.spawn(archive_with_one_input, std::int64_t{1})));
  GateActor gate = keep(system.spawn(Looker::run, looker, directory, archive));

  template <class Request> void look(const Request& request) {
    looker->look = [this, request](Inside& inside) {
      Visit visit;
      visit.caller.uid = 7, visit.version = door::protocol_version;
      inside.look(request, visit, [this](const DoorReply& reply) {
        looker->replies.push_back(*decode<door::Reply>(reply.content));
      });
    };
    tell(gate, Wake{});
  }
  template <class Body> const Body* last() const {
    return looker->replies.empty() ? nullptr : std::get_if<Body>(&looker->replies.back().body);
  }
};

} // namespace

TEST_F(GivenTheInside, WhenActorsAreListedThenThoseInTheDirectoryAre) {
  look(door::ListActors{});
  ASSERT_TRUE(last<door::Actors>());
  const auto before = last<door::Actors>()->actors.size();
  caf::anon_send(directory, Enlist{"gate", "g", gate->id(), gate->address()});
  look(door::ListActors{});
  ASSERT_EQ(last<door::Actors>()->actors.size(), before + 1);
  EXPECT_EQ(last<door::Actors>()->actors.back().kind, "gate");
}

TEST_F(GivenTheInside, WhenAnActorIsLookedAtThenItSaysItsStateOrIsNotThere) {
  caf::anon_send(directory, Enlist{"gate", "g", gate->id(), gate->address()});
  look(door::InspectActor{static_cast<std::int64_t>(gate->id()), false});
  ASSERT_TRUE(last<door::Output>());
  EXPECT_EQ(last<door::Output>()->content.content, "a state");
  look(door::InspectActor{123'456, false});
  ASSERT_TRUE(last<Answer>());
  EXPECT_EQ(gridengine::lines_of(*last<Answer>()).front().text,
            "actor 123456 does not exist or did not answer");
}

TEST_F(GivenTheInside, WhenInputsAreWantedThenTheArchiveIsAsked) {
  look(door::GetInputs{41, {{"job 1"}}});
  ASSERT_TRUE(last<door::InputSummaries>());
  const auto& found = last<door::InputSummaries>()->inputs.front();
  EXPECT_EQ(found.sequence.value, 42);
  EXPECT_EQ(found.about, std::vector<std::string>{"job 1"});
}

TEST_F(GivenTheInside, WhenMessagesOfAnActorAreWantedThenTheyAreThereAtOnce) {
  look(door::GetMessages{static_cast<std::int64_t>(gate->id()), 0});
  EXPECT_TRUE(last<door::TracedMessages>());
}
