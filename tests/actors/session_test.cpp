#include "actors/session/channel.hpp"
#include "actors/session/protocol.hpp"
#include "actors/session/session.hpp"
#include "actors/trust/order.hpp"
#include "schema/codec.hpp"
#include "tests/actors/actor_fixture.hpp"

#include <limits>
#include <set>

using namespace almanac;
using std::chrono::seconds;

namespace {

// What may be said, apart from the program: listener, stage, message.
const std::set<std::string> allowed_cells{
    "agent challenge Challenge", "agent challenge Refused",   "agent welcome Welcome",
    "agent welcome Refused",     "agent list Registered",     "agent list RelayAnswer",
    "agent open Registered",     "agent open RelayAnswer",    "agent open Renewed",
    "agent open SignedOrder",    "agent ordered Launch",      "agent ordered Control",
    "agent list Refused",        "agent open Refused",        "agent ordered Forget",
    "master hello Hello",        "master proof Proof",        "master list Register",
    "master open TaskReport",    "master open HostLoad",      "master open Relay",
    "master open PartSilent",    "master open Renew",         "caller challenge Challenge",
    "caller challenge Refused",  "caller welcome Welcome",    "caller welcome Refused",
    "caller open PeerOutput",    "caller open PeerEnded",     "called hello Hello",
    "called proof Proof",        "called open PeerInput",     "called open SignedOrder",
    "called ordered PeerStart",  "called ordered PeerClear",  "agent open CommonFiles",
    "agent open CommonFile",     "master open GetCommonFile", "agent ordered PeerStart",
    "agent open PeerInput",      "master open PeerOutput",    "master open PeerEnded",
    "master open TaskUses",      "called ordered PeerAttach"};

template <std::size_t... I> std::vector<session::Message> each_message(std::index_sequence<I...>) {
  return {session::Message(std::in_place_index<I>)...};
}
std::vector<session::Message> each_message() {
  auto all = each_message(std::make_index_sequence<std::variant_size_v<session::Message>>());
  for (auto& message : all) // empty ones are not valid
    if (auto* start = std::get_if<session::PeerStart>(&message)) start->command = {"x"};
    else if (auto* wanted = std::get_if<session::GetCommonFile>(&message))
      wanted->name = common_file_names.front();
  return all;
}

std::string cell_of(Listener listener, Stage stage, const session::Message& message) {
  return std::string(name_of(listener)) + " " + name_of(stage) + " " + name_of(message);
}

caf::behavior calendar_that_knows(caf::event_based_actor*, const caf::strong_actor_ptr& host) {
  return {[host](const GetHost&) { return FoundHost{host, {}}; }};
}

class GivenASession : public ActorFixture {
public:
  SigningKey master_key = SigningKey::generate();
  Identity master{"cell", "master", session::Role::master,  master_key,
                  {},     {},       master_key.public_key()};
  Identity h1 = agent("h1"), h2 = agent("h2");

  Identity agent(const std::string& name) const {
    const auto key = SigningKey::generate();
    const auto ticket = sign_ticket(master_key, "cell", name, key.public_key(), 0);
    return {"cell",
            name,
            session::Role::agent,
            key,
            ticket.ticket,
            ticket.signature,
            master_key.public_key()};
  }

  // A session, and by hand whoever is at its other end.
  struct Talk {
    Partner owner, far;
    SessionActor session;
    Identity own, other; ///< the session's; that of the other end
    std::optional<Handshake> hand;
    Channel channel;
    std::optional<OrderSeal> seal;
    std::size_t read = 0;
  };

  void say(Talk& talk, session::Message message) {
    for (auto& packet : talk.channel.say(encode(session::Envelope{std::move(message)})))
      tell_as(talk.far, talk.session, std::move(packet));
  }
  template <class T> T hear(Talk& talk) {
    const auto packets = talk.far.all<Packet>();
    for (; talk.read < packets.size(); ++talk.read)
      for (const auto& content : talk.channel.hear(packets[talk.read])) {
        auto envelope = decode<session::Envelope>(content);
        if (std::holds_alternative<T>(envelope->body)) return std::get<T>(envelope->body);
      }
    ADD_FAILURE() << "the session did not say what was expected";
    return {};
  }
  static std::string end_of(const Talk& talk) {
    const auto ends = talk.owner.all<SessionDown>();
    return ends.empty() ? "" : ends.front().reason;
  }
  static std::vector<SessionSaid> said_by(const Talk& talk) {
    return talk.owner.all<SessionSaid>();
  }

