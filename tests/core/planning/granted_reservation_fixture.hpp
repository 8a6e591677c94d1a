// A reservation that is changed: hosts h1 to h4 of 4 slots, no DURATION_OFFSET. Reservation 1 has 8 slots,
// on h1 and h2, for the 600 seconds after the next 600.
#pragma once

#include "planner_fixture.hpp"

#include <functional>

namespace almanac {

class GrantedReservationFixture : public PlannerFixture {
public:
  void SetUp() override {
    hosts(4, 4);
    scheduler({{"params", "DURATION_OFFSET=0"}});
    allow("alice"), allow("bob");
    T = now.seconds;
  }
  std::int64_t grant(const Caller& owner, std::int64_t start, std::int64_t length,
                     std::int64_t slots, std::vector<std::string> queues = {}) {
    auto request = on_pe(window(T + start, length), "fill", slots);
    request.queues = std::move(queues);
    return reserve(owner, std::move(request));
  }
  void take(const std::string& host, std::int64_t start, std::int64_t length) {
    grant(root, start, length, 4, {"all.q@" + host});
  }
  void at(std::int64_t seconds) { now = Instant{T + seconds}; }

  using Fill = std::function<void(ReservationRequest&)>;
  static AlterReservation change(std::int64_t number, std::vector<std::string> options,
                                 const Fill& fill, bool force = false) {
    AlterReservation command{{number}, std::move(options), {}, force};
    fill(command.request);
    return command;
  }
  Answer alter(const Caller& caller, std::vector<std::string> options, const Fill& fill,
               bool force = false) {
    return command(caller, change(1, std::move(options), fill, force));
  }
  Answer lasts(std::int64_t seconds) {
    return alter(alice, {"-d"}, [&](auto& r) { r.duration = {seconds}, r.has_duration = true; });
  }
  Answer ends(std::int64_t end, bool force = false) {
    return alter(
        alice, {"-e"}, [&](auto& r) { r.end = {T + end}; }, force);
  }
  Answer begins(std::int64_t start) {
    return alter(alice, {"-a"}, [&](auto& r) { r.start = {T + start}; });
  }
  Answer has(std::int64_t slots, bool force = false) {
    return alter(
        alice, {"-pe"},
        [&](auto& r) {
          r.pe = "fill", r.slots = {{slots, slots}};
        },
        force);
  }
  Answer lets_in(const std::string& user, bool force = false) {
    return alter(
        alice, {"-u"}, [&](auto& r) { r.users = {user}; }, force);
  }
  void refused(const Answer& answer, const std::string& why) {
    EXPECT_EQ(answer.exit_code, 1) << text(answer);
    EXPECT_NE(text(answer).find(why), std::string::npos) << text(answer);
    EXPECT_TRUE(text(answer).ends_with("advance reservation 1 was not changed\n")) << text(answer);
  }
  void done(const Answer& answer, const std::string& user = "alice") {
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    EXPECT_TRUE(text(answer).ends_with(user + " modified advance reservation 1\n")) << text(answer);
  }

  std::string grants() const { return places(1); }
  Window in_force() const {
    const auto& window = reservation().shape.window;
    return {{window.start.seconds - T}, {window.end.seconds - T}};
  }
  std::int64_t booked(const std::string& host, std::int64_t start, std::int64_t end) const {
    return planner.state().ledger().used(Container::queue({"all.q", host}), "slots",
                                         {{T + start}, {T + end}});
  }
  JobRequest inside(const std::string& limit = "", std::int64_t slots = 1,
                    const std::string& host = "") const {
    auto request = job("inside", limit);
    request.reservation = {1};
    if (slots > 1) request.pe = "fill", request.slots = {{slots, slots}};
    if (!host.empty()) request.queues = {"all.q@" + host};
    return request;
  }
  /// A job that runs in it.
  std::int64_t run(const Caller& owner, JobRequest request) {
    const auto number = submit(owner, std::move(request));
    pass();
    EXPECT_TRUE(is_active(number));
    start(number);
    return number;
  }
  std::vector<Letter> letters(const Input& input) {
    std::vector<Letter> told;
    for (const auto& effect : handle(input).effects)
      if (const auto* letter = std::get_if<Letter>(&effect)) told.push_back(*letter);
    return told;
  }
  void books_agree() {
    EXPECT_TRUE(planner.state().records().followers_agree());
    const auto restored = Planner::restore(planner.state().records().copy());
    ASSERT_TRUE(restored.ok());
    EXPECT_EQ(restored->digest(), planner.digest());
  }

  std::int64_t T = 0;
};

} // namespace almanac
