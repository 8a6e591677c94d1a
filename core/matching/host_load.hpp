// The load of a host as the planner counts it: what is reported, and what was started since
// (spec/scheduling.md section 8).
//
// Values are in millionths; nothing where a value is not known.
#pragma once

#include "core/answer/statement.hpp"
#include "core/matching/snapshot.hpp"

#include <optional>
#include <string>

namespace almanac {

/// The load formula's value for the instance's host; hosts without one come last.
std::optional<std::int64_t> host_load(const Snapshot& state, const QueueInstance& instance,
                                      Instant now);

/// A threshold of an instance that a value has reached; for as long as the configuration lives.
struct ReachedThreshold {
  const Complex* complex;
  const std::string *name, *threshold; ///< as the queue has them
  std::int64_t value;

  Statement statement() const;
  std::string printed_value() const; ///< as the complex prints it
};

/// Which load threshold of the instance is reached, or nothing.
std::optional<ReachedThreshold> overload(const Snapshot& state, const QueueInstance& instance,
                                         Instant now);
/// The same for what is reported alone.
std::optional<ReachedThreshold> overload(const Configuration& configuration,
                                         const QueueInstance& instance, const HostState& host);
/// Which suspend threshold is reached; what was started lately does not count.
std::optional<ReachedThreshold> suspending(const Snapshot& state, const QueueInstance& instance,
                                           Instant now);

/// The same for what is reported alone.
std::optional<ReachedThreshold> suspending(const Configuration& configuration,
                                           const QueueInstance& instance, const HostState& host);

/// The value that is reported now, as an amount of the complex; nothing where it is not known.
std::optional<std::int64_t> reported_amount(const Snapshot& state, const QueueInstance& instance,
                                            const Complex& complex);
/// The same of a host without looking at its instances.
std::optional<std::int64_t> reported_amount(const Configuration& configuration,
                                            const HostState& host, const Complex& complex);

} // namespace almanac