  // As far as the stage, with a peer that says what it should.
  std::unique_ptr<Talk> talk(Listener listener, Stage until, const std::string& binding = "") {
    auto talk = std::make_unique<Talk>();
    talk->owner = partner(), talk->far = partner();
    const bool begins = listener == Listener::agent || listener == Listener::caller;
    talk->own = listener == Listener::master ? master : h1;
    talk->other = listener == Listener::agent ? master : h2;
    talk->hand.emplace(talk->other, random_bytes, binding);
    SessionSetup setup;
    setup.identity = &talk->own, setup.random = random_bytes, setup.directory = directory;
    setup.owner = talk->owner.as<SessionOwner>();
    setup.welcome = {7, "store", {}};
    if (listener == Listener::master)
      setup.calendar = until == Stage::admission
                           ? partner().as<CalendarActor>()
                           : caf::actor_cast<CalendarActor>(
                                 keep(system.spawn(calendar_that_knows, talk->owner.pointer())));
    if (begins) setup.expected_role = talk->other.role;
    else setup.remote = talk->far.pointer();
    talk->session = keep(spawn_session(system, std::move(setup)));
    settle();
    begins ? accept(*talk, until) : begin(*talk, until);
    return talk;
  }

  void accept(Talk& talk, Stage until) {
    tell(talk.session, LinkUp{talk.far.pointer(), ""});
    const auto hello = hear<session::Hello>(talk);
    if (until == Stage::challenge) return;
    say(talk, *talk.hand->challenge(hello));
    const auto proof = hear<session::Proof>(talk);
    ASSERT_TRUE(talk.hand->finish(proof).ok());
    if (until == Stage::welcome) return;
    say(talk, talk.hand->welcome({7, "store", {}}));
    open(talk, talk.own.name);
    if (talk.other.role == session::Role::master && until != Stage::list)
      say(talk, session::Registered{});
  }

  void begin(Talk& talk, Stage until) {
    if (until == Stage::hello) return;
    auto hello = talk.hand->begin(talk.own.role, "");
    if (until == Stage::refused) hello.cell = "another";
    say(talk, hello);
    if (until == Stage::proof || until == Stage::refused) return;
    say(talk, *talk.hand->answer(hear<session::Challenge>(talk)));
    if (until == Stage::admission) return;
    ASSERT_TRUE(talk.hand->enter(hear<session::Welcome>(talk)).ok());
    open(talk, talk.own.name);
    if (talk.own.role == session::Role::master && until != Stage::list)
      say(talk, session::Register{});
  }

  void open(Talk& talk, const std::string& obeys) {
    talk.seal.emplace(talk.other.key, OrderScope{talk.hand->session_id(), obeys, "store", 7});
    ASSERT_EQ(talk.owner.all<SessionUp>().size(), 1u) << end_of(talk);
    EXPECT_EQ(talk.owner.all<SessionUp>().front().peer, talk.other.name);
  }

  bool is_reached(Listener listener, Stage stage) const {
    const bool begins = listener == Listener::agent || listener == Listener::caller;
    switch (stage) {
    case Stage::hello:
    case Stage::proof:
    case Stage::refused: return !begins;
    case Stage::admission: return listener == Listener::master; // a called agent asks nobody
    case Stage::challenge:
    case Stage::welcome: return begins;
    case Stage::list: return listener == Listener::agent || listener == Listener::master;
    case Stage::open: return true;
    case Stage::ordered: return listener == Listener::agent || listener == Listener::called;
    }
    return false;
  }
};

} // namespace

TEST(GivenTheTableOfASession, WhenEveryCellIsReadThenOnlyWhatIsWrittenHereIsAllowed) {
  for (const auto listener : listeners)
    for (const auto stage : stages)
      for (const auto& message : each_message()) {
        const auto cell = cell_of(listener, stage, message);
        EXPECT_EQ(after(listener, stage, message).has_value(), allowed_cells.contains(cell))
            << cell;
      }
}

