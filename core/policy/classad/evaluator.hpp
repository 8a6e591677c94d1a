// Evaluates expressions of a tree (spec/plus.md section 7, P7.31 to P7.42).
#pragma once

#include "core/policy/classad/functions.hpp"
#include "core/policy/classad/tree.hpp"

#include <deque>
#include <vector>

namespace almanac {

/// A record of the text while it is evaluated: each attribute is evaluated once, when it is used.
class AdScope {
public:
  enum class Known : std::uint8_t { no, being_found, yes };
  struct Field {
    Known known = Known::no;
    AdValue value;
  };

  AdScope(const AdNode& of, AdScope* outward) : record(&of), outer(outward), fields(of.count) {}

  const AdNode* record;
  AdScope* outer; ///< the record around it; null: none
  std::vector<Field> fields;
  bool is_copied = false; ///< being made a record of values
};

/// One evaluation. It keeps what it found out, and its limits are for all of it.
class AdEvaluator {
public:
  AdEvaluator(const AdTree& tree, const AdHost& host, const AdLimits& limits)
      : tree_(tree), host_(host), limits_(limits), steps_left_(limits.steps) {}

  /// The record of the whole text.
  AdScope* root();
  AdValue attribute(AdScope* scope, std::uint32_t field);
  /// Of an expression that stands in the record `scope`.
  AdValue value(std::uint32_t node, AdScope* scope);
  /// The same value without parts that exist only during the evaluation.
  AdValue copied(const AdValue& value);

  bool is_exhausted() const { return !exhausted_.empty(); }
  /// The error of a limit that was reached.
  AdValue exhaustion() const { return {AdError{exhausted_.data()}}; }

private:
  bool spend(std::int64_t steps);
  bool is_too_deep();
  AdValue found(const AdNode& node, AdScope* scope);
  AdValue chain(const AdNode& node, AdScope* scope);
  AdValue select(const AdNode& node, AdScope* scope);
  AdValue select(const AdValue& of, std::uint32_t name);
  AdValue select(const AdValue& of, const std::string& name);
  AdValue index(const AdNode& node, AdScope* scope);
  AdValue call(const AdNode& node, AdScope* scope);
  AdValue apply_own(const AdNode& node, std::size_t first);
  AdValue apply_host(const AdNode& node, std::size_t first);
  AdValue list(const AdNode& node, AdScope* scope);
  AdValue record(const AdNode& node, AdScope* scope);
  AdValue copied_list(const AdList& list);
  AdValue copied_record(AdScope* scope);

  const AdTree& tree_;
  const AdHost& host_;
  AdLimits limits_;
  std::int64_t steps_left_;
  int depth_ = 0;
  std::string_view exhausted_; ///< which limit, ended by a zero; "": none
  std::deque<AdScope> scopes_;
  std::vector<AdValue> arguments_; ///< of the calls that are being prepared
};

} // namespace almanac
