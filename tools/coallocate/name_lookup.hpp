// The addresses of a host, looked up by a thread of its own: the C library may take half a minute, and
// cannot be asked to stop. Meanwhile whoever wants them waits for a descriptor, and for others.
//
// A lookup that nobody waits for any more ends by itself, and keeps only its thread until then.
#pragma once

#include "actors/process/child_program.hpp"
#include "core/base/result.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <netdb.h>
#include <optional>
#include <string>

namespace almanac {

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
/// For connections of TCP, at least one.
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

class NameLookup {
public:
  using Resolve = std::function<Result<Addresses>()>;

  /// Begins; `resolve` may block, and touches nothing of who began. An error: there is no thread or
  /// descriptor for it.
  static Result<NameLookup> begin(Resolve resolve);

  /// Can be read once there is an outcome.
  int descriptor() const;
  /// The outcome, once; nothing as long as it is under way.
  std::optional<Result<Addresses>> take();

private:
  struct Shared;
  explicit NameLookup(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  std::shared_ptr<Shared> shared_;
};

/// What the C library says of a host and a port; blocks, but not where `host` is an address. The error
/// names the host.
Result<Addresses> addresses_of(const std::string& host, std::uint16_t port);
/// The same of an address in digits only; nothing: it is none.
Addresses addresses_of_digits(const std::string& host, std::uint16_t port);

} // namespace almanac
