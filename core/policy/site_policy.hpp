// reservable.ad as it is in force: in step with the record of the file, and parsed once for each text
// (spec/plus.md P7.2 to P7.4).
//
// 1. Without a file there are no conditions.
// 2. A text that cannot be read changes nothing but the record. If there is none before it, nobody may
//    reserve hosts.
#pragma once

#include "core/policy/reservable.hpp"
#include "core/records/index.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace almanac {

inline constexpr const char* policy_file = "reservable.ad";

/// Why the planner cannot go by a file of the site, of whatever kind it is; more than fault_of() says
/// (core/configuration/objects/site_file.hpp), which knows no policies.
std::optional<std::string> site_file_fault(std::string_view name, std::string_view text);

class SitePolicy : public ComparedIndex<SitePolicy> {
public:
  using Index::changed;
  bool operator==(const SitePolicy& other) const {
    return text_ == other.text_ && fault_ == other.fault_ && read_at_ == other.read_at_;
  }
  void rebuild(const Records& records) override;
  void changed(const SiteFile* before, const SiteFile* after) override;

  bool is_in_force() const { return conditions_ || !fault_.empty(); }
  /// nullptr: there are none, or they cannot be read.
  const Reservable* conditions() const { return conditions_ ? &*conditions_ : nullptr; }
  /// What is wrong with the text where none was read before; else "".
  const std::string& fault() const { return fault_; }
  /// When the text came: since then it is noted when hosts get idle.
  Instant read_at() const { return read_at_; }

  /// A result that is neither true nor false. Of one text the first one counts, once: nothing that is
  /// decided depends on it (P7.7).
  void note_odd_result(const std::string& result) const;
  /// For the log; "": there is nothing new.
  std::string take_odd_result() const;

private:
  std::string text_;
  std::string fault_;
  Instant read_at_;
  std::optional<Reservable> conditions_; ///< of the text
  mutable std::string odd_result_;
  mutable bool is_odd_noted_ = false;
};

} // namespace almanac
