// The addresses of a host, looked up by a thread of its own: the C library may take half a minute,
// and cannot be asked to stop. Meanwhile whoever wants them waits for a descriptor, and for others.
//
// 1. A lookup that nobody waits for any more ends by itself, and keeps only its thread until then.
// 2. Of one name there is one lookup at a time, so whoever asks again and again keeps one thread.
#pragma once

#include "actors/process/addresses.hpp"
#include "core/base/result.hpp"

#include <functional>
#include <memory>
#include <netdb.h>
#include <optional>
#include <string>

namespace almanac {

/// Of all who have asked for them.
using SharedAddresses = std::shared_ptr<const addrinfo>;

class NameLookup {
public:
  using Resolve = std::function<Result<Addresses>()>;

  /// Begins, or joins the lookup of this name that is under way: then `resolve` is not used. It may
  /// block, and touches nothing of who began. An error: there is no thread or descriptor for it.
  static Result<NameLookup> begin(const std::string& name, Resolve resolve);

  /// Can be read once there is an outcome.
  int descriptor() const;
  /// The outcome; nothing as long as it is under way.
  std::optional<Result<SharedAddresses>> outcome() const;

private:
  struct Shared;
  class UnderWay;
  explicit NameLookup(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  std::shared_ptr<Shared> shared_;
};

} // namespace almanac
