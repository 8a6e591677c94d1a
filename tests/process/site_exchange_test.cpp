// What a line of a metascheduler is answered, whatever the master says or does not say
// (spec/metascheduler.md section 8).
#include "core/reservation/grant.hpp"
#include "schema/codec.hpp"
#include "tests/process/command_call.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/site_exchange.hpp"
#include "tools/commands/context.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace almanac;

namespace {

// Gives this answer to everything, or what `say` makes of it; without either it cannot be reached.
class AnsweringDoor : public Door {
public:
  Outcome call(door::RequestBody body, const OnFrame& on_frame) override {
    if (!answer && !say) return Error{"can't reach the door"};
    door::ReplyBody reply = say ? say(body) : *answer;
    on_frame(reply);
    return Done{};
  }
  std::optional<Answer> answer;
  std::function<Answer(const door::RequestBody&)> say;
};

// The command of this type in a request, or nullptr.
template <class T> const T* command_in(const door::RequestBody& body) {
  const auto* run = std::get_if<door::RunCommand>(&body);
  return run ? std::get_if<T>(&run->body) : nullptr;
}

Answer refusal(AnswerCode code) { return Answer::refusal({code, {{"reservation", 7}}}); }

class GivenALineOfAMetascheduler : public ::testing::Test {
public:
  std::string answer_to(const std::string& line) {
    CommandCall call(door, "gmeta");
    std::string text;
    for (const auto& one : answer_line(call.context, line, "", {}).lines) text += one + "\n";
    return text;
  }
  AnsweringDoor door;
};

const std::string set = "SETRES USER=ann;TIMENEEDED=1H;STARTTIME=2000;NODES=1";

} // namespace

// M8.22
TEST_F(GivenALineOfAMetascheduler, WhenTheMasterCannotBeReachedThenItMayBeTriedAgain) {
  EXPECT_EQ(answer_to(set), "SC=-60;SETRES=0;MSG=busy, try later;RETRYAFTER=10\n");
  EXPECT_EQ(answer_to("STATUS RESID=R1"), "SC=-60;MSG=busy, try later;RETRYAFTER=10\n");
  EXPECT_EQ(answer_to("MODIFY RESID=R1;STARTTIME=NOW"),
            "SC=-60;MSG=busy, try later;RETRYAFTER=10\n");
}

// M8.23
TEST_F(GivenALineOfAMetascheduler, WhenTheAnswerMeansNothingHereThenItIsInternal) {
  door.answer = Answer::refusal({AnswerCode::hook_failed, {{"why", "/home/bob/secret"}}});
  EXPECT_EQ(answer_to(set), "SC=-61;SETRES=0;MSG=internal\n");
}

// M8.25
TEST_F(GivenALineOfAMetascheduler, WhenARefusalNamesOthersAndTheirJobsThenTheLineDoesNot) {
  const Statement holders{AnswerCode::offers_few_globally, {{"holders", "job 17 of bob"}}};
  auto refusal = Answer::refusal({AnswerCode::no_suitable_queues_for_reservation, {}});
  refusal.warn(holders);
  door.answer = refusal;
  EXPECT_EQ(answer_to(set), "SC=-30;SETRES=0;MSG=no capacity at that time\n");
  door.answer = Answer::refusal({AnswerCode::unable_to_run_job, {{"why", holders}}});
  EXPECT_EQ(answer_to("QUERY USER=ann;TIMENEEDED=1H;NODES=1"), "SC=-31;MSG=can never run\n");
  door.answer = Answer::refusal(
      {AnswerCode::no_right_to_change_reservation, {{"user", "ann"}, {"reservation", 7}}});
  EXPECT_EQ(answer_to("RELEASE RESID=R7"), "SC=-21;MSG=not allowed to act for user\n");
}

