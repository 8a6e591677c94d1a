// Actors under the deterministic coordinator: a clock driven by hand, partners that only write
// down.
#pragma once

#include "actors/directory.hpp"
#include "actors/ports/clock.hpp"
#include "actors/support.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace almanac {

class HandClock : public Clock {
public:
  Instant now() const override { return {milliseconds / 1000}; }
  std::int64_t milliseconds = 1'000'000'000;
};

/// A partner: what it hears is written down and not answered.
struct Partner {
  caf::actor actor;
  std::shared_ptr<std::vector<caf::message>> heard = std::make_shared<std::vector<caf::message>>();

  template <class T> std::vector<T> all() const {
    std::vector<T> result;
    for (const auto& message : *heard)
      if (message.match_elements<T>()) result.push_back(message.get_as<T>(0));
    return result;
  }
  template <class Handle> Handle as() const { return caf::actor_cast<Handle>(actor); }
  caf::strong_actor_ptr pointer() const { return caf::actor_cast<caf::strong_actor_ptr>(actor); }
};

class ActorFixture : public ::testing::Test {
public:
  struct Config : caf::actor_system_config {
    Config() { set("scheduler.policy", caf::atom("testing")); }
  };
  Config config;
  caf::actor_system system{config};
  HandClock clock;
  DirectoryActor directory = spawn_directory(system, clock);

  ActorFixture() { set_time(), system.await_actors_before_shutdown(false); }
  ~ActorFixture() override {
    // Actors with periodic timers never come to rest by themselves.
    for (const auto& actor : mine) caf::anon_send_exit(actor, caf::exit_reason::kill);
    caf::anon_send_exit(directory, caf::exit_reason::kill);
    settle();
  }

  caf::scheduler::test_coordinator& scheduler() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler());
  }
  /// Lets everything happen that happens now.
  void settle() {
    while (scheduler().try_run_once()) {
    }
  }
  /// Lets time pass, timer after timer.
  void pass(std::chrono::milliseconds time) {
    const auto until = clock.milliseconds + time.count();
    settle();
    for (;;) {
      const auto& timers = scheduler().clock().schedule();
      if (timers.empty()) break;
      const auto next = std::chrono::duration_cast<std::chrono::milliseconds>(
                            timers.begin()->first.time_since_epoch())
                            .count();
      if (next > until) break;
      clock.milliseconds = std::max(clock.milliseconds, next);
      set_time();
      scheduler().trigger_timeout();
      settle();
    }
    clock.milliseconds = until;
    set_time();
  }

  Partner partner() {
    Partner result;
    result.actor = system.spawn(write_down, result.heard);
    mine.push_back(result.actor);
    return result;
  }
  template <class Handle> Handle keep(Handle handle) {
    mine.push_back(caf::actor_cast<caf::actor>(handle));
    return handle;
  }
  template <class Handle, class Message> void tell(const Handle& handle, Message message) {
    caf::anon_send(handle, std::move(message));
    settle();
  }
  template <class Handle, class Message>
  void tell_as(const Partner& sender, const Handle& handle, Message message) {
    caf::actor_cast<caf::strong_actor_ptr>(handle)->enqueue(
        sender.pointer(), caf::make_message_id(), caf::make_message(std::move(message)), nullptr);
    settle();
  }

private:
  static caf::behavior write_down(caf::event_based_actor* self,
                                  std::shared_ptr<std::vector<caf::message>> heard) {
    self->set_default_handler(
        [heard](caf::scheduled_actor*, caf::message_view& view) -> caf::result<caf::message> {
          heard->push_back(view.move_content_to_message());
          return caf::delegated<caf::message>();
        });
    return {[](const caf::exit_msg&) {}};
  }

  void set_time() {
    scheduler().clock().current_time =
        caf::actor_clock::time_point(std::chrono::milliseconds(clock.milliseconds));
  }
  std::vector<caf::actor> mine;
};

} // namespace almanac
