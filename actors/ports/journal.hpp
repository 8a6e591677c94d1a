// Where everything that must not be lost is kept.
//
// One actor writes; commit() returns when the batch is durable. Nothing outside the store is state.
#pragma once

#include "schema/store.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace almanac {

enum class Commit { durable, fenced, failed };

/// What people are told while has_space() is false.
inline constexpr const char* nearly_full =
    "the disk of the master is nearly full: new work is refused until there is space";

class Journal {
public:
  virtual ~Journal() = default;

  /// All of the batch or nothing. Fenced: somebody opened the store with a later term.
  virtual Commit commit(const std::vector<store::Write>& batch, Term term) = 0;
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
  /// False when the disk is nearly full: new work is refused, ends and deletions still work.
  virtual bool has_space() const = 0;
};

} // namespace almanac
