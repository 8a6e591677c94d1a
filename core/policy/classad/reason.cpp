// Which part of a condition is not true (why_not in classad.hpp).
#include "core/policy/classad/evaluator.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::size_t most_reasons = 8, most_values = 8, most_shown = 60, most_expression = 200;
constexpr std::size_t most_items = 4;
constexpr int deepest = 100;

std::string shown(const AdValue& value) {
  if (const auto* list = value.as<AdList>(); list && list->count > most_items)
    return "a list of " + std::to_string(list->count);
  if (const auto* error = value.as<AdError>()) return std::string("error: ") + error->what;
  return excerpt(print_value(value, most_shown), most_shown + 3);
}

class Explainer {
public:
  Explainer(const AdTree& tree, const AdHost& host, const AdLimits& limits)
      : tree_(tree), evaluator_(tree, host, limits) {}

  // Why the expression in that record is not true.
  void explain(std::uint32_t place, AdScope* scope) {
    if (reasons.size() >= most_reasons || depth_ >= deepest) return;
    ++depth_;
    const auto& node = tree_.nodes[place];
    if (node.kind == AdKind::attribute) explain_attribute(node, scope);
    else if (node.kind == AdKind::chain && op_of(node) == AdOperator::logical_and)
      explain(culprit(node, scope), scope);
    else if (node.kind == AdKind::chain && op_of(node) == AdOperator::logical_or)
      for (std::uint32_t i = 0; i < node.count; ++i) explain(tree_.child(node, i).node, scope);
    else if (node.kind == AdKind::conditional) explain_conditional(place, scope);
    else add(place, scope);
    --depth_;
  }
  std::vector<AdReason> reasons;

private:
  AdOperator op_of(const AdNode& chain) const { return tree_.child(chain, 1).before; }

  void explain_attribute(const AdNode& node, AdScope* scope) {
    for (auto up = node.up; up > 0; --up) scope = scope->outer;
    const auto defined = tree_.child(*scope->record, node.at).node;
    if (scope->fields[node.at].known == AdScope::Known::being_found) return;
    explain(defined, scope);
  }
  // Of the parts of && the first one that is false, or else the first that is not true.
  std::uint32_t culprit(const AdNode& node, AdScope* scope) {
    std::uint32_t first = AdNode::none;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const auto part = tree_.child(node, i).node;
      const auto value = evaluator_.value(part, scope);
      if (value.is_true()) continue;
      if (value.as<bool>() || value.is_error()) return part;
      if (first == AdNode::none) first = part;
    }
    return first == AdNode::none ? tree_.child(node, 0).node : first;
  }
  void explain_conditional(std::uint32_t place, AdScope* scope) {
    const auto& node = tree_.nodes[place];
    const auto condition = evaluator_.value(tree_.child(node, 0).node, scope);
    if (!condition.as<bool>()) return explain(tree_.child(node, 0).node, scope);
    const auto chosen = tree_.child(node, condition.is_true() ? 1 : 2).node;
    // Where the chosen side says no more than "false", the condition is what matters.
    if (tree_.nodes[chosen].kind == AdKind::literal) return add(place, scope);
    explain(chosen, scope);
  }
  void add(std::uint32_t place, AdScope* scope) {
    if (reasons.size() >= most_reasons) return;
    AdReason reason{excerpt(print_expression(tree_, place), most_expression),
                    shown(evaluator_.value(place, scope)),
                    {}};
    values_of(reason, place, scope);
    const auto is_same = [&](const AdReason& other) {
      return other.expression == reason.expression && other.result == reason.result;
    };
    if (std::none_of(reasons.begin(), reasons.end(), is_same)) reasons.push_back(std::move(reason));
  }
  // Of the names in an expression; `record.attribute` is one.
  void values_of(AdReason& reason, std::uint32_t place, AdScope* scope) {
    const auto& node = tree_.nodes[place];
    if (node.kind == AdKind::record || node.kind == AdKind::literal) return;
    if (is_name(node)) return add_value(reason, place, scope);
    for (std::uint32_t i = 0; i < node.count; ++i)
      values_of(reason, tree_.child(node, i).node, scope);
  }
  bool is_name(const AdNode& node) const {
    if (node.kind == AdKind::select) return is_name(tree_.nodes[tree_.child(node, 0).node]);
    return node.kind == AdKind::attribute || node.kind == AdKind::variable ||
           node.kind == AdKind::unknown;
  }
  void add_value(AdReason& reason, std::uint32_t place, AdScope* scope) {
    if (reason.values.size() >= most_values) return;
    auto name = excerpt(print_expression(tree_, place), most_expression);
    const auto is_same = [&](const auto& other) { return equal_ignoring_case(other.first, name); };
    if (std::any_of(reason.values.begin(), reason.values.end(), is_same)) return;
    reason.values.emplace_back(std::move(name), shown(evaluator_.value(place, scope)));
  }

  const AdTree& tree_;
  int depth_ = 0;

public:
  AdEvaluator evaluator_;
};

} // namespace

std::vector<AdReason> why_not(const Ad& ad, std::string_view attribute, const AdHost& host,
                              const AdLimits& limits) {
  const auto value = evaluate(ad, attribute, host, limits);
  if (value.is_true()) return {};
  const auto& tree = *ad.tree;
  const auto field = tree.field(tree.nodes[tree.root], tree.number(lower(attribute)));
  if (field == AdNode::none) return {{std::string(attribute), shown(value), {}}};
  // Looking for the reason takes more steps than evaluating.
  Explainer explainer(tree, host, {limits.steps * 4, limits.depth, limits.text});
  const auto place = tree.child(tree.nodes[tree.root], field).node;
  explainer.explain(place, explainer.evaluator_.root());
  if (explainer.reasons.empty() || explainer.evaluator_.is_exhausted())
    return {{excerpt(print_expression(tree, place), most_expression), shown(value), {}}};
  return std::move(explainer.reasons);
}

} // namespace almanac
