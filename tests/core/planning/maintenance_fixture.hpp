// Maintenances in the world of the examples of spec/beyond.md section 6: h1 to h4 of 4 slots, no
// DURATION_OFFSET; `T` is the time at first.
#pragma once

#include "planner_fixture.hpp"

#include "core/matching/instance_condition.hpp"
#include "core/matching/placement.hpp"

namespace almanac {

class MaintenanceFixture : public PlannerFixture {
public:
  MaintenanceFixture() : T(now) {
    hosts(4, 4);
    scheduler({{"params", "DURATION_OFFSET=0"}, {"max_reservation", "3"}});
    allow("alice");
  }
  static ReservationRequest closing(const std::vector<std::string>& hosts, Instant start,
                                    std::int64_t length) {
    auto request = window(start.seconds, length);
    request.maintenance = true, request.hosts = hosts;
    return request;
  }
  std::int64_t maintain(const std::vector<std::string>& hosts, std::int64_t after,
                        std::int64_t length) {
    return reserve(root, closing(hosts, T + Duration{after}, length));
  }
  std::int64_t grant(std::int64_t after, std::int64_t length, std::int64_t slots,
                     const std::string& host = "") {
    auto request = on_pe(window((T + Duration{after}).seconds, length), "fill", slots);
    if (!host.empty()) request.resources = {{"h", host}};
    request.mail_at = "a", request.users = {"alice", "root"};
    return reserve(alice, std::move(request));
  }
  Answer asked(ReservationRequest request, bool force = false) {
    Reserve command;
    command.request = std::move(request), command.force = force;
    return this->command(root, command);
  }
  std::int64_t offered(ReservationRequest request) {
    Reserve command{std::move(request)};
    command.offer_for = {60};
    const auto answer = this->command(alice, command);
    EXPECT_EQ(answer.exit_code, 0) << text(answer);
    return answer.number;
  }
  Answer commit(std::int64_t number) {
    return command(alice, SettleReservation{"", {number}, true});
  }
  std::string where(std::int64_t number) const {
    const auto* found = find(number);
    if (!found || found->tasks.empty()) return "waits";
    std::string text;
    for (const auto& grant : found->tasks.front().grants) text += grant.instance.host;
    return text.empty() ? "waits" : text;
  }
  std::string letters(const std::string& host) const {
    const auto& state = planner.state();
    const InstanceName name{"all.q", host};
    return instance_letters(state.configuration(), *state.configuration().instance(name),
                            state.host(host), state.instance(name));
  }
  std::int64_t on(const std::string& host, const std::string& limit) {
    auto request = job("j", limit);
    if (!host.empty()) request.queues = {"*@" + host};
    const auto number = submit(root, request);
    pass();
    return number;
  }
  std::int64_t inside(std::int64_t maintenance, std::int64_t slots, const std::string& limit = "") {
    auto request = job("inside", limit);
    request.reservation = {maintenance};
    request.pe = "fill", request.slots = {{slots, slots}};
    const auto number = submit(root, request);
    pass();
    return number;
  }
  void at(std::int64_t seconds) { now = T + Duration{seconds}; }
  void begin(std::int64_t number) { due(number), pass(); }
  std::string explained(std::int64_t job) const {
    Obstacles obstacles;
    const auto& found = *planner.state().job_by_number({job});
    const auto wanted = make_class_request(planner.state(), found);
    place_now(planner.state(), found, *wanted, true, now, obstacles);
    Answer answer;
    for (auto& why : obstacles.list()) answer.say(std::move(why));
    return text(answer);
  }
  static JobRequest on_pe_job(const std::string& limit, std::int64_t slots) {
    auto request = job("j", limit);
    request.pe = "fill", request.slots = {{slots, slots}};
    return request;
  }
  Decisions handle(const Input& input) override {
    auto decisions = PlannerFixture::handle(input);
    for (const auto& effect : decisions.effects)
      if (const auto* letter = std::get_if<Letter>(&effect)) letters_.push_back(*letter);
    return decisions;
  }
  std::int64_t mails(Occasion occasion) const {
    return std::count_if(letters_.begin(), letters_.end(),
                         [&](const Letter& letter) { return letter.occasion == occasion; });
  }

  Instant T;
  std::vector<Letter> letters_;
};

} // namespace almanac
