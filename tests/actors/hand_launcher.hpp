// A machine that holds whatever order it was given, and a clock that goes when it is told to.
#pragma once

#include "actors/ports/launcher.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac {

class HandLauncher : public Launcher {
public:
  std::vector<session::TaskReport> adopt(Events) override { return {}; }
  void launch(const session::Launch&) override {}
  void control(const Attempt&, session::TaskAction action) override { actions.push_back(action); }
  void prolong(const Attempt&, const Bytes& warrant, const Bytes&) override {
    longer.push_back(warrant.content);
  }
  void forget(const Attempt&) override {}
  void start_inherited(const Attempt&, const InheritedStart& start) override {
    started.push_back(start.call), last = start;
  }
  void write_input(const Attempt&, std::int64_t, const std::string& content, bool) override {
    input += content;
  }
  void take_output(const Attempt&, std::int64_t, std::int64_t bytes) override { taken += bytes; }
  void resize(const Attempt&, std::int64_t, const TerminalSize& size) override { terminal = size; }
  void hang_up(const Attempt&, std::int64_t call) override { hung_up.push_back(call); }
  std::optional<session::Launch> order_of(const Attempt&) const override { return order; }
  std::vector<Attempt> attempts_of(JobNumber) const override { return {}; }
  std::int64_t lease_clock() const override { return clock_ms; }
  void keep_lease(std::int64_t asked) override { kept.push_back(asked); }
  std::string nonce() const override { return "nonce"; }
  HostFacts facts() const override { return {}; }
  HostLoad load() const override { return {}; }

  std::optional<session::Launch> order;
  std::vector<std::string> longer; ///< warrants for limits
  std::vector<std::int64_t> started;
  InheritedStart last;
  std::string input;
  std::int64_t taken = 0;
  TerminalSize terminal{0, 0};
  std::vector<std::int64_t> hung_up;
  std::vector<session::TaskAction> actions;
  std::int64_t clock_ms = 0;
  std::vector<std::int64_t> kept; ///< when the leases were asked for that were kept
};

} // namespace almanac
