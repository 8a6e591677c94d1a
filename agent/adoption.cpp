#include "agent/adoption.hpp"

#include <optional>
#include <spdlog/spdlog.h>
#include <utility>

namespace almanac {

namespace {

// It may have begun before the machine went down: it is not started again.
void note_reboot(const Spool& spool, const Attempt& attempt, const TaskProgress& progress) {
  if (progress.record) return;
  ExitRecord record;
  record.failed = failed::no_exit_status, record.reason = "the host was rebooted";
  if (auto noted = spool.note_end(attempt, true, record); !noted) spdlog::error("{}", noted.what());
}

std::optional<Adopted> adopt_one(const Spool& spool, const HelperClient& helper,
                                 const std::string& host, const Attempt& attempt, bool rebooted) {
  auto order = spool.order(attempt);
  auto request = request_for(HelperVerb::adopt, attempt);
  if (order) request.warrant = order->warrant, request.signature = order->warrant_signature;
  auto found = helper.ask(request);
  WatchedShepherd shepherd;
  shepherd.attempt = attempt;
  shepherd.connection = found.take("connection"), shepherd.progress = found.take("progress");
  if (order && rebooted) note_reboot(spool, attempt, progress_of(shepherd, spool));
  const bool is_known_part = order && !is_first_host(*order, host) && found.reply.known;
  if (order && (shepherd.connection >= 0 || progress_of(shepherd, spool).noted || is_known_part))
    return Adopted{std::move(*order), shepherd};
  shepherd.close();
  helper.ask(request_for(HelperVerb::remove, attempt));
  spool.remove(attempt);
  return {};
}

} // namespace

std::vector<Adopted> adopt_spooled(const Spool& spool, const HelperClient& helper,
                                   const std::string& host) {
  std::vector<Adopted> all;
  const bool rebooted = spool.is_of_an_earlier_boot();
  for (const auto& attempt : spool.attempts())
    if (auto adopted = adopt_one(spool, helper, host, attempt, rebooted))
      all.push_back(std::move(*adopted));
  if (rebooted)
    if (auto taken = spool.take_boot(); !taken) spdlog::error("{}", taken.what());
  return all;
}

bool is_first_host(const session::Launch& order, const std::string& host) {
  return order.parts.front().host == host;
}

} // namespace almanac
