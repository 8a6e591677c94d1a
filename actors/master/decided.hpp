// An input that is decided and not yet durable, with those who wait for it.
#pragma once

#include "actors/messages.hpp"
#include "core/planning/decisions.hpp"

#include <caf/typed_response_promise.hpp>

#include <map>
#include <utility>
#include <vector>

namespace almanac {

struct Decided {
  Decisions decisions;
  Sequence sequence;                     ///< of the input; 0: it repeats an answer
  std::string cause;                     ///< the input in words, where it has changed something
  std::vector<store::ChangeRow> changes; ///< what people hear of it
  std::map<TaskId, LaunchPlan> plans;    ///< of tasks that are to be launched
  caf::typed_response_promise<Answer> answer;
  caf::typed_response_promise<HostTasks> registered;
  HostTasks host_tasks; ///< its answer
  /// For who asked earlier, and waited for the site.
  std::vector<std::pair<caf::typed_response_promise<Answer>, Answer>> later;

  /// It is durable: whoever waits hears so.
  void deliver() {
    if (answer.pending()) answer.deliver(*decisions.answer);
    for (auto& [asker, said] : later) asker.deliver(std::move(said));
    if (registered.pending()) registered.deliver(std::move(host_tasks));
  }
};

} // namespace almanac
