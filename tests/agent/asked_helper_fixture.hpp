// A helper that is asked in this process, and what the network half asks it.
#pragma once

#include "core/job/exit_record.hpp"
#include "tests/agent/helper_fixture.hpp"

#include <csignal>
#include <memory>
#include <poll.h>
#include <sys/wait.h>

namespace almanac {

class AskedHelperFixture : public HelperFixture {
protected:
  AskedHelperFixture() { helper = make_helper(); }

  std::unique_ptr<Helper> make_helper() {
    auto settings = helper_settings();
    settings.clock = [this] { return now_ms; };
    return std::make_unique<Helper>(settings, task_places(), spool, nullptr);
  }

  Warrant warrant() { return warrant_naming(helper->nonce()); }
  // What the network half sends on.
  HelperRequest prepare_with(const Warrant& warrant) {
    request.verb = HelperVerb::prepare;
    request.script = launch.script;
    request.warrant.content = print_warrant(warrant);
    request.signature.content = masters_signature(request.warrant.content);
    return request;
  }
  std::string refusal_of(const HelperRequest& asked) { return told(asked).refusal; }
  HelperReply told(const HelperRequest& asked) {
    auto answer = helper->answer(asked);
    for (const int file : answer.files) ::close(file);
    return answer.reply;
  }
  HelperRequest about(HelperVerb verb, std::int64_t call = 0) {
    HelperRequest asked;
    asked.verb = verb, asked.attempt = launch.attempt, asked.call = call;
    return asked;
  }
  // A limit of the task, as the master signs it.
  HelperRequest longer(std::int64_t seconds) {
    const LimitWarrant limit{"n1", {helper->nonce()}, ++number, "store",
                             {1},  launch.attempt,    seconds};
    auto asked = about(HelperVerb::prolong);
    asked.warrant.content = print_limit(limit);
    asked.signature.content = masters_key().sign(limit_label + asked.warrant.content);
    return asked;
  }
  // A process of qrsh -inherit, as the agent of the task's first host orders it.
  HelperRequest call_with(const CallOrder& call, const SigningKey& key) {
    auto asked = about(HelperVerb::launch, call.number);
    asked.words = call.words, asked.environment = call.environment;
    asked.directory = call.directory, asked.input = call.input;
    asked.signature.content = key.sign(print_call(call));
    return asked;
  }
  CallOrder call_of(std::int64_t number) const {
    return {"n1", launch.attempt, number, {"exit 5"}, {{"A", "1"}}, "/", false};
  }
  void prepare_for_calls() {
    launch.control_slaves = true;
    ASSERT_EQ(refusal_of(prepare_with(warrant())), "");
  }
  // A job of a checkpointing environment.
  void saved_by_signal() {
    script("trap 'exit 7' USR1\nwhile :; do sleep 0.05; done\n");
    launch.job.request.edit().checkpoint = "own";
    auto& plan = launch.checkpoint;
    plan.is_asked_for = plan.at_shutdown = plan.at_move = true;
    plan.signal = SIGUSR1, plan.longest = 60;
    plan.cleaning = {"/usr/bin/touch", (place / "tmp/cleaned").string()};
  }
  bool nothing_is_there() const { return fs::is_empty(place / "tmp") && !fs::exists(folder()); }
  // Until the shepherd has ended.
  TaskProgress end_of(const Helper::Answer& answer) {
    for (std::size_t i = 0; i < answer.files.size(); ++i) {
      if (answer.reply.files[i] == "connection") wait_for_end(answer.files[i]);
      ::close(answer.files[i]);
    }
    ::waitpid(-1, nullptr, 0);
    return progress();
  }
  static void wait_for_end(int connection) {
    char text[64];
    pollfd file{connection, POLLIN, 0};
    while (::poll(&file, 1, 10'000) == 1 && ::read(connection, text, sizeof text) > 0) {
    }
  }

  std::int64_t now_ms = 1'000'000;
  HelperRequest request;
  std::unique_ptr<Helper> helper;
};

} // namespace almanac
