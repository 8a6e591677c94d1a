// What every actor file needs: logging, sending, and the directory.
#pragma once

#include "actors/crash_point.hpp"
#include "actors/interfaces.hpp"
#include "actors/message_trace.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <spdlog/spdlog.h>

#include <utility>

namespace almanac {

/// What all our actors are: its messages can be looked on at.
template <class Handle, class State> class WatchedActor
    : public caf::stateful_actor<State, typename Handle::base> {
public:
  using caf::stateful_actor<State, typename Handle::base>::stateful_actor;

  caf::invoke_message_result consume(caf::mailbox_element& message) override {
    if (message_trace().is_on()) {
      const auto& sender = message.sender;
      const bool is_near = sender && sender->node() == this->node();
      message_trace().note(this->id(), is_near ? sender->id() : 0, message.content());
    }
    return caf::stateful_actor<State, typename Handle::base>::consume(message);
  }
};
template <class Handle, class State> using Watched = WatchedActor<Handle, State>*;

/// Which one an actor works in: that of whoever is free, or its own, since it has to wait.
enum class Thread { shared, own };

/// Tells the directory that `self` is alive.
template <class Self>
void enlist(Self* self, const DirectoryActor& directory, std::string kind, std::string name) {
  caf::anon_send(directory, Enlist{std::move(kind), std::move(name), self->id(), self->address()});
}

/// An exception in a handler ends the process: CAF would end the actor alone and leave its work
/// stuck.
template <class Self> void end_process_on_exception(Self* self, const char* actor) {
  self->set_exception_handler([actor](std::exception_ptr& problem) -> caf::error {
    try {
      std::rethrow_exception(problem);
    } catch (const std::exception& exception) {
      spdlog::critical("{} failed, the process ends: {}", actor, exception.what());
    } catch (...) {
      spdlog::critical("{} failed, the process ends", actor);
    }
    std::abort();
  });
}

inline std::chrono::seconds to_chrono(Duration duration) {
  // Timers are hints: a far one is set again when it rings.
  constexpr std::int64_t far = 7 * 86400;
  return std::chrono::seconds(duration.seconds < 0     ? 0
                              : duration.seconds > far ? far
                                                       : duration.seconds);
}

/// How long to sleep until `due`. A timer is a hint, and clocks are set: who has something due
/// looks again after a while.
inline std::chrono::seconds until(Instant due, Instant now) {
  constexpr Duration longest{15};
  return to_chrono(std::min(due - now, longest));
}

} // namespace almanac
