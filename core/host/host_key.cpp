#include "core/host/host_key.hpp"

#include "core/text/names.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr Duration alarm_period{3600};

std::string machine_of(const std::string& address) { return address.substr(0, address.rfind(':')); }

bool is_elsewhere(const HostFacts& first, const HostFacts& second) {
  if (first.spool_id.empty()) return false; // nobody was here yet
  return first.spool_id != second.spool_id ||
         machine_of(first.address) != machine_of(second.address);
}

// The very process that was here, as far as it tells.
bool is_same_agent(const HostFacts& first, const HostFacts& second) {
  return first.spool_id == second.spool_id && first.address == second.address &&
         first.boot_id == second.boot_id;
}

std::string place_of(const HostFacts& facts) {
  return excerpt(facts.address + " (spool " + facts.spool_id + ")");
}

} // namespace

const char* name_of(KeyState state) {
  static const char* const names[] = {"awaited", "good", "revoked"};
  return names[static_cast<int>(state)];
}

std::optional<std::string> key_obstacle(const HostKey& known, const KeyClaim& claim, Instant now) {
  const auto serial = std::to_string(claim.serial);
  if (claim.expires.seconds != 0 && now >= claim.expires)
    return "its ticket with the serial " + serial + " has expired";
  if (known.state == KeyState::revoked && claim.serial <= known.serial)
    return "its key is revoked, with all tickets up to the serial " + std::to_string(known.serial);
  if (claim.serial < known.serial)
    return "its key was replaced: its ticket has the serial " + serial + ", " +
           std::to_string(known.serial) + " is valid";
  if (claim.serial == known.serial && !known.key.empty() && claim.key != known.key)
    return "another key is registered with the serial " + serial;
  return std::nullopt;
}

Admission admit(const HostKey& known, const HostState& host, const KeyClaim& claim,
                const HostFacts& facts, Rival rival, Instant now) {
  if (auto why = key_obstacle(known, claim, now)) return {*why, {}};
  if (claim.serial > known.serial) return {}; // it takes over
  const bool elsewhere = is_elsewhere(host.facts, facts);
  const bool takes_back = rival == Rival::there && is_same_agent(host.facts, facts);
  const bool is_alone = rival == Rival::none && (!elsewhere || host.phase == HostPhase::unknown);
  const bool is_sure = elsewhere || rival == Rival::lively; // that there are two of them
  const auto places = "at " + place_of(facts) + ", the first one at " + place_of(host.facts);
  if (is_alone && elsewhere) return {{}, "its agent moved: now it is " + places};
  if (is_alone || takes_back) return {};
  return {"another agent of this host is there, or was a moment ago, at " + place_of(host.facts),
          is_sure ? "a second agent with the same key is " + places : std::string()};
}

std::int64_t issue_serial(HostKey& known) {
  return known.issued = std::max(known.issued, known.serial) + 1;
}

void revoke(HostKey& known, Instant now) {
  known.serial = std::max(known.issued, known.serial);
  known.state = KeyState::revoked, known.since = now;
}

void take_over(HostKey& known, const KeyClaim& claim, Instant now) {
  if (known.state == KeyState::good && known.key == claim.key && known.serial == claim.serial)
    return;
  if (claim.serial > known.serial) known.alarm.clear(), known.alarm_at = {};
  known.state = KeyState::good, known.key = claim.key, known.serial = claim.serial;
  known.issued = std::max(known.issued, claim.serial);
  known.since = now, known.expires = claim.expires;
}

bool raise_alarm(HostKey& known, const std::string& alarm, Instant now) {
  if (known.alarm == alarm && now - known.alarm_at < alarm_period) return false;
  known.alarm = alarm, known.alarm_at = now;
  return true;
}

} // namespace almanac
