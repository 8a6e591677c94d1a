// What a refused reservation could be instead (spec/beyond.md section 3).
#include "planner_fixture.hpp"

#include <rapidcheck/gtest.h>

using namespace almanac;

namespace {

class GivenARefusal : public PlannerFixture {
public:
  /// What could be had, by code.
  std::map<AnswerCode, Statement> instead_of(const ReservationRequest& request) {
    std::map<AnswerCode, Statement> found;
    for (const auto& statement : ask(VerifyReserve{root, {request}, true}).statements)
      found.emplace(statement.code, statement);
    return found;
  }
  static std::int64_t value(const std::map<AnswerCode, Statement>& found, AnswerCode code,
                            const char* name) {
    const auto it = found.find(code);
    return it == found.end() ? -1 : it->second.find(name)->number;
  }
  void allocate(const std::string& pe, const std::string& rule) {
    const ConfigurationObject object{
        ObjectKind::parallel_environment, pe, {{"slots", "999"}, {"allocation_rule", rule}}};
    EXPECT_EQ(command(root, Configure{{ChangeVerb::modify, object, {}}}).exit_code, 0);
  }
};

class Cell : public GivenARefusal {
  void TestBody() override {}
};

} // namespace

// O1
TEST_F(GivenARefusal, WhenEverythingIsTakenThenLaterIsAllThereIs) {
  hosts(4, 4);
  reserve(root, on_pe(window(now.seconds, 3600), "fill", 16));
  const auto found = instead_of(on_pe(window(now.seconds, 3600), "fill", 8));
  EXPECT_EQ(value(found, AnswerCode::alternative_later, "start"), now.seconds + 3600);
  EXPECT_EQ(value(found, AnswerCode::alternative_later, "seconds"), 3600);
  EXPECT_EQ(found.size(), 1u);
}

// B3.2, R9.1: it is told where something has to be repaired before it can be used.
TEST_F(GivenARefusal, WhenTheOnlyHostIsUnknownThenTheAlternativeIsInStateW) {
  hosts(1, 4);
  tell(HostSilent{"h1", true});
  const auto found = instead_of(on_pe(window(now.seconds, 600), "fill", 4));
  const auto later = found.find(AnswerCode::alternative_later);
  ASSERT_NE(later, found.end());
  Answer answer;
  answer.warn(later->second);
  EXPECT_NE(text(answer).find("(later by 1 s), in state W: reserved queue all.q@h1 is unknown\n"),
            std::string::npos)
      << text(answer);
}

// O2
TEST_F(GivenARefusal, WhenSomeIsTakenForAWhileThenEachKindIsNamed) {
  hosts(4, 4);
  reserve(root, on_pe(window(now.seconds + 1000, 1000), "fill", 12));
  const auto found = instead_of(on_pe(window(now.seconds + 600, 600), "fill", 8));
  EXPECT_EQ(value(found, AnswerCode::alternative_later, "start"), now.seconds + 2000);
  EXPECT_EQ(value(found, AnswerCode::alternative_earlier, "start"), now.seconds + 400);
  EXPECT_EQ(value(found, AnswerCode::alternative_shorter, "seconds"), 400);
  EXPECT_EQ(value(found, AnswerCode::alternative_fewer, "slots"), 4);
}

// B3.2
TEST_F(GivenARefusal, WhenItNamesAPlaceThatIsTakenThenElsewhereIsNamed) {
  hosts(2, 2);
  auto first = window(now.seconds + 100, 600);
  first.queues = {"all.q@h1"};
  first = on_pe(first, "fill", 2);
  reserve(root, first);
  const auto found = instead_of(first);
  ASSERT_TRUE(found.contains(AnswerCode::alternative_elsewhere));
  EXPECT_EQ(found.at(AnswerCode::alternative_elsewhere).find("option")->text, "-q all.q@h1");
}

