#include "actors/agent/launcher_events.hpp"

#include "core/request/valid_report.hpp"

#include <caf/send.hpp>
#include <utility>

namespace almanac {

Launcher::Events events_for(const AgentActor& agent) {
  return {[agent](session::TaskReport report) {
            report.record = within_bounds(std::move(report.record));
            caf::anon_send(agent, LauncherSaid{std::move(report)});
          },
          [agent](std::int64_t call, std::string content, bool error) {
            caf::anon_send(agent, CallOutput{call, std::move(content), error});
          },
          [agent](std::int64_t call, ExitRecord record) {
            caf::anon_send(agent, CallEnded{call, within_bounds(std::move(record))});
          },
          [agent](std::int64_t call, std::int64_t bytes) {
            caf::anon_send(agent, CallOutput{call, {}, false, bytes});
          }};
}

} // namespace almanac