TEST_F(GivenASession, WhenItHearsWhatTheTableDoesNotAllowThenItEnds) {
  for (const auto listener : listeners)
    for (const auto stage : stages)
      for (const auto& message : each_message()) {
        if (!is_reached(listener, stage)) continue;
        const auto one = talk(listener, stage);
        ASSERT_EQ(end_of(*one), "");
        if (stage == Stage::ordered) say(*one, one->seal->sign(message));
        else say(*one, message);
        const auto cell = cell_of(listener, stage, message);
        EXPECT_EQ(end_of(*one).find("which no ") == std::string::npos, allowed_cells.contains(cell))
            << cell << ": " << end_of(*one);
        if (allowed_cells.contains(cell) && stage == Stage::ordered) {
          EXPECT_EQ(said_by(*one).back().message->index(), message.index()) << cell;
        }
      }
}

TEST_F(GivenASession, WhenSomebodySaysWelcomeWithoutAProofThenItNeverOpens) {
  for (const auto listener : listeners)
    for (const auto stage : {Stage::hello, Stage::challenge, Stage::proof, Stage::welcome}) {
      if (!is_reached(listener, stage)) continue;
      const auto one = talk(listener, stage);
      say(*one, session::Welcome{99, "a store of mine", {}});
      EXPECT_TRUE(one->owner.all<SessionUp>().empty()) << name_of(listener) << name_of(stage);
      EXPECT_NE(end_of(*one), "");
    }
}

TEST_F(GivenASession, WhenAnotherSendsAPacketThenItIsNotHeard) {
  const auto one = talk(Listener::master, Stage::open);
  const auto before = said_by(*one).size();
  const auto forged = [&] {
    return one->channel.say(encode(session::Envelope{session::TaskReport{}})).front();
  };
  const auto packet = forged();
  tell_as(partner(), one->session, packet);
  tell(one->session, packet); // nobody's
  EXPECT_EQ(said_by(*one).size(), before);
  EXPECT_EQ(end_of(*one), "");
  tell_as(one->far, one->session, packet);
  EXPECT_EQ(said_by(*one).size(), before + 1) << "the same from its peer";
}

TEST_F(GivenASession, WhenWhatIsSaidIsNotValidThenItEndsAndNothingIsHeard) {
  const auto ends = [this](Listener listener, const session::Message& message) {
    const auto one = talk(listener, Stage::open);
    const auto before = said_by(*one).size();
    say(*one, message);
    EXPECT_EQ(said_by(*one).size(), before);
    return end_of(*one);
  };
  HostLoad load;
  load.load_medium = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(ends(Listener::master, load),
            "it sent HostLoad: load average 9223372036854775807 is not in the range of -1 to "
            "1000000000");
  session::TaskReport report;
  report.record.reason = "\x1b[2J";
  EXPECT_EQ(ends(Listener::master, report), "it sent TaskReport: reason holds a control character");
  EXPECT_NE(ends(Listener::master, PartSilent{{-1, 0, 1}, "h1"}), "");
  EXPECT_NE(ends(Listener::caller, session::PeerEnded{1, report.record}), "");
  EXPECT_NE(ends(Listener::called, session::PeerInput{1, {"x"}, false, -5}), "");
}

// Within an order, too: its hand is proven, its content is another agent's.
TEST_F(GivenASession, WhenAnOrderOfAnAgentIsNotValidThenItEndsAndNothingIsHeard) {
  const auto one = talk(Listener::called, Stage::open);
  const auto before = said_by(*one).size();
  say(*one, one->seal->sign(session::PeerStart{1, {1, 0, 1}, {"x"}, {{"A=B", ""}}, "/", {}, {}}));
  EXPECT_EQ(said_by(*one).size(), before);
  EXPECT_EQ(end_of(*one), "it sent PeerStart: \"A=B\" is not a name of an environment variable");
}