TEST_F(GivenARefusal, WhenTheCellIsTooSmallThenItSaysSo) {
  hosts(4, 4);
  const auto found = instead_of(on_pe(window(now.seconds, 3600), "fill", 20));
  EXPECT_EQ(value(found, AnswerCode::alternative_fewer, "slots"), 16);
  auto endless = window(now.seconds, 3600);
  endless.has_duration = false;
  EXPECT_EQ(text(ask(VerifyReserve{root, {endless}, true})), "") << "it has no window";
}

// B3.2: with the spare hosts.
TEST_F(GivenARefusal, WhenSpareHostsLeaveRoomForFewerThenTheMostAreNamed) {
  hosts(4, 4);
  auto request = on_pe(window(now.seconds, 3600), "fill", 16);
  request.spare = 1;
  EXPECT_EQ(value(instead_of(request), AnswerCode::alternative_fewer, "slots"), 12);
}

// B3.1: AR_ALTERNATIVES=false leaves them away.
TEST_F(GivenARefusal, WhenTheSiteWantsNoneThenNothingIsSaid) {
  hosts(1, 1);
  reserve(root, window(now.seconds, 600));
  EXPECT_FALSE(instead_of(window(now.seconds, 600)).empty());
  global({{"qmaster_params", "AR_ALTERNATIVES=false"}});
  EXPECT_TRUE(instead_of(window(now.seconds, 600)).empty());
}

// B3.2: each is granted if it is taken in the same state, and no later start comes before "later".
RC_GTEST_PROP(GivenAnyCell, WhenAReservationIsRefusedThenWhatIsNamedInsteadIsGranted, ()) {
  Cell cell;
  const auto number = [](int low, int high) { return *rc::gen::inRange(low, high); };
  cell.hosts(number(1, 4), number(1, 4));
  if (number(0, 3) == 0) cell.allocate("fill", std::to_string(number(1, 3)));
  const auto any = [&] {
    auto request = PlannerFixture::window(cell.now.seconds + number(0, 60), number(1, 60));
    if (number(0, 3) > 0) request = PlannerFixture::on_pe(request, "fill", number(1, 8));
    return request;
  };
  for (int i = number(0, 8); i > 0; --i) cell.command(cell.root, Reserve{any()});
  auto wanted = any();
  const auto fits = [&](const ReservationRequest& request) {
    return cell.ask(VerifyReserve{cell.root, {request}}).exit_code == 0;
  };
  if (fits(wanted)) return;
  const auto found = cell.instead_of(wanted);
  const auto value = [&](AnswerCode code, const char* name) {
    return GivenARefusal::value(found, code, name);
  };
  const auto at = [&](std::int64_t start) {
    auto request = wanted;
    request.start = {start};
    return fits(request);
  };
  const auto later = value(AnswerCode::alternative_later, "start");
  RC_ASSERT(later == -1 || at(later));
  if (later != -1)
    for (auto start = wanted.start.seconds; start < later; ++start) RC_ASSERT(!at(start));
  const auto earlier = value(AnswerCode::alternative_earlier, "start");
  RC_ASSERT(earlier == -1 || at(earlier));
  for (auto start = std::max(earlier + 1, cell.now.seconds); start < wanted.start.seconds; ++start)
    RC_ASSERT(!at(start));
  auto changed = wanted;
  const auto shorter = value(AnswerCode::alternative_shorter, "seconds");
  changed.duration = {shorter};
  RC_ASSERT(shorter == -1 || fits(changed));
  changed.duration = {std::max<std::int64_t>(shorter, 0) + 1};
  RC_ASSERT(!fits(changed));
  const auto fewer = value(AnswerCode::alternative_fewer, "slots");
  changed = wanted;
  if (fewer != -1) changed.slots = {{fewer, fewer}};
  RC_ASSERT(fewer == -1 || fits(changed));
  if (!wanted.pe.empty())
    for (auto slots = std::max<std::int64_t>(fewer, 0) + 1; slots < wanted.slots.front().low;
         ++slots) {
      changed.slots = {{slots, slots}};
      RC_ASSERT(!fits(changed));
    }
}
