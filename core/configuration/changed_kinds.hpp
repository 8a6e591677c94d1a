// Of which kinds the objects are that a change of the configuration has written or erased: what is
// derived from others is as it was.
#pragma once

#include "core/configuration/objects/object.hpp"

#include <cstdint>

namespace almanac {

class ChangedKinds {
public:
  static ChangedKinds all() {
    ChangedKinds kinds;
    kinds.kinds_ = ~std::uint32_t{0};
    return kinds;
  }
  void add(ObjectKind kind) { kinds_ |= bit(kind); }
  bool has(ObjectKind kind) const { return (kinds_ & bit(kind)) != 0; }

  /// Whether other queue instances may be there, or have something else.
  bool may_change_instances() const {
    return has(ObjectKind::cluster_queue) || has(ObjectKind::exec_host) ||
           has(ObjectKind::host_group) || has(ObjectKind::orphan);
  }
  /// Whether other quota sets may be there, or mean something else by themselves.
  bool may_change_quota_sets() const {
    return has(ObjectKind::quota_set) || has(ObjectKind::complex);
  }

private:
  static constexpr std::uint32_t bit(ObjectKind kind) {
    return std::uint32_t{1} << static_cast<unsigned>(kind);
  }

  std::uint32_t kinds_ = 0;
};

} // namespace almanac
