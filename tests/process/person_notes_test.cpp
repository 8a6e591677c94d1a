// What commands tell people at a terminal beside what Grid Engine prints (docs/spec/cli.md C1.21).
#include "tests/process/command_call.hpp"
#include "tools/commands/commands.hpp"

#include <gtest/gtest.h>

using namespace almanac;

namespace {

// Everything that is asked for is granted, under number 7.
class GrantingDoor : public Door {
public:
  Outcome call(door::RequestBody body, const OnFrame& on_frame) override {
    door::ReplyBody reply;
    if (std::holds_alternative<door::GetReservations>(body)) {
      door::Reservations found;
      found.unknown = {"3"};
      reply = found;
    } else {
      ++commands;
      Answer answer;
      answer.number = 7;
      answer.say(Statement::said("granted"));
      reply = answer;
    }
    on_frame(reply);
    return Done{};
  }
  int commands = 0;
};

class GivenATerminal : public ::testing::Test {
public:
  /// What is printed on the stream of errors.
  std::string call(int (*command)(Context&), std::vector<std::string> arguments,
                   const std::string& input = "") {
    CommandCall call(door, "q", std::move(arguments), input);
    auto& context = call.context;
    context.directory = "/work", context.host = "login1", context.shows_person = is_seen;
    context.environment = {{"HOME", "/home/ann"}};
    context.now = [] { return Instant{1'000'000}; };
    context.group_of = [](const std::string& user) -> std::optional<std::string> {
      if (user == "nobody_knows") return std::nullopt;
      return "users";
    };
    code = command(context);
    return call.err.str();
  }

  GrantingDoor door;
  bool is_seen = true;
  int code = 0;
};

} // namespace

TEST_F(GivenATerminal, WhenAJobIsSubmittedThenItIsToldWhereItsOutputGoes) {
  EXPECT_EQ(call(qsub, {"-N", "a", "-b", "y", "true"}),
            "note: output goes to /home/ann/a.o7, errors to /home/ann/a.e7\n");
  EXPECT_EQ(call(qsub, {"-N", "a", "-cwd", "-j", "y", "-b", "y", "true"}),
            "note: output goes to /work/a.o7\n");
  EXPECT_EQ(call(qsub, {"-terse", "-N", "a", "-b", "y", "true"}), "") << "a script reads it";
  is_seen = false;
  EXPECT_EQ(call(qsub, {"-N", "a", "-b", "y", "true"}), "");
}

// C3.90
TEST_F(GivenATerminal, WhenThereIsNoScriptThenNothingIsSubmitted) {
  EXPECT_EQ(call(qsub, {"-N", "a"}), "q: standard input is empty: there is no script in it\n");
  EXPECT_EQ(code, 1);
  EXPECT_EQ(door.commands, 0);
  EXPECT_NE(call(qsub, {"-N", "a"}, "true\n").find("output goes to"), std::string::npos);
  EXPECT_EQ(door.commands, 1);
}

TEST_F(GivenATerminal, WhenSomebodyReservesForOthersOnlyThenThatIsSaid) {
  const std::string note = "note: -u does not name ann: your own jobs can't run in it\n";
  EXPECT_EQ(call(qrsub, {"-d", "60", "-u", "bob,carol"}), note);
  for (const char* with_ann : {"bob,ann", "a*", "@team", "!bob"})
    EXPECT_EQ(call(qrsub, {"-d", "60", "-u", with_ann}).find("does not name"), std::string::npos)
        << with_ann;
  EXPECT_EQ(call(qrsub, {"-d", "60"}), "");
}

TEST_F(GivenATerminal, WhenATimeOrUserIsWrongThenItIsToldHowItIsWritten) {
  const auto date = call(qrsub, {"-a", "tuesday", "-d", "60"});
  const std::string form = "specified to -a option\nnote: a date is written "
                           "[[CC]YY]MMDDhhmm[.SS]: 09301400 is 30 September, 14:00\n";
  EXPECT_TRUE(date.ends_with(form)) << date;
  for (const auto& again :
       {call(qsub, {"-a", "tuesday", "-b", "y", "true"}), call(qalter, {"-a", "tuesday", "7"}),
        call(qralter, {"7", "-a", "tuesday"})})
    EXPECT_TRUE(again.ends_with(form)) << again;
  const auto time = call(qrsub, {"-d", "2h"});
  EXPECT_TRUE(
      time.ends_with("note: a time is written as seconds or as h:m:s: 2:0:0 is two hours\n"))
      << time;
  EXPECT_EQ(call(qrsub, {"-d", "60", "-u", "nobody_knows"}),
            "error: nobody_knows is not known as a user\n"
            "note: users and their groups are looked up on this host: login1\n");
  is_seen = false;
  EXPECT_EQ(call(qrsub, {"-d", "2h"}), "q: Wrong time format \"2h\" specified to -d option\n");
  EXPECT_EQ(door.commands, 0);
}

TEST_F(GivenATerminal, WhenAReservationIsOverThenItIsToldWhoKnowsOfIt) {
  const std::string plain = "Following advance reservations do not exist:\n3\n";
  EXPECT_EQ(call(qrstat, {"-ar", "3"}),
            plain +
                "note: of reservations that are over, qacct -ar ID and qrstat -usage ID tell\n");
  is_seen = false;
  EXPECT_EQ(call(qrstat, {"-ar", "3"}), plain);
}
