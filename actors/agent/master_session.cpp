#include "actors/agent/master_session.hpp"

#include "schema/warrant.hpp"

#include <caf/send.hpp>
#include <spdlog/spdlog.h>

namespace almanac {

std::int64_t MasterSession::lost(const SessionDown& down) {
  if (down.reason != last_reason_)
    spdlog::warn("agent has no session with the master: {}", down.reason);
  last_reason_ = down.reason;
  tasks_.lost();
  return pause_.after(down.refused);
}

void MasterSession::hear(const session::Welcome& welcome) {
  if (const auto obeyed = tasks_.welcome(welcome); !obeyed)
    return spdlog::error("{}", obeyed.what());
  last_reason_.clear();
  session::Register list{launcher_.facts(), tasks_.list(), {launcher_.nonce()}, warrant_version};
  list.takes_common_files = list.runs_hooks = list.takes_limits = list.takes_moves = true;
  list.takes_preemption = true;
  lease_.ask_with_list();
  say(std::move(list));
}

bool MasterSession::hear(const session::Registered&) {
  const bool is_first = !tasks_.is_registered();
  if (is_first)
    spdlog::info("agent registered term={} tasks={}", tasks_.term().value, tasks_.size());
  const bool beats_begin = is_first && lease_.granted_with_list();
  pause_.reached();
  for (auto& news : tasks_.registered()) say(std::move(news));
  return beats_begin;
}

bool MasterSession::beat() {
  if (!lease_.goes_on(is_registered())) return false;
  say(lease_.ask());
  return true;
}

void MasterSession::tell(session::Message news) const {
  if (is_registered()) say(std::move(news));
}

void MasterSession::report(const session::TaskReport& report) {
  tasks_.change(report);
  // An order that came too late is given again at once: it has to name what counts now.
  if (!report.began && report.record.failed == failed::rescheduled) tell(lease_.ask());
  tell(session::Message(report));
}

void MasterSession::say(session::Message message) const {
  caf::anon_send(session_, Say{std::move(message)});
}

} // namespace almanac
