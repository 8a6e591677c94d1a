// Who subscribes hears what changes: in order, each once, behind a cursor that outlives the master.
#include "actors/master/feed.hpp"
#include "actors/master/followers.hpp"
#include "actors/master/next_commit.hpp"
#include "actors/master/old_changes.hpp"
#include "actors/master/views.hpp"
#include "core/planning/planner.hpp"
#include "schema/codec.hpp"
#include "tests/actors/memory_store.hpp"

using namespace almanac;

namespace {

class GivenAFeed : public ActorFixture {
public:
  MemoryStore store;
  ListedNotebook notebook;
  Planner planner = *Planner::restore(Planner::initial_records("root", "master"));
  Caller root{"root", "root", 0, 0, "master", "unix door"};
  ViewsActor views = keep(spawn_views(system, directory, &notebook, &store));
  Partner door = partner();
  std::int64_t term = 100, sequence = 0, connection = 0;
  FeedActor feed = begin();

  GivenAFeed() { publish(planner.state().records().as_effects()); }

  // The master starts, over the same store.
  FeedActor begin() {
    NextCommit next({sequence}, KeptAnswers());
    next.begin({}, store, {++term});
    store.commit(*next.take(), {term});
    return keep(spawn_feed(system, {&store, {term}, {sequence}, views, directory}, Thread::shared));
  }
  void publish(std::vector<Effect> effects) {
    std::vector<std::vector<Effect>> decided{std::move(effects)};
    tell(views,
         Publish{std::make_shared<const std::vector<std::vector<Effect>>>(decided), clock.now()});
  }
  // Decided, durable, and told.
  void change(CommandBody body) {
    auto valid = validated(Command{root, std::move(body)});
    auto decisions = planner.handle(std::get<Valid<Command>>(valid), clock.now());
    const auto rows = store::rows_of({++sequence}, planner.state().records().events());
    for (const auto& row : rows) store.commit({store::write_of(row)}, {term});
    publish(std::move(decisions.effects));
    tell(feed,
         PublishChanges{std::make_shared<const std::vector<store::ChangeRow>>(rows), {sequence}});
  }
  void submit(const std::string& name) {
    JobRequest request;
    request.name = name, request.command = "/bin/true", request.binary = true;
    request.arguments = {"secret"};
    change(Submit{request, ""});
  }
  void remove(std::int64_t number) { change(DeleteJobs{{std::to_string(number)}, {}, {}, false}); }

  // A reader at a door: what it has heard, and how it asks for more.
  struct Heard {
    std::int64_t connection = 0;
    std::vector<door::Reply> frames;
    std::shared_ptr<EncodedFrames> rest; ///< while it has not asked for the next frame
    std::size_t seen = 0;                ///< of all that the door has heard

    std::string words() const {
      std::string text;
      for (const auto& frame : frames)
        if (const auto* changes = std::get_if<door::Changes>(&frame.body))
          for (const auto& one : changes->changes) text += one.event + " " + one.id + "; ";
      return text;
    }
    std::string cursor() const {
      std::string last;
      for (const auto& frame : frames)
        if (const auto* changes = std::get_if<door::Changes>(&frame.body))
          if (!changes->cursor.empty()) last = changes->cursor;
      return last;
    }
    bool is_gone() const {
      const auto* changes = std::get_if<door::Changes>(&frames.back().body);
      return frames.back().done && changes && changes->gone;
    }
  };
  void take(Heard& reader, const DoorReply& reply) {
    reader.frames.push_back(*decode<door::Reply>(reply.content));
    EXPECT_EQ(reader.frames.back().done, reply.last);
    reader.rest = reply.rest;
  }
  Heard follow(const door::Subscribe& wanted,
               Caller caller = {"ann", "users", 7, 7, "master", ""}) {
    Heard reader{++connection, {}, nullptr, door.all<DoorReply>().size()};
    const auto first =
        ask<DoorReply>(*this, feed, Follow{wanted, caller, 2, door.pointer(), connection});
    EXPECT_TRUE(first->has_value());
    if (first->has_value()) take(reader, first->value());
    return reader;
  }
  // Asks, if it has a frame, and takes what has come; whether something did.
  bool read(Heard& reader) {
    if (reader.rest)
      tell_as(door, feed, TakeFrame{reader.connection, std::exchange(reader.rest, nullptr)});
    const auto replies = door.all<DoorReply>();
    const auto before = reader.frames.size();
    for (; reader.seen < replies.size(); ++reader.seen)
      if (replies[reader.seen].connection == reader.connection) take(reader, replies[reader.seen]);
    return reader.frames.size() > before;
  }
  // Reads while something is there.
  void read_all(Heard& reader) {
    while (read(reader)) {
    }
  }
  std::string shown() { return ask<ActorState>(*this, feed, Inspect{})->value().text; }
};

door::Subscribe after(const std::string& cursor) {
  door::Subscribe wanted;
  wanted.after = cursor;
  return wanted;
}

door::Subscribe of_kinds(std::vector<std::string> kinds) {
  door::Subscribe wanted;
  wanted.kinds = std::move(kinds);
  return wanted;
}

} // namespace