// M2.4: why there is no answer is for people, and is no part of it.
TEST_F(GivenALineOfAMetascheduler, WhenTheMasterCannotBeReachedThenTheCauseIsBesideTheLine) {
  CommandCall call(door, "gmeta", {"STATUS", "RESID=7"});
  EXPECT_EQ(call.text_of(gmeta), "60 out: SC=-60;MSG=busy, try later;RETRYAFTER=10\n"
                                 "err: gmeta: can't reach the door\n");
  door.answer = refusal(AnswerCode::no_such_reservation);
  CommandCall known(door, "gmeta", {"STATUS", "RESID=7"});
  EXPECT_EQ(known.text_of(gmeta), "40 out: SC=-40;MSG=unknown reservation\nerr: ");
}

TEST_F(GivenALineOfAMetascheduler, WhenAnOptionIsUnknownThenItIsTheOneThatIsNamed) {
  CommandCall call(door, "gmeta", {"-foo", "HELLO"});
  EXPECT_TRUE(call.text_of(gmeta).ends_with("error: unknown option or operand: -foo\n"));
  CommandCall more(door, "gmeta", {"-i", "HELLO"});
  EXPECT_TRUE(more.text_of(gmeta).ends_with("error: unknown option or operand: HELLO\n"));
}

// M7.5: one that is over is there as long as it is shown, and can be released.
TEST_F(GivenALineOfAMetascheduler, WhenWhatIsOverIsReleasedThenItsRecordIsRemoved) {
  bool is_there = true;
  door.say = [&](const door::RequestBody& body) {
    const auto* record = command_in<RemoveReservations>(body);
    const bool removes = record && record->verb == ReservationVerb::destroy &&
                         record->targets == std::vector<std::string>{"7"};
    return removes && is_there ? Answer() : refusal(AnswerCode::no_such_reservation);
  };
  EXPECT_EQ(answer_to("RELEASE RESID=R7;USER=ann"), "SC=0;STATE=RELEASED\n");
  is_there = false;
  EXPECT_EQ(answer_to("RELEASE RESID=R7"), "SC=-40;MSG=unknown reservation\n");
}

// M8.15, M8.18
TEST_F(GivenALineOfAMetascheduler, WhenWhatIsOverIsToBeChangedThenItsStateIsWrong) {
  bool is_there = true;
  door.say = [&](const door::RequestBody& body) {
    if (!is_there) return refusal(AnswerCode::no_such_reservation);
    if (command_in<PrepareReservation>(body)) return refusal(AnswerCode::reservation_is_canceled);
    Answer answer;
    answer.say({AnswerCode::meta_reservation_state, {{"state", "CANCELED"}}});
    return answer;
  };
  EXPECT_EQ(answer_to("MODIFY RESID=R7;STARTTIME=NOW"), "SC=-43;MSG=wrong state\n");
  is_there = false;
  EXPECT_EQ(answer_to("MODIFY RESID=R7;STARTTIME=NOW"), "SC=-40;MSG=unknown reservation\n");
}

// M8.5, M3.24
TEST_F(GivenALineOfAMetascheduler, WhenAValueOfAResourceIsBadThenItsTokenIsNamed) {
  const auto refused = [](AnswerCode code, const char* resource) {
    return Answer::refusal({code, {{"resource", resource}, {"why", Statement::said("bad")}}});
  };
  door.answer = refused(AnswerCode::resource_value_malformed, "lic");
  EXPECT_EQ(answer_to(set + ";L=lic\\:x"), "SC=-13;SETRES=0;MSG=bad value for L\n");
  EXPECT_EQ(answer_to(set + ";RES=lic=x"), "SC=-13;SETRES=0;MSG=bad value for RES\n");
  door.answer = refused(AnswerCode::unknown_resource, "lic");
  EXPECT_EQ(answer_to(set + ";L=lic\\:x"), "SC=-31;SETRES=0;MSG=can never run\n");
  door.answer = refused(AnswerCode::unknown_resource, "exclusive");
  EXPECT_EQ(answer_to("QUERY USER=ann;TIMENEEDED=1H;NODES=1;EXCLUSIVE=1"),
            "SC=-13;MSG=bad value for EXCLUSIVE\n");
}

namespace {

// A file with a key of reservation 7 that no site has signed.
class GivenAFileWithAKey : public GivenALineOfAMetascheduler {
public:
  GivenAFileWithAKey() {
    KeyGrant grant{1, "here", {7}, {70}, "ann", {1'000}, {2'000}, KeyMode::secret, "", ""};
    write(grant);
  }
  ~GivenAFileWithAKey() override { std::filesystem::remove(path); }

