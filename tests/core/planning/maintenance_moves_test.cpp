// Where reservations go from hosts that are to close (spec/beyond.md B6.3).
#include "maintenance_fixture.hpp"

using namespace almanac;

namespace {

class GivenReservationsOnClosingHosts : public MaintenanceFixture {};

} // namespace

// M2, B6.31
TEST_F(GivenReservationsOnClosingHosts, WhenAReservationLiesOnItsHostThenThatMoves) {
  const auto ar = grant(700, 200, 8);
  ASSERT_EQ(places(ar), "h1=4 h2=4");
  const auto answer = asked(closing({"h1"}, T + Duration{600}, 600));
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_NE(text(answer).find("advance reservation 1 moves from all.q@h1=4, all.q@h2=4 to "
                              "all.q@h2=4, all.q@h3=4\n"),
            std::string::npos)
      << text(answer);
  EXPECT_EQ(places(ar), "h2=4 h3=4");
  EXPECT_EQ(letter(ar), 'w');
  EXPECT_EQ(reservation(ar).shape.window, (Window{T + Duration{700}, T + Duration{900}}));
  EXPECT_EQ(mails(Occasion::reservation_changed), 1);
}

// M3, B6.32, B6.33
TEST_F(GivenReservationsOnClosingHosts, WhenAReservationCannotMoveThenItIsRefusedUnlessForced) {
  const auto ar = grant(700, 200, 4, "h1");
  const auto before = planner.digest();
  const auto request = closing({"h1"}, T + Duration{600}, 600);
  const auto answer = asked(request);
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(text(answer).find("advance reservation 1 cannot move from all.q@h1=4"),
            std::string::npos);
  EXPECT_EQ(planner.digest(), before);
  const auto forced = asked(request, true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  EXPECT_EQ(letter(ar), 'W');
  EXPECT_EQ(mails(Occasion::reservation_in_error), 1);
  at(600), begin(forced.number);
  at(700), begin(ar);
  EXPECT_EQ(letter(ar), 'E');
  at(800);
  command(root, DeleteReservations{{std::to_string(forced.number)}, {}, false});
  EXPECT_EQ(letter(ar), 'r');
}

// B6.33: who was told that it is in error hears that it is not, though it has not begun.
TEST_F(GivenReservationsOnClosingHosts, WhenItIsDeletedThenThoseThatItHitHearOfIt) {
  const auto ar = grant(700, 200, 4, "h1");
  const auto forced = asked(closing({"h1"}, T + Duration{600}, 600), true);
  ASSERT_EQ(letter(ar), 'W');
  ASSERT_EQ(mails(Occasion::reservation_in_error), 1);
  EXPECT_EQ(mails(Occasion::reservation_valid_again), 0);
  command(root, DeleteReservations{{std::to_string(forced.number)}, {}, false});
  EXPECT_EQ(letter(ar), 'w');
  EXPECT_EQ(mails(Occasion::reservation_valid_again), 1);
}

// M4, B0.31
TEST_F(GivenReservationsOnClosingHosts, WhenAllHostsAreToCloseThenNothingMoves) {
  const auto ar = grant(700, 200, 16);
  const auto before = planner.digest();
  EXPECT_EQ(asked(closing({"h*"}, T + Duration{600}, 600)).exit_code, 1);
  EXPECT_EQ(planner.digest(), before);
  EXPECT_EQ(places(ar), "h1=4 h2=4 h3=4 h4=4");
}

// B6.34: the first takes what the second gives up, which finds another place
TEST_F(GivenReservationsOnClosingHosts, WhenSeveralMoveThenAllTheirPlacesAreFreeForThem) {
  const auto first = grant(700, 200, 4, "h1|h3");
  const auto full = grant(600, 600, 4, "h4");
  auto spread = on_pe(window((T + Duration{710}).seconds, 190), "mpi", 4);
  spread.resources = {{"h", "h2|h3|h4"}};
  const auto second = reserve(alice, spread);
  command(root, DeleteReservations{{std::to_string(full)}, {}, false});
  ASSERT_EQ(places(first), "h1=4");
  ASSERT_EQ(places(second), "h2=2 h3=2");
  maintain({"h1", "h2"}, 600, 600);
  EXPECT_EQ(places(first), "h3=4");
  EXPECT_EQ(places(second), "h4=4");
}

// B6.33: what cannot move keeps all that it has
TEST_F(GivenReservationsOnClosingHosts, WhenOneIsStuckThenOthersMoveAroundIt) {
  const auto first = grant(700, 200, 4, "h1|h3");
  auto spread = on_pe(window((T + Duration{710}).seconds, 190), "fill", 8);
  spread.resources = {{"h", "h2|h3"}};
  const auto second = reserve(alice, spread);
  ASSERT_EQ(places(second), "h2=4 h3=4");
  const auto request = closing({"h1", "h2"}, T + Duration{600}, 600);
  EXPECT_EQ(asked(request).exit_code, 1);
  const auto forced = asked(request, true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  EXPECT_EQ(places(first), "h1=4");
  EXPECT_EQ(places(second), "h2=4 h3=4");
  EXPECT_EQ(letter(first), 'W');
  EXPECT_EQ(letter(second), 'W');
}

// B6.33: who is in error at once is told so, once, and why.
TEST_F(GivenReservationsOnClosingHosts, WhenItBeginsAtOnceThenThoseThatItHitsHearOfItOnce) {
  const auto ar = grant(0, 600, 4, "h1");
  ASSERT_EQ(letter(ar), 'r');
  const auto forced = asked(closing({"h1"}, T, 600), true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  EXPECT_EQ(letter(ar), 'E');
  ASSERT_EQ(mails(Occasion::reservation_in_error), 1);
  const auto mail = std::find_if(letters_.begin(), letters_.end(), [](const Letter& letter) {
    return letter.occasion == Occasion::reservation_in_error;
  });
  EXPECT_NE(mail->note.find("all.q@h1"), std::string::npos) << mail->note;
}

// B1.10, B6.2: a spare host that closes is none, and is replaced as soon as another one is free.
TEST_F(GivenReservationsOnClosingHosts, WhenASpareHostClosesThenAnotherOneIsTakenWhenItIsFree) {
  auto with_spare = on_pe(window((T + Duration{700}).seconds, 200), "fill", 4);
  with_spare.spare = 1;
  const auto ar = reserve(alice, with_spare);
  const auto spare = [&] {
    const auto& spares = reservation(ar).shape.spares;
    return spares.empty() ? "" : spares.front().instance.host;
  };
  ASSERT_EQ(places(ar), "h1=4");
  ASSERT_EQ(spare(), "h2");
  const auto other = grant(700, 200, 8, "h3|h4");
  const auto forced = asked(closing({"h2"}, T + Duration{600}, 600), true);
  EXPECT_EQ(forced.exit_code, 0) << text(forced);
  pass();
  EXPECT_EQ(spare(), "");
  EXPECT_EQ(letter(ar), 'w');
  command(root, DeleteReservations{{std::to_string(other)}, {}, false});
  pass();
  EXPECT_EQ(spare(), "h3");
  command(root, DeleteReservations{{std::to_string(forced.number)}, {}, false});
  pass();
  EXPECT_EQ(spare(), "h3") << "it does";
}

// B6.35, B0.2: what is offered is no promise that a maintenance passes over.
TEST_F(GivenReservationsOnClosingHosts, WhenAnOfferLiesOnItsHostThenThatMovesToo) {
  const auto offer = offered(on_pe(window((T + Duration{700}).seconds, 200), "fill", 4));
  const auto answer = asked(closing({"h1"}, T + Duration{600}, 600));
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_NE(text(answer).find("advance reservation 1 moves from all.q@h1=4 to all.q@h2=4\n"),
            std::string::npos)
      << text(answer);
  EXPECT_EQ(mails(Occasion::reservation_changed), 0) << "it is not granted yet";
  EXPECT_EQ(text(commit(offer)), "Your advance reservation 1 has been granted\n");
  EXPECT_EQ(places(1), "h2=4");
  EXPECT_EQ(letter(1), 'w');
}

// B6.32, B6.33, B6.35, D28
TEST_F(GivenReservationsOnClosingHosts,
       WhenAnOfferCannotMoveThenItIsRefusedOrTheOfferIsGrantedWithAWarning) {
  auto request = on_pe(window((T + Duration{700}).seconds, 200), "fill", 4);
  request.resources = {{"h", "h1"}};
  const auto offer = offered(std::move(request));
  const auto before = planner.digest();
  const auto closed = closing({"h1"}, T + Duration{600}, 600);
  EXPECT_NE(text(asked(closed)).find("advance reservation 1 cannot move from all.q@h1=4"),
            std::string::npos);
  EXPECT_EQ(planner.digest(), before);
  const auto forced = asked(closed, true);
  EXPECT_NE(text(forced).find("advance reservation 1 cannot move from all.q@h1=4"),
            std::string::npos);
  const auto committed = text(commit(offer));
  EXPECT_NE(committed.find("warning: reserved queue all.q@h1 is closed by maintenance 2"),
            std::string::npos)
      << committed;
  EXPECT_EQ(letter(1), 'W');
}

// B6.35: a change that is prepared
TEST_F(GivenReservationsOnClosingHosts,
       WhenAProposedShapeLiesOnItsHostThenThatMovesAndThePresentOneStays) {
  const auto ar = grant(700, 200, 4, "h3");
  auto request = on_pe(window((T + Duration{700}).seconds, 200), "fill", 4);
  request.resources = {{"h", "h1|h2"}};
  const PrepareReservation change{"t", {ar}, ReservationVerb::change, request, {60}};
  ASSERT_EQ(command(alice, change).exit_code, 0);
  const auto answer = asked(closing({"h1"}, T + Duration{600}, 600));
  EXPECT_NE(text(answer).find("advance reservation 1 moves from all.q@h1=4 to all.q@h2=4\n"),
            std::string::npos)
      << text(answer);
  EXPECT_EQ(places(ar), "h3=4");
  auto other = on_pe(window((T + Duration{700}).seconds, 200), "fill", 1);
  other.resources = {{"h", "h2"}};
  EXPECT_EQ(command(alice, Reserve{other}).exit_code, 1) << "it is booked";
  EXPECT_EQ(commit(ar).exit_code, 0);
  EXPECT_EQ(places(ar), "h2=4");
  EXPECT_EQ(letter(ar), 'w');
}

// B6.31, B1.10: a spare is named with what moves.
TEST_F(GivenReservationsOnClosingHosts, WhenASpareLiesOnItsHostThenTheAnswerSaysWhereItGoes) {
  auto request = on_pe(window((T + Duration{700}).seconds, 200), "fill", 4);
  request.spare = 1;
  const auto ar = reserve(alice, request);
  ASSERT_EQ(reservation(ar).shape.spares.front().instance.host, "h2");
  const auto answer = asked(closing({"h2"}, T + Duration{600}, 600));
  EXPECT_NE(text(answer).find("advance reservation 1 moves from all.q@h1=4, all.q@h2=4 to "
                              "all.q@h1=4, all.q@h3=4\n"),
            std::string::npos)
      << text(answer);
  const auto stuck = asked(closing({"h2", "h3", "h4"}, T + Duration{600}, 600));
  EXPECT_NE(text(stuck).find("advance reservation 1 cannot move from all.q@h3=4"),
            std::string::npos)
      << text(stuck);
}

// B12.2, B6.33: what asks for nothing new keeps what it has, and what lies there already is not asked
// anew.
TEST_F(GivenReservationsOnClosingHosts, WhenWhatItHitsChangesThenThatStaysWhereItIs) {
  const auto ar = grant(700, 200, 4, "h1");
  const auto number = asked(closing({"h1"}, T + Duration{600}, 600), true).number;
  ASSERT_EQ(letter(ar), 'W');
  AlterReservation shorter{{ar}, {"-d"}, {}};
  shorter.request.duration = {150}, shorter.request.has_duration = true;
  auto answer = command(alice, shorter);
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  AlterReservation fewer{{ar}, {"-pe"}, {}};
  fewer.request.pe = "fill", fewer.request.slots = {{2, 2}};
  answer = command(alice, fewer);
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(places(ar), "h1=2");
  fewer.request.slots = {{3, 3}};
  EXPECT_EQ(command(alice, fewer).exit_code, 1) << "that would be more on a closed host";
  shorter.request.duration = {300};
  EXPECT_EQ(command(alice, shorter).exit_code, 1) << "that would be for longer";
  AlterReservation ends{{number}, {"-e"}, {}};
  ends.request.end = T + Duration{800};
  answer = command(root, ends);
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(reservation(number).shape.window.end, T + Duration{800});
  EXPECT_EQ(letter(ar), 'W');
  ends.request.end = T + Duration{900};
  EXPECT_EQ(command(root, ends).exit_code, 1) << "it would be hit for longer";
}

// B6.3, B6.31: of a running one what no task holds moves
TEST_F(GivenReservationsOnClosingHosts, WhenAReservationRunsThenItsFreeSharesMove) {
  const auto ar = grant(0, 2000, 8);
  begin(ar);
  const auto number = inside(ar, 2);
  const auto on_first = where(number);
  ASSERT_EQ(on_first, "h1");
  const auto answer = asked(closing({"h1", "h2"}, T + Duration{600}, 600));
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(places(ar), "h1=2 h3=4 h4=2");
  EXPECT_EQ(letter(ar), 'r');
  at(600), begin(answer.number);
  EXPECT_EQ(letter(ar), 'E');
}

// B6.31: what ends before is replaced at once, and left behind until then
TEST_F(GivenReservationsOnClosingHosts, WhenAJobInAReservationEndsBeforeThenItsShareMovesUnderIt) {
  const auto ar = grant(0, 2000, 4, "h1|h2");
  begin(ar);
  const auto number = inside(ar, 2, "300");
  ASSERT_EQ(where(number), "h1");
  const auto answer = asked(closing({"h1"}, T + Duration{600}, 600));
  EXPECT_EQ(answer.exit_code, 0) << text(answer);
  EXPECT_EQ(places(ar), "h2=4");
  ASSERT_EQ(reservation(ar).left_behind.size(), 1u);
  EXPECT_EQ(reservation(ar).left_behind.front().slots, 2);
  EXPECT_EQ(where(number), "h1");
  EXPECT_EQ(where(inside(ar, 4)), "h2");
  at(300), end(number), pass();
  EXPECT_TRUE(reservation(ar).left_behind.empty());
  at(600), begin(answer.number);
  EXPECT_EQ(letter(ar), 'r');
}