TEST_F(GivenASession, WhenAnOrderIsNotInTheMastersHandThenItEndsAndNothingIsDone) {
  const auto refused = [&](const session::SignedOrder& order, const Talk& in) {
    return [&, order](Talk& one) {
      const auto before = said_by(one).size();
      say(one, order);
      return said_by(one).size() == before && !end_of(in).empty();
    };
  };
  const auto first = talk(Listener::agent, Stage::open);
  const auto order = first->seal->sign(session::Launch{});
  say(*first, order);
  EXPECT_TRUE(std::holds_alternative<session::Launch>(*said_by(*first).back().message));
  EXPECT_TRUE(refused(order, *first)(*first)) << "given twice";

  const auto second = talk(Listener::agent, Stage::open);
  EXPECT_TRUE(refused(order, *second)(*second)) << "of another session";

  const auto third = talk(Listener::agent, Stage::open);
  OrderSeal of_an_agent(h2.key, {third->hand->session_id(), "h1", "store", 7});
  EXPECT_TRUE(refused(of_an_agent.sign(session::Launch{}), *third)(*third)) << "of an agent";
}

TEST_F(GivenASession, WhenItsOwnerGivesAnOrderThenItIsSigned) {
  for (const auto listener : {Listener::master, Listener::caller}) {
    const auto one = talk(listener, Stage::open);
    const session::Message order = listener == Listener::master
                                       ? session::Message(session::Control{{1, 0, 1}, {}})
                                       : session::Message(session::PeerClear{{1, 0, 1}, {}, {}});
    tell(one->session, Say{order});
    OrderCheck check(one->own.key.public_key(),
                     {one->hand->session_id(), one->other.name, "store", 7});
    const auto opened = check.open(hear<session::SignedOrder>(*one));
    ASSERT_TRUE(opened.ok()) << opened.what();
    EXPECT_EQ(opened->index(), order.index());
  }
}

TEST_F(GivenASession, WhenItsPeerAcknowledgesNothingThenItEndsInsteadOfKeepingAllThatIsSaid) {
  const auto one = talk(Listener::master, Stage::open);
  for (std::size_t i = 0; i < Channel::most_unacknowledged; ++i)
    caf::anon_send(one->session, Say{session::Renewed{1}});
  settle();
  EXPECT_EQ(end_of(*one), "");
  for (int i = 0; i < 10; ++i) tell(one->session, Say{session::Renewed{1}});
  EXPECT_NE(end_of(*one).find("it takes too little: 65537 messages with "), std::string::npos)
      << end_of(*one);
  EXPECT_EQ(one->owner.all<SessionDown>().size(), 1u) << "its owner begins anew, as after a loss";
}

namespace {

// Counts how often a session told it that there is room.
caf::behavior who_has_more_to_say(caf::event_based_actor* self, const SessionActor& session,
                                  const std::shared_ptr<int>& rooms) {
  return {[self, session, rooms](const Wake&) {
    self->request(session, caf::infinite, AwaitRoom{}).then([rooms](const AwaitRoom&) {
      ++*rooms;
    });
  }};
}

} // namespace

TEST_F(GivenASession, WhenSomebodyHasMuchToSayThenItTellsWhenThereIsRoom) {
  const auto one = talk(Listener::master, Stage::open);
  const auto rooms = std::make_shared<int>(0);
  const auto who = keep(system.spawn(who_has_more_to_say, one->session, rooms));
  tell(who, Wake{});
  EXPECT_EQ(*rooms, 1);
  for (std::size_t i = 0; i < 2 * Channel::window; ++i)
    caf::anon_send(one->session, Say{session::Renewed{1}});
  tell(who, Wake{});
  EXPECT_EQ(*rooms, 1) << "not all of it could be sent";
  for (int i = 0; i < 3; ++i) {
    const auto sent = one->far.all<Packet>().back().sequence;
    tell_as(one->far, one->session, Packet{0, sent, {}});
  }
  EXPECT_EQ(*rooms, 2);
}

TEST_F(GivenASession, WhenItsHandshakeIsNotFinishedThenItEnds) {
  const auto one = talk(Listener::called, Stage::proof);
  for (int i = 0; i < 8; ++i) {
    pass(seconds(2));
    tell_as(one->far, one->session, Packet{}); // it is not silent
  }
  EXPECT_NE(end_of(*one).find("was not finished"), std::string::npos);
}
