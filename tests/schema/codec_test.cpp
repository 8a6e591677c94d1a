#include "core/planning/planner.hpp"
#include "schema/codec.hpp"
#include "schema/records.capnp.h"
#include "schema/store/checkpoint.hpp"
#include "schema/store/records.hpp"
#include "schema/earlier_records.hpp"

#include <capnp/message.h>
#include <capnp/serialize.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

store::JobOfFormat1 sample_job() {
  store::JobOfFormat1 job;
  job.key = {77}, job.number = {12};
  job.owner = {"alice", "users", 1001, 100, "h"};
  job.request.edit().name = "name";
  job.request.edit().script.content = std::string("#!/bin/sh\n\0binary", 17);
  job.request.edit().environment = {{"A", "1"}, {"EMPTY", ""}};
  job.request.edit().slots = {{2, 8}};
  job.request.edit().pe = "mpi";
  job.request.edit().rerun = Rerun::no;
  job.request.edit().tasks = {1, 10, 1};
  job.fresh = {{2, 10, 2}};
  Task task;
  task.job = job.key, task.number = 1, task.state = TaskState::running;
  task.grants = {{{"all.q", "h1"}, 2}};
  task.bookings = {{Container::queue({"all.q", "h1"}), "slots", 2}};
  task.booked = {{5}, Instant::never()};
  job.tasks = {task};
  return job;
}

} // namespace

TEST(GivenAJob, WhenEncodedAndDecodedThenItIsTheSame) {
  const auto job = sample_job();
  const auto bytes = encode(job);
  const auto decoded = decode<store::JobOfFormat1>(bytes);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(encode(*decoded), bytes);
  EXPECT_EQ(decoded->request->script.content, job.request->script.content);
  EXPECT_EQ(decoded->tasks.front().booked, job.tasks.front().booked);
  EXPECT_TRUE(decoded->tasks.front().limit.is_endless());
}