  void write(const KeyGrant& grant) const {
    const KeyText key{canonical(grant), std::string(64, 's'), std::string(secret_bytes, 'x')};
    std::ofstream(path, std::ios::trunc) << print_key(key) << "\n";
    ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  }
  /// The line of claim-test, and behind it why, if that is said.
  std::string trial() {
    CommandCall call(door, "gmeta");
    call.context.prove = [](const ClaimProver&) { return std::string(32, 'p'); };
    const auto reply = try_key(call.context, path);
    EXPECT_EQ(reply.lines.size(), 1U);
    return reply.lines.front() + (reply.cause.empty() ? "" : " " + reply.cause);
  }
  // Of the challenge, and of a key that is shown without one.
  void answer_with(AnswerCode challenge, AnswerCode key) {
    door.say = [=](const door::RequestBody& body) {
      return refusal(command_in<IssueChallenge>(body) ? challenge : key);
    };
  }
  const std::string path =
      (std::filesystem::temp_directory_path() / ("almanac_key_" + std::to_string(::getpid())))
          .string();
  const std::string bad_key = "SC=-51;MSG=key invalid";
};

} // namespace

// M6.21: which reservation a changed key names does not matter.
TEST_F(GivenAFileWithAKey, WhenTheKeyIsBadThenThatIsTheStatusWhateverItNames) {
  for (const auto challenge :
       {AnswerCode::no_such_reservation, AnswerCode::no_right_to_change_reservation,
        AnswerCode::reservation_has_no_key}) {
    answer_with(challenge, AnswerCode::key_is_invalid);
    EXPECT_EQ(trial(), bad_key);
  }
  answer_with(AnswerCode::no_right_to_change_reservation, AnswerCode::challenge_is_unknown);
  EXPECT_EQ(trial(), "SC=-21;MSG=not allowed to act for user") << "the key is good, but not his";
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{-7}, std::int64_t{1} << 62}) {
    write({1, "here", {number}, {70}, "ann", {1'000}, {2'000}, KeyMode::secret, "", ""});
    EXPECT_EQ(trial(),
              bad_key + " option -reskey " + path + ": the key is not one of a reservation");
  }
}

// M6.21: there is a line whatever the file holds.
TEST_F(GivenAFileWithAKey, WhenItHoldsNoKeyThenThatIsABadKey) {
  std::ofstream(path, std::ios::trunc) << "v1.AAAA.AAAA\n";
  EXPECT_EQ(trial(),
            bad_key + " option -reskey " + path + ": the grant of the key has the wrong length");
  std::filesystem::remove(path);
  EXPECT_EQ(trial().substr(0, bad_key.size() + 1), bad_key + " ");
}

// M6.5
TEST_F(GivenAFileWithAKey, WhenOthersCanReadTheSecretThenItIsRefused) {
  answer_with(AnswerCode::no_such_reservation, AnswerCode::challenge_is_unknown);
  for (const mode_t mode : {0644U, 0640U, 0604U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_EQ(trial(), bad_key + " option -reskey " + path +
                           ": others than its owner can read it: chmod go= " + path);
  }
  ASSERT_EQ(::chmod(path.c_str(), 0400), 0);
  EXPECT_EQ(trial(), "SC=-40;MSG=unknown reservation");
}

// M8.15, M8.19: with a line, RESID says which reservation is meant.
TEST_F(GivenAFileWithAKey, WhenALineIsAboutAnotherReservationThenTheKeyIsBad) {
  answer_with(AnswerCode::no_such_reservation, AnswerCode::key_is_invalid);
  CommandCall call(door, "gmeta");
  call.context.prove = [](const ClaimProver&) { return std::string(32, 'p'); };
  const auto reply = [&](const char* line) {
    return answer_line(call.context, line, path).lines.front();
  };
  EXPECT_EQ(reply("COMMIT RESID=R8"), bad_key);
  EXPECT_EQ(reply("COMMIT RESID=R7"), "SC=-40;MSG=unknown reservation");
}
