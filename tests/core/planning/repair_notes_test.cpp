// What is said of repairs, in notes and letters (spec/beyond.md B1.4, B1.9).
#include "losing_hosts_fixture.hpp"

using namespace almanac;

namespace {

class GivenNotesOfRepairs : public LosingHostsFixture {};

} // namespace

// beyond H4, B1.9: when it is whole again, with all that was replaced.
TEST_F(GivenNotesOfRepairs, WhenItIsRepairedThenTheMailHasAllHosts) {
  using Notes = std::vector<std::string>;
  const auto number = mailed(on_pe(window(now.seconds, 600), "fill", 8));
  const auto three = outside("h3", 3), one = outside("h3", 1), all = outside("h4", 4);
  lose("h2");
  end(three);
  pass();
  ASSERT_EQ(reservation(number).note, "repaired in part: 3 of 4 slots");
  EXPECT_EQ(told(Occasion::reservation_repaired), Notes{}) << "it is in error still";
  end(one);
  pass();
  const std::string first = "repaired: all.q@h2=4 replaced by all.q@h3=4";
  EXPECT_EQ(told(Occasion::reservation_repaired), Notes{first});
  end(all);
  lose("h1");
  const std::string second = "repaired: all.q@h1=4,all.q@h2=4 replaced by all.q@h4=4,all.q@h3=4";
  EXPECT_EQ(told(Occasion::reservation_repaired), (Notes{first, second}));
  EXPECT_EQ(reservation(number).note, second);
  come_back("h1");
  EXPECT_EQ(reservation(number).note, "repaired: all.q@h2=4 replaced by all.q@h4=4");
  DeleteReservations gone;
  gone.targets = {std::to_string(number)};
  EXPECT_EQ(command(root, gone).exit_code, 0);
  EXPECT_EQ(told(Occasion::reservation_deleted), Notes{""}) << "that is over";
}

// B1.4: what is wholly replaced is no part of what is lost now, and what is back is not lost.
TEST_F(GivenNotesOfRepairs, WhenASecondHostIsLostThenTheMessageIsAboutThatOne) {
  const auto number = eight();
  const auto three = outside("h4", 3), one = outside("h4", 1);
  lose("h1");
  const std::string whole = "repaired: all.q@h1=4 replaced by all.q@h3=4";
  ASSERT_EQ(reservation(number).note, whole);
  lose("h2");
  EXPECT_TRUE(reservation(number).note.starts_with(
      "not repaired: no replacement found for 4 slots of all.q@h2=4"))
      << reservation(number).note;
  come_back("h2");
  EXPECT_EQ(letter(number), 'r');
  EXPECT_EQ(reservation(number).note, whole);
  lose("h2");
  end(three);
  pass();
  EXPECT_EQ(reservation(number).note, "repaired in part: 3 of 4 slots");
  global({{"qmaster_params", "repair_patience=0:0:30"}}); // it is tried again
  EXPECT_EQ(reservation(number).note, "repaired in part: 3 of 4 slots");
  come_back("h2");
  EXPECT_EQ(reservation(number).note, whole);
  lose("h2");
  end(one);
  pass();
  EXPECT_EQ(reservation(number).note,
            "repaired: all.q@h1=4,all.q@h2=4 replaced by all.q@h3=4,all.q@h4=4");
}

// B1.7, B1.91, B8.23: those who followed it to the other host come back.
TEST_F(GivenNotesOfRepairs, WhenARepairIsUndoneThenThatIsToldAsTheRepairWas) {
  using Notes = std::vector<std::string>;
  global({{"ar_change", "/hook"}});
  const std::string repaired = "repaired: all.q@h2=4 replaced by all.q@h3=4",
                    undone = "repair undone: all.q@h3=4 replaced by all.q@h2=4";
  Notes told_of;
  for (const auto in : {600, 0})
    for (const auto spare : {0, 1}) {
      auto request = on_pe(window(now.seconds + in, 600), "fill", 8);
      request.spare = spare;
      const auto number = mailed(std::move(request));
      lose("h2");
      told_of.push_back(repaired);
      EXPECT_EQ(told(Occasion::reservation_repaired), told_of);
      come_back("h2");
      told_of.push_back(undone);
      EXPECT_EQ(told(Occasion::reservation_repaired), told_of);
      EXPECT_EQ(reservation(number).note, "");
      ASSERT_EQ(calls().size(), told_of.size());
      EXPECT_EQ(calls().back().cause, undone);
      EXPECT_EQ(text_of(calls().back().before.front().grants), "h1=4 h3=4");
      EXPECT_EQ(text_of(calls().back().grants), "h1=4 h2=4");
      DeleteReservations gone;
      gone.targets = {std::to_string(number)};
      EXPECT_EQ(command(root, gone).exit_code, 0);
    }
}

// B1.7, B1.91: of one host of two.
TEST_F(GivenNotesOfRepairs, WhenAPartIsTakenBackThenThatIsTold) {
  mailed(on_pe(window(now.seconds, 600), "fill", 8));
  lose("h1");
  lose("h2");
  come_back("h2");
  const auto notes = told(Occasion::reservation_repaired);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes.back(), "repair undone: all.q@h4=4 replaced by all.q@h2=4");
}

// B1.91: what was repaired before is not what is wrong now.
TEST_F(GivenNotesOfRepairs, WhenItLosesAHostAgainThenTheErrorMailNamesThatHost) {
  mailed(on_pe(window(now.seconds, 600), "fill", 8));
  outside("h4", 4);
  lose("h2");
  lose("h3");
  EXPECT_EQ(told(Occasion::reservation_in_error),
            (std::vector<std::string>{"", "reserved queue all.q@h3 is unknown"}));
}

// B1.9: what was noted before is over.
TEST_F(GivenNotesOfRepairs, WhenTheLostHostIsBackThenTheMailSaysNothingOfRepairs) {
  auto request = window(now.seconds, 600);
  request.queues = {"all.q@h2"};
  const auto number = mailed(request);
  lose("h2");
  ASSERT_EQ(reservation(number).note, "not repaired: only h2 was requested");
  come_back("h2");
  EXPECT_EQ(told(Occasion::reservation_valid_again), std::vector<std::string>{""});
}