TEST_F(GivenAFeed, WhenSomebodySubscribesThenTheyHearWhereTheyAreAndThenWhatChanges) {
  auto reader = follow({});
  EXPECT_EQ(reader.cursor(), "101-0");
  EXPECT_FALSE(read(reader)) << "nothing has changed: it waits";
  submit("first");
  ASSERT_TRUE(read(reader)) << "nobody has to ask once more";
  EXPECT_EQ(reader.words(), "JOB_ADD 1; ");
  EXPECT_EQ(reader.cursor(), "101-1");
  submit("second"), remove(1);
  read_all(reader);
  EXPECT_EQ(reader.words(), "JOB_ADD 1; JOB_ADD 2; JOB_DEL 1; ");
}

TEST_F(GivenAFeed, WhenAJobIsToldThenWhatItIsGivenIsNotShown) {
  auto reader = follow({});
  submit("mine");
  read_all(reader);
  const auto& frame = std::get<door::Changes>(reader.frames.back().body);
  ASSERT_EQ(frame.changes.size(), 1u);
  ASSERT_EQ(frame.changes.front().job.size(), 1u);
  const auto& request = frame.changes.front().job.front().job.request;
  EXPECT_EQ(request->name, "mine");
  EXPECT_TRUE(request->arguments.empty());
  EXPECT_TRUE(request->command.empty());
}

TEST_F(GivenAFeed, WhenAReaderComesLaterThenStepsInBetweenAreMergedAndEndsAreNot) {
  auto reader = follow(of_kinds({"job"}));
  submit("a"), submit("b");
  JobRequest other_name;
  other_name.name = "c";
  change(AlterJobs{{"1"}, {}, {"-N"}, other_name}), remove(2);
  read_all(reader);
  EXPECT_EQ(reader.words(), "JOB_ADD 1; JOB_DEL 2; ");
}

TEST_F(GivenAFeed, WhenOnlySomeKindsAreWantedThenTheOthersAreNotTold) {
  auto hosts = follow(of_kinds({"host", "cqueue"}));
  submit("a");
  EXPECT_FALSE(read(hosts));
  EXPECT_EQ(hosts.words(), "");
}

TEST_F(GivenAFeed, WhenAListIsWantedThenWhatThereIsComesFirstAndThenWhatChanges) {
  submit("a"), submit("b");
  auto wanted = of_kinds({"job"});
  wanted.list = true;
  auto reader = follow(wanted);
  EXPECT_TRUE(std::get<door::Changes>(reader.frames.front().body).begins_list);
  EXPECT_EQ(reader.cursor(), "") << "a list that breaks off begins anew";
  read_all(reader);
  EXPECT_EQ(reader.cursor(), "101-2");
  submit("c");
  read_all(reader);
  EXPECT_EQ(reader.words(), "JOB_LIST 1; JOB_LIST 2; JOB_ADD 3; ");
}

