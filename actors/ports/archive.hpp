// What can be read of the store, beside whoever writes it.
//
// Threads: any may read, at the same time as the one that commits. What one call finds is of one
// moment; the next call may find more, or less.
#pragma once

#include "schema/store/keys.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace almanac {

class Archive {
public:
  virtual ~Archive() = default;

  virtual std::optional<std::string> get(store::Family family, const std::string& key) const = 0;
  /// In the order of keys, from the first one that is not below `from` on, while `visit` says so.
  using Visit = std::function<bool(std::string_view key, std::string_view value)>;
  virtual void scan_from(store::Family family, const std::string& from,
                         const Visit& visit) const = 0;
  void scan(store::Family family,
            const std::function<void(std::string_view, std::string_view)>& visit) const {
    scan_from(family, "", [&](std::string_view key, std::string_view value) {
      visit(key, value);
      return true;
    });
  }
  /// The value of the family's highest key.
  virtual std::optional<std::string> last(store::Family family) const = 0;
  /// The store as it is now, whatever is written later. The archive outlives it.
  virtual std::shared_ptr<const Archive> snapshot() const = 0;
};

} // namespace almanac