namespace {

// Every alternative of a variant, in its order: none can be forgotten.
template <class Variant, class Use> void for_each_alternative(Use use) {
  [&]<std::size_t... index>(std::index_sequence<index...>) {
    (use(Variant(std::in_place_index<index>)), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>());
}

template <class Record, class Variant>
void survives(const Record& record, const Variant& body, Variant Record::*place) {
  const auto bytes = encode(record);
  const auto decoded = decode<Record>(bytes);
  ASSERT_TRUE(decoded.ok()) << "alternative " << body.index() << ": " << decoded.what();
  EXPECT_EQ(((*decoded).*place).index(), body.index());
  EXPECT_EQ(encode(*decoded), bytes) << "alternative " << body.index();
}

} // namespace

TEST(GivenEveryKindOfMessage, WhenEncodedThenTheSchemaHasAllOfItsFields) {
  for_each_alternative<Input>([](const Input& input) {
    survives(JournaledInput{1, {2}, 3, input, 4}, input, &JournaledInput::input);
  });
  for_each_alternative<CommandBody>([](const CommandBody& body) {
    const Input input = Command{{}, body};
    survives(JournaledInput{1, {2}, 3, input, 4}, input, &JournaledInput::input);
    const door::RequestBody request = door::RunCommand{body};
    survives(door::Request{1, "id", request}, request, &door::Request::body);
  });
  for_each_alternative<door::RequestBody>([](const door::RequestBody& body) {
    survives(door::Request{1, "id", body}, body, &door::Request::body);
  });
  for_each_alternative<door::ReplyBody>([](const door::ReplyBody& body) {
    survives(door::Reply{true, body}, body, &door::Reply::body);
  });
  for_each_alternative<session::Message>([](const session::Message& body) {
    survives(session::Envelope{body}, body, &session::Envelope::body);
  });
}

// What a claim proves is the same to who sends it and who reads it (spec/metascheduler.md M6.7).
TEST(GivenEveryCommand, WhenItWasSentThenItsCanonicalBytesAreThoseOfItsSender) {
  for_each_alternative<CommandBody>([](const CommandBody& body) {
    const door::RunCommand sent{body, {}};
    const auto read = decode<door::Request>(encode(door::Request{1, "id", sent}));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(canonical(std::get<door::RunCommand>(read->body)), canonical(sent)) << body.index();
  });
  Submit job{sample_job().request, ""};
  const door::RunCommand sent{job, {}};
  const auto read = decode<door::Request>(encode(door::Request{1, "id", sent}));
  EXPECT_EQ(canonical(std::get<door::RunCommand>(read->body)), canonical(sent));
  job.request.name += "2";
  EXPECT_NE(canonical(door::RunCommand{job, {}}), canonical(sent));
}

// M6.1
TEST(GivenAGrantOfAKey, WhenItIsDecodedThenOnlyItsCanonicalBytesAreTaken) {
  const KeyGrant grant{1,      "cell/store",    {14},     {77}, "ann", {1000},
                       {2000}, KeyMode::secret, "digest", "key"};
  const auto bytes = canonical(grant);
  const auto read = decode_canonical<KeyGrant>(bytes);
  ASSERT_TRUE(read.ok()) << read.what();
  EXPECT_EQ(canonical(*read), bytes);
  EXPECT_EQ(read->owner, "ann");
  EXPECT_EQ(read->mode, KeyMode::secret);
  EXPECT_FALSE(decode_canonical<KeyGrant>(bytes + std::string(8, '\0')).ok());
  EXPECT_FALSE(decode_canonical<KeyGrant>(encode(grant)).ok()) << "a message has more in front";
  EXPECT_FALSE(decode_canonical<KeyGrant>("").ok());
}

// What lists hold is in no alternative that is empty.
TEST(GivenEveryKindOfMessage, WhenItsListsHoldSomethingThenTheSchemaHasAllOfItsFields) {
  const auto reply = [](const door::ReplyBody& body) {
    survives(door::Reply{true, body}, body, &door::Reply::body);
  };
  door::ShownJob job;
  job.tasks.emplace_back(), job.holds.emplace_back();
  reply(door::Jobs{{{job, {}, "staff"}}, {"unknown"}});
  door::ReservationView reservation;
  reservation.shape.bookings = {{Container::host("h1"), "ram", 1'500'000, "1.5"}};
  reply(door::Reservations{{reservation}, {"unknown"}, {}});
  reply(door::Cluster{{door::InstanceView()}, {door::HostView()}});
  reply(door::Objects{{ConfigurationObject()}});
  reply(door::Accounting{{AccountingRecord()}, {}});
  reply(door::Actors{{{1, "k", "n", 2}}});
  const door::RequestBody claimed = door::RunCommand{SpendChallenge{{1}}, {{"v1", "n", "p"}}};
  survives(door::Request{1, "id", claimed}, claimed, &door::Request::body);
  const Input checked = Command{{}, SpendChallenge{{1}}, {CheckedClaim()}};
  survives(JournaledInput{1, {2}, 3, checked, 4}, checked, &JournaledInput::input);
  reply(door::TracedMessages{{{1, 2, 3, "w"}}});
  door::QuotaView quota;
  quota.rule = "A/1", quota.resource = "slots", quota.limit = "5", quota.used = "2";
  quota.is_counted = quota.is_per_slot = quota.is_per_host = quota.fits = true, quota.held = "1",
  quota.asked = "1", quota.left = "3";
  quota.filters = {{QuotaFilter::hosts, {"h1"}, {"@lin"}}};
  quota.steps = {{{7}, "2"}}, quota.more_steps = 4;
  quota.holders = {{{9}, 1, "2", {{7}, {8}}}}, quota.more_holders = 6;
  reply(door::Quotas{{quota}});
  reply(door::UsageReport{
      {{1}, {2}}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {{{3}, {4}, "o", "p", "a", {1, 2, 3}}}});
  reply(door::InputSummaries{{{{1}, {2}, "w", {"host h"}}}, {3}});
  reply(door::Lines{{door::JobLines{{7}, {}, "n", "u", "", "", 0, 0, {}, {{}}}}});
  door::Change change;
  change.sequence = 1, change.position = 2, change.event = "JOB_DEL", change.kind = "JOB";
  change.verb = EventVerb::removed, change.id = "7", change.name = "n";
  change.job = {{job, {}, "staff"}}, change.reservation = {reservation};
  change.host.emplace_back(), change.instance.emplace_back(), change.object.emplace_back();
  reply(door::Changes{"5-1", {change}, true, true});
  const auto input = [](const Input& body) {
    survives(JournaledInput{1, {2}, 3, body, 4}, body, &JournaledInput::input);
  };
  input(Command{{}, Submit{sample_job().request, "h"}});
  input(HostRegistered{"h", {}, 7, {"k", 3, {9}}, Rival::lively});
  const auto message = [](const session::Message& body) {
    survives(session::Envelope{body}, body, &session::Envelope::body);
  };
  message(session::Register{{}, {session::TaskReport()}});
  session::Launch launch;
  launch.job = session::launch_job(sample_job(), sample_job().tasks.front());
  launch.parts.emplace_back();
  message(launch);
}

TEST(GivenBytesOfAStranger, WhenTruncatedThenTheyAreRefused) {
  const auto bytes =
      encode(door::Request{1, "id", door::RunCommand{Submit{sample_job().request, "h"}}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = decode<door::Request>(std::string_view(bytes).substr(0, size));
    if (size % 8 != 0 || size < 16) {
      EXPECT_FALSE(decoded.ok()) << size;
    }
  }
}

// What is read may be anything but never harms: run under ASan and UBSan.
RC_GTEST_PROP(GivenBytesOfAStranger, WhenSomeAreChangedThenTheyAreReadOrRefused, ()) {
  auto bytes = encode(door::Request{1, "id", door::RunCommand{Submit{sample_job().request, "h"}}});
  const auto changes = *rc::gen::inRange(1, 8);
  for (int i = 0; i < changes; ++i)
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  if (auto decoded = decode<door::Request>(bytes))
    RC_ASSERT(decode<door::Request>(encode(*decoded)).ok());
}

TEST(GivenRecords, WhenWrittenToFamiliesThenTheyReadBackAndSoDoesACheckpoint) {
  auto records = Planner::initial_records("root", "master");
  records.jobs = {sample_job()}, records.tasks = sample_job().tasks;
  Reservation reservation;
  reservation.key = {5}, reservation.number = {3}, reservation.owner.user = "alice";
  reservation.repaired = {{100}, {200}};
  reservation.left_behind = {{{"all.q", "h1"}, 2, {}, {300}, {"17", "18.3"}}};
  reservation.lent = {{{9},
                       {{100}, {200}},
                       {{Container::queue({"all.q", "h1"}), Resource("slots"), 2}},
                       {{{"all.q", "h1"}, 2}}}};
  records.reservations = {reservation};
  records.hosts = {{"h1", HostPhase::up, {}, {}, Instant{5}}};
  records.counters = {77, 12, 3, 0};
  std::map<store::Family, std::map<std::string, std::string>> families;
  auto writes = store::writes_of(records);
  for (auto& write : store::checkpoint_writes(records, {42})) writes.push_back(write);
  for (const auto& write : writes) families[write.family][write.key] = *write.value;
  const store::Scan scan = [&](store::Family family, const auto& visit) {
    for (const auto& [key, value] : families[family]) visit(key, value);
  };
  const auto digest = Planner::restore(records)->digest();
  EXPECT_EQ(Planner::restore(*store::read_records(scan))->digest(), digest);
  const auto checkpoint = store::read_checkpoint(scan);
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_EQ(checkpoint->sequence.value, 42);
  EXPECT_EQ(Planner::restore(checkpoint->records)->digest(), digest);
  // A later one beside it, and one that a crash has cut.
  for (const std::int64_t sequence : {40, 50})
    for (auto& write : store::checkpoint_writes({}, {sequence}))
      if (sequence == 50 || write.key.size() > 8) families[write.family][write.key] = *write.value;
  EXPECT_EQ(store::read_checkpoint(scan)->sequence.value, 42) << "the oldest that is whole";
  EXPECT_TRUE(store::read_checkpoint(scan, Sequence{50})->records.jobs.empty());
  // As earlier versions wrote it.
  auto& stored = families[store::Family::checkpoint];
  stored.clear();
  for (auto& write : store::checkpoint_writes(records, {42}))
    if (write.key.size() > 8) stored[write.key.substr(8)] = *write.value;
  EXPECT_FALSE(store::read_checkpoint(scan).ok());
  stored["sequence"] = store::number_key(42);
  ASSERT_TRUE(store::read_checkpoint(scan).ok());
  EXPECT_EQ(Planner::restore(store::read_checkpoint(scan)->records)->digest(), digest);
  families[store::Family::objects].begin()->second = "garbage!";
  EXPECT_FALSE(store::read_records(scan).ok());
}

TEST(GivenAKeyOfAnyKindOfRecord, WhenItIsStoredThenItReadsBack) {
  const auto check = []<class Key>(const Key& key) {
    EXPECT_TRUE(store::key_of_stored<Key>(store::stored_key(key)) == key);
  };
  check(std::string("h1")), check(InstanceName{"all.q", "h1"}), check(JobKey{7});
  check(ReservationKey{8}), check(TaskId{{7}, 3}), check(TransactionKey{{5}, "t1"});
}

TEST(GivenATextWithANul, WhenItIsDecodedThenItIsRefusedWhereverItStands) {
  const std::string nul("x\0user\0", 7);
  auto job = sample_job();
  job.request.edit().environment = {{"A", nul}};
  EXPECT_FALSE(decode<store::JobOfFormat1>(encode(job)).ok());
  job = sample_job(), job.request.edit().arguments = {"a", nul};
  EXPECT_FALSE(decode<store::JobOfFormat1>(encode(job)).ok());
  EXPECT_FALSE(decode<door::Request>(encode(door::Request{1, nul, door::AskWhy{}})).ok());
  EXPECT_FALSE(decode<session::Envelope>(encode(session::Envelope{session::Refused{nul}})).ok());
}

TEST(GivenAStore, WhenAJobOrReservationIsNotValidThenItIsSetAsideAndTheRestIsRead) {
  std::map<store::Family, std::map<std::string, std::string>> families;
  auto records = Planner::initial_records("root", "master");
  records.jobs.assign(8, sample_job());
  for (std::size_t i = 0; i < records.jobs.size(); ++i) {
    auto& job = records.jobs[i];
    job.key = {10 + static_cast<std::int64_t>(i)};
    job.number = {1 + static_cast<std::int64_t>(i)};
  }
  records.jobs[1].request.edit().tasks.step = records.jobs[1].fresh.front().step = -1;
  records.jobs[2].request.edit().environment = {{"A", std::string("x\0", 2)}};
  records.jobs[3].reservation_key = {5};
  records.jobs[4].waits_for = {JobKey{9}, JobKey{11}}; // the first one has ended long ago
  records.jobs[5].waits_for = {JobKey{14}};
  const auto task = sample_job().tasks.front();
  for (const std::int64_t job : {12, 16, 17}) records.tasks.emplace_back(task).job = {job};
  records.tasks[1].grants.clear();
  Reservation reservation;
  reservation.key = {5}, reservation.number = {3}; // of nobody
  records.reservations = {reservation};
  records.counters.last_key = 20;
  for (const auto& write : store::writes_of(records))
    families[write.family][write.key] = *write.value;
  const auto stored = store::read_stored([&](store::Family family, const auto& visit) {
    for (const auto& [key, value] : families[family]) visit(key, value);
  });
  ASSERT_TRUE(stored.ok()) << stored.what();
  ASSERT_EQ(stored->records.jobs.size(), 2u);
  EXPECT_EQ(stored->records.jobs.front().key.value, 10);
  EXPECT_EQ(stored->records.jobs.back().key.value, 17);
  ASSERT_EQ(stored->records.tasks.size(), 1u) << "of a job that is set aside there are none";
  EXPECT_EQ(stored->records.tasks.front().job.value, 17);
  EXPECT_TRUE(stored->records.reservations.empty());
  std::map<std::int64_t, std::int64_t> numbers; // of what was set aside, by key
  for (const auto& one : stored->set_aside) numbers[one.key] = one.number;
  EXPECT_EQ(numbers, (std::map<std::int64_t, std::int64_t>{
                         {5, 3}, {11, 2}, {12, 0}, {13, 4}, {14, 5}, {15, 6}, {16, 7}}));
  EXPECT_TRUE(Planner::restore(stored->records).ok());
}

TEST(GivenAListOfElementsWithoutWords, WhenDecodedThenItIsRefused) {
  // A ConfigurationObject: its head, its kind, no name, and a list that announces attributes.
  constexpr std::uint64_t announced = 100'000;
  std::vector<std::uint64_t> words{0, 0x0002'0001'0000'0000, 0,
                                   0, 0x0000'0007'0000'0001, announced << 2};
  words.resize(1 + announced);
  words.front() = announced << 32;
  std::string bytes(words.size() * 8, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  const auto decoded = decode<ConfigurationObject>(bytes);
  ASSERT_FALSE(decoded.ok()) << decoded->attributes.size();
  EXPECT_NE(decoded.what().find("nothing in them"), std::string::npos) << decoded.what();
}

// Versions before the verbs knew changes and removals only, and no requester.
TEST(GivenAProposalOfAnOlderVersion, WhenItIsReadThenARemovalIsADestruction) {
  for (const bool removal : {true, false}) {
    capnp::MallocMessageBuilder message;
    auto proposal = message.initRoot<wire::Reservation>().initProposed(1)[0];
    proposal.setTransaction("t");
    proposal.setRemoval(removal);
    const auto words = capnp::messageToFlatArray(message);
    const auto read = decode<Reservation>({words.asChars().begin(), words.asChars().size()});
    ASSERT_TRUE(read.ok()) << read.what();
    EXPECT_EQ(read->proposed.front().verb,
              removal ? ReservationVerb::destroy : ReservationVerb::change);
    EXPECT_TRUE(read->proposed.front().by.user.empty()) << "its owner settles it";
  }
}

TEST(GivenAProposal, WhenItIsWrittenThenItsVerbIsReadBack) {
  for (const auto verb :
       {ReservationVerb::change, ReservationVerb::cancel, ReservationVerb::destroy}) {
    Reservation reservation;
    reservation.proposed = {{"t", {5}, verb, {}}};
    const auto read = decode<Reservation>(encode(reservation));
    ASSERT_TRUE(read.ok()) << read.what();
    EXPECT_EQ(read->proposed.front().verb, verb);
  }
}