TEST_F(GivenAFeed, WhenTheMasterIsRestartedThenTheCursorGoesOnBehindWhatWasHeard) {
  auto reader = follow({});
  submit("a");
  read_all(reader);
  const auto cursor = reader.cursor();
  submit("b");
  feed = begin();
  submit("c");
  auto again = follow(after(cursor));
  read_all(again);
  EXPECT_EQ(again.words(), "JOB_ADD 2; JOB_ADD 3; ");
  EXPECT_EQ(again.cursor(), "102-3");
}

TEST_F(GivenAFeed, WhenACursorIsOfWhatIsNotThereThenItIsGone) {
  submit("a"), submit("b");
  EXPECT_TRUE(follow(after("101-99")).is_gone()) << "beyond the end";
  EXPECT_TRUE(follow(after("55-1")).is_gone()) << "of a start that the store does not know";
  feed = begin();
  submit("c");
  EXPECT_TRUE(follow(after("101-3")).is_gone()) << "an input of the earlier start that was lost";
  EXPECT_FALSE(follow(after("101-1")).is_gone());
  store.families[store::Family::meta][store::changes_removed_key] = "2";
  EXPECT_TRUE(follow(after("101-1")).is_gone()) << "what came next may have been removed";
  EXPECT_FALSE(follow(after("101-2")).is_gone());
}

TEST_F(GivenAFeed, WhenAReaderFallsFarBehindThenItIsToldSoAndHeardNoMore) {
  auto slow = follow({}), quick = follow({});
  for (std::size_t i = 0; i < Subscription::most_waiting + 2; ++i) {
    submit("job");
    read(quick);
  }
  EXPECT_TRUE(read(slow));
  EXPECT_TRUE(slow.is_gone());
  EXPECT_FALSE(slow.rest);
  EXPECT_FALSE(quick.is_gone());
  EXPECT_NE(shown().find("subscriptions: 1\n"), std::string::npos) << shown();
}

TEST_F(GivenAFeed, WhenAConnectionGoesAwayThenItsSubscriptionGoesWithIt) {
  const auto reader = follow({});
  EXPECT_NE(shown().find("subscriptions: 1\n"), std::string::npos);
  tell_as(door, feed, ReaderGone{reader.connection + 1});
  EXPECT_NE(shown().find("subscriptions: 1\n"), std::string::npos);
  tell_as(door, feed, ReaderGone{reader.connection});
  EXPECT_NE(shown().find("subscriptions: 0\n"), std::string::npos);
}

TEST_F(GivenAFeed, WhenAUserHasManySubscriptionsThenTheNextIsRefusedAndOthersAreNot) {
  for (int i = 0; i < 16; ++i) EXPECT_FALSE(follow({}).frames.back().done);
  const auto refused = follow({});
  ASSERT_TRUE(refused.frames.back().done);
  EXPECT_EQ(std::get<Answer>(refused.frames.back().body).exit_code, 1);
  EXPECT_FALSE(follow({}, {"bob", "users", 8, 8, "master", ""}).frames.back().done);
}

TEST_F(GivenAFeed, WhenItIsAskedThroughAnAgentThenNobodyWaitsBehindTheAnswer) {
  submit("a");
  const Caller through_an_agent{"ann", "users", 7, 7, "master", "the agent on master"};
  auto reader = follow(after("101-0"), through_an_agent);
  read_all(reader);
  EXPECT_EQ(reader.words(), "JOB_ADD 1; ");
  EXPECT_TRUE(reader.frames.back().done);
  EXPECT_FALSE(reader.is_gone());
  EXPECT_EQ(reader.cursor(), "101-1");
  follow(after("101-0"), through_an_agent); // its reader never comes back
  EXPECT_NE(shown().find("subscriptions: 1\n"), std::string::npos);
  pass(std::chrono::minutes(2));
  EXPECT_NE(shown().find("subscriptions: 0\n"), std::string::npos);
}

