// Reservations that lose hosts: hosts h1 to h4 of four slots each are n1 to n4 of the examples in
// spec/beyond.md section 1.
#pragma once

#include "four_hosts_fixture.hpp"

namespace almanac {

class LosingHostsFixture : public FourHostsFixture {
public:
  void SetUp() override {
    FourHostsFixture::SetUp();
    scheduler({{"params", "DURATION_OFFSET=0"}});
  }

  std::string left_behind(std::int64_t number) const {
    std::string text;
    for (const auto& left : reservation(number).left_behind) {
      text += (text.empty() ? "" : " ") + left.instance.host + "=" + std::to_string(left.slots);
      for (const auto& job : left.jobs) text += " " + job;
    }
    return text;
  }
  /// Eight slots: four of h1 and of h2.
  std::int64_t eight(std::int64_t in = 0, Repair repair = Repair::yes, std::int64_t spare = 0) {
    auto request = on_pe(window(now.seconds + in, 600), "fill", 8);
    request.repair = repair, request.spare = spare;
    return reserve(root, std::move(request));
  }
  std::int64_t inside(std::int64_t number, std::int64_t slots, const std::string& limit = "") {
    auto request = job("inside", limit);
    request.reservation = {number};
    request.pe = "fill", request.slots = {{slots, slots}};
    const auto id = submit(root, request);
    pass();
    EXPECT_TRUE(is_active(id));
    start(id);
    return id;
  }
  std::int64_t outside(const std::string& host, std::int64_t slots, const std::string& limit = "") {
    auto request = job("outside", limit);
    request.pe = "smp", request.slots = {{slots, slots}};
    request.queues = {"*@" + host};
    const auto id = submit(root, request);
    pass();
    EXPECT_TRUE(is_active(id)) << host;
    return id;
  }
  std::string host_of(std::int64_t job) const {
    return find(job)->find(0)->grants.front().instance.host;
  }
  Decisions handle(const Input& input) override {
    auto decisions = PlannerFixture::handle(input);
    for (const auto& effect : decisions.effects)
      if (const auto* letter = std::get_if<Letter>(&effect)) letters_.push_back(*letter);
      else if (const auto* call = std::get_if<HookCall>(&effect)) calls_.push_back(*call);
    return decisions;
  }
  /// The notes of the letters on that occasion.
  std::vector<std::string> told(Occasion occasion) const {
    std::vector<std::string> notes;
    for (const auto& letter : letters_)
      if (letter.occasion == occasion) notes.push_back(letter.note);
    return notes;
  }
  std::int64_t mailed(ReservationRequest request) {
    request.repair = Repair::yes, request.mail_at = "ae";
    return reserve(root, std::move(request));
  }
  std::int64_t booked(const std::string& host) const {
    return planner.state().ledger().used(Container::queue({"all.q", host}), "slots",
                                         {now, now + Duration{1}});
  }

  const std::vector<HookCall>& calls() const { return calls_; }

private:
  std::vector<Letter> letters_;
  std::vector<HookCall> calls_;
};

} // namespace almanac
