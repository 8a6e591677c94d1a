// qconf, and what belongs to the cell itself.
#pragma once

#include "core/planning/state.hpp"
#include "core/request/command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace almanac::rules {

// ---- what a change comes to: the same for who makes it and for who tries it (qconf -w v) ----------

/// What a command asks for, as changes of whole objects.
struct WantedChanges {
  std::vector<ConfigurationChange> changes;
  std::vector<ConfigurationChange> told; ///< as people know them
  std::vector<Statement> notes;          ///< said before what is done
};
/// Or why that cannot be said.
Result<WantedChanges, Answer> wanted_changes(const Configuration& configuration,
                                             const Caller& caller, const ConfigureCommand& command);

/// What is wrong with a configuration: the first line says what, others where.
std::vector<Statement> statements_of(const Error& error);

/// The configuration that changes lead to.
struct NextConfiguration {
  Configuration::Changed changed;
  /// On top of it, where reserved instances live on or come back (spec/reservations.md section 10.3).
  std::optional<Configuration::Changed> with_orphans;
  const Configuration& last() const {
    return with_orphans ? with_orphans->configuration : changed.configuration;
  }
};
/// Or the first thing that is wrong with it.
Result<NextConfiguration> configuration_after(const State& state,
                                              const std::vector<ConfigurationChange>& changes);

/// What is taken, but may not be what was meant.
std::vector<Statement> warnings_of(const Configuration& next,
                                   const std::vector<ConfigurationChange>& changes);

// ---- making it ------------------------------------------------------------------------------------

Answer configure(State& state, const Caller& caller, const Configure& command, Instant now);

/// All of the changes, or none.
Answer configure_all(State& state, const Caller& caller, const ConfigureAll& command, Instant now);

/// Drops the orphaned queue instances that no reservation and no task holds any more.
void drop_orphans(State& state);

Answer add_host(State& state, const Caller& caller, const AddHost& command, Instant now);

Answer change_host_key(State& state, const Caller& caller, const ChangeHostKey& command,
                       Instant now);

/// The master runs on this host: it becomes an admin and submit host, and stays one.
void settle_on(State& state, const std::string& host);

} // namespace almanac::rules