TEST_F(GivenAFeed, WhenNothingHappensThenAReaderHearsThatNowAndThen) {
  auto reader = follow(of_kinds({"cqueue"}));
  read(reader);
  submit("a"); // it does not want to know
  EXPECT_FALSE(read(reader));
  pass(std::chrono::seconds(20));
  ASSERT_TRUE(read(reader));
  EXPECT_EQ(reader.words(), "");
  EXPECT_EQ(reader.cursor(), "101-1");
}

TEST_F(GivenAFeed, WhenAReaderIsFarBehindAtTheStartThenItGetsAllInOrderAndEachOnce) {
  for (int i = 0; i < 300; ++i) submit("job");
  auto reader = follow(after("101-0"));
  read_all(reader);
  std::string expected;
  for (int i = 1; i <= 300; ++i) expected += "JOB_ADD " + std::to_string(i) + "; ";
  EXPECT_EQ(reader.words(), expected);
}

TEST(GivenChangesThatAreMoreThanAFrameHolds, WhenTheyAreCutThenEachPieceHasACursorOfItsOwn) {
  door::Changes changes;
  for (std::int64_t i = 1; i <= 8; ++i) {
    auto& change = changes.changes.emplace_back();
    change.sequence = i, change.name = std::string(100'000, 'x');
  }
  const auto frames = frames_of(changes, ChangeCursor{{5}, {9}});
  ASSERT_GT(frames.size(), 2u);
  std::int64_t last = 0;
  for (const auto& frame : frames) {
    EXPECT_LE(frame.size(), door::largest_frame);
    const auto piece = std::get<door::Changes>(decode<door::Reply>(frame)->body);
    for (const auto& change : piece.changes) EXPECT_EQ(change.sequence, ++last);
    const bool is_last = &frame == &frames.back();
    EXPECT_EQ(piece.cursor, is_last ? "5-9" : "5-" + std::to_string(last) + ".0");
  }
  EXPECT_EQ(last, 8);
}

namespace {

class GivenOldChanges : public ::testing::Test {
public:
  MemoryStore store;
  static constexpr Instant now{1'000'000};

  void input(std::int64_t sequence, Instant at, std::int64_t rows) {
    store.families[store::Family::inputs][store::number_key(sequence)] =
        encode(JournaledInput{sequence, at, 1, Pass{}, 0});
    for (std::int64_t i = 0; i < rows; ++i)
      store.families[store::Family::changes][store::change_key({sequence}, i)] = "h~n1";
  }
  std::size_t left_after(OldChanges& old, Instant at) {
    for (bool is_last = false; !is_last;) {
      const auto piece = old.next(at, 1'000);
      EXPECT_LE(piece.writes.size(), 1'001u);
      store.commit(piece.writes, {1});
      is_last = piece.is_last && piece.writes.empty();
    }
    return store.families[store::Family::changes].size();
  }
};

} // namespace

TEST_F(GivenOldChanges, WhenThereAreMoreThanStayThenTheOldestGoAndItIsKnownUpToWhich) {
  constexpr auto kept = static_cast<std::size_t>(most_old_changes);
  input(1, now - Duration{5'000}, 2'000), input(2, now - Duration{4'000}, 500);
  input(3, now - Duration{3'000}, most_old_changes - 100);
  OldChanges old(store);
  EXPECT_EQ(left_after(old, now), kept);
  EXPECT_EQ(store.get(store::Family::meta, store::changes_removed_key), "2");
  input(4, now, 10);
  EXPECT_EQ(left_after(old, now), kept) << "the oldest are old enough";
}

TEST_F(GivenOldChanges, WhenTheyAreYoungThenAllStayForTenMinutes) {
  constexpr auto kept = static_cast<std::size_t>(most_old_changes);
  input(1, now, 1'000), input(2, now, most_old_changes);
  OldChanges old(store);
  EXPECT_EQ(left_after(old, now + Duration{changes_kept_seconds}), kept + 1'000);
  EXPECT_FALSE(store.get(store::Family::meta, store::changes_removed_key));
  EXPECT_EQ(left_after(old, now + Duration{changes_kept_seconds + 1}), kept);
}
