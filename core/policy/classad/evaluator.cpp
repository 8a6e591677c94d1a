#include "core/policy/classad/evaluator.hpp"

#include "core/text/words.hpp"

#include <algorithm>
#include <optional>

namespace almanac {

namespace {

constexpr AdError is_cycle{"an attribute depends on itself"};
constexpr AdError no_condition{"the condition of ?: is no truth value"};
constexpr AdError no_record{"an attribute is selected in what is no record"};
constexpr AdError no_index{"a list is indexed by an integer, a record by a name"};
constexpr AdError out_of_range{"an index is out of range"};
constexpr AdError not_answered{"a function cannot be called so"};
constexpr AdError contains_itself{"a record contains itself"};

} // namespace

bool AdEvaluator::spend(std::int64_t steps) {
  if (is_exhausted()) return false;
  steps_left_ -= steps;
  if (steps_left_ < 0) exhausted_ = "it takes too many steps";
  return !is_exhausted();
}

bool AdEvaluator::is_too_deep() {
  if (depth_ < limits_.depth) return false;
  if (!is_exhausted()) exhausted_ = "it is nested too deeply";
  return true;
}

AdScope* AdEvaluator::root() {
  if (scopes_.empty()) scopes_.emplace_back(tree_.nodes[tree_.root], nullptr);
  return &scopes_.front();
}

AdValue AdEvaluator::attribute(AdScope* scope, std::uint32_t at) {
  auto& field = scope->fields[at];
  if (field.known == AdScope::Known::yes) return field.value;
  if (field.known == AdScope::Known::being_found) return {is_cycle};
  field.known = AdScope::Known::being_found;
  auto result = value(tree_.child(*scope->record, at).node, scope);
  field.known = AdScope::Known::yes;
  field.value = result;
  return result;
}

AdValue AdEvaluator::value(std::uint32_t place, AdScope* scope) {
  const auto& node = tree_.nodes[place];
  if (!spend(1)) return exhaustion();
  if (node.kind == AdKind::literal) return tree_.values[node.at];
  if (node.fixed != AdNode::none) return tree_.values[node.fixed];
  if (node.kind == AdKind::variable)
    return node.at < host_.variables.size() ? host_.variables[node.at] : AdValue();
  if (is_too_deep()) return exhaustion();
  ++depth_;
  auto result = found(node, scope);
  --depth_;
  return is_exhausted() ? exhaustion() : result;
}

AdValue AdEvaluator::found(const AdNode& node, AdScope* scope) {
  switch (node.kind) {
  case AdKind::attribute:
    for (auto up = node.up; up > 0; --up) scope = scope->outer;
    return attribute(scope, node.at);
  case AdKind::select: return select(node, scope);
  case AdKind::index: return index(node, scope);
  case AdKind::unary: return apply(node.op, value(tree_.child(node, 0).node, scope));
  case AdKind::chain: return chain(node, scope);
  case AdKind::conditional: {
    const auto condition = value(tree_.child(node, 0).node, scope);
    if (condition.is_undefined() || condition.is_error()) return condition;
    if (!condition.as<bool>()) return {no_condition};
    return value(tree_.child(node, condition.is_true() ? 1 : 2).node, scope);
  }
  case AdKind::call:
  case AdKind::host_call: return call(node, scope);
  case AdKind::list: return list(node, scope);
  case AdKind::record: return record(node, scope);
  default: return {};
  }
}

// From left to right: an operand that cannot change the result is not evaluated.
AdValue AdEvaluator::chain(const AdNode& node, AdScope* scope) {
  auto result = value(tree_.child(node, 0).node, scope);
  for (std::uint32_t i = 1; i < node.count && !is_exhausted(); ++i) {
    const auto& [operand, op, unused] = tree_.child(node, i);
    const bool takes_errors = op == AdOperator::is || op == AdOperator::isnt;
    if (op == AdOperator::logical_and || op == AdOperator::logical_or) {
      result = as_truth(result);
      if (is_settled(op, result)) return result;
      result = conclude(op, result, as_truth(value(operand, scope)));
    } else if (takes_errors || !result.is_error()) {
      const auto right = value(operand, scope);
      if (!spend(comparison_steps(result, right))) return exhaustion();
      result = takes_errors ? AdValue(identical(result, right) == (op == AdOperator::is))
                            : apply(op, result, right);
    }
  }
  return result;
}

AdValue AdEvaluator::select(const AdNode& node, AdScope* scope) {
  return select(value(tree_.child(node, 0).node, scope), node.name);
}

AdValue AdEvaluator::select(const AdValue& of, std::uint32_t name) {
  if (const auto* scope = of.as<AdScope*>()) {
    const auto& record = *(*scope)->record;
    if (!spend(steps_for_items(record.count))) return exhaustion();
    const auto field = tree_.field(record, name);
    return field == AdNode::none ? AdValue() : attribute(*scope, field);
  }
  return select(of, tree_.lower[name]);
}

AdValue AdEvaluator::select(const AdValue& of, const std::string& name) {
  if (of.is_undefined() || of.is_error()) return of;
  const auto* record = of.as<AdRecord>();
  if (!record) return {no_record};
  if (!spend(steps_for_items((*record)->values.size()))) return exhaustion();
  const auto* field = find(**record, name);
  return field ? *field : AdValue();
}

AdValue AdEvaluator::index(const AdNode& node, AdScope* scope) {
  const auto of = value(tree_.child(node, 0).node, scope);
  if (of.is_error()) return of;
  const auto place = value(tree_.child(node, 1).node, scope);
  if (place.is_error() || place.is_undefined()) return place;
  if (of.is_undefined()) return of;
  if (const auto* list = of.as<AdList>()) {
    const auto* number = place.as<std::int64_t>();
    if (!number) return {no_index};
    if (*number < 0 || static_cast<std::uint64_t>(*number) >= list->count) return {out_of_range};
    return list->begin()[*number];
  }
  const auto* name = place.as<AdText>();
  if (!name || (!of.as<AdRecord>() && !of.as<AdScope*>())) return {no_index};
  if (!spend(steps_for_bytes((*name)->size()))) return exhaustion();
  const auto small = lower(**name);
  if (of.as<AdRecord>()) return select(of, small);
  if (!spend(steps_for_items(tree_.names.size()))) return exhaustion();
  const auto number = tree_.number(small);
  return number == AdNode::none ? AdValue() : select(of, number);
}

AdValue AdEvaluator::call(const AdNode& node, AdScope* scope) {
  const bool is_own = node.kind == AdKind::call;
  const auto kind = is_own ? ad_functions()[node.at].kind : AdCallKind::strict;
  if (kind == AdCallKind::conditional) {
    AdNode conditional = node;
    conditional.kind = AdKind::conditional;
    return found(conditional, scope);
  }
  const auto first = arguments_.size();
  std::optional<AdValue> passed_on;
  for (std::uint32_t i = 0; i < node.count; ++i) {
    auto argument = value(tree_.child(node, i).node, scope);
    const bool is_strict = kind != AdCallKind::any_value;
    if (is_strict && argument.is_error()) {
      passed_on = std::move(argument);
      break;
    }
    if (is_strict && argument.is_undefined() && !passed_on) passed_on = argument;
    arguments_.push_back(std::move(argument));
  }
  if (!passed_on) passed_on = is_own ? apply_own(node, first) : apply_host(node, first);
  arguments_.resize(first);
  return std::move(*passed_on);
}

AdValue AdEvaluator::apply_own(const AdNode& node, std::size_t first) {
  AdCall work;
  work.now = host_.now, work.most_text = limits_.text, work.most_work = steps_left_;
  if (node.matcher != AdNode::none) work.matcher = &tree_.matchers[node.matcher];
  auto result =
      ad_functions()[node.at].apply(std::span<const AdValue>(arguments_).subspan(first), work);
  return spend(work.work) ? result : exhaustion();
}

AdValue AdEvaluator::apply_host(const AdNode& node, std::size_t first) {
  std::vector<AdValue> given;
  for (auto i = first; i < arguments_.size(); ++i) given.push_back(copied(arguments_[i]));
  if (!host_.function || is_exhausted()) return {not_answered};
  auto result = host_.function(tree_.words.functions[node.at], given);
  return result ? std::move(*result) : AdValue(not_answered);
}

AdValue AdEvaluator::list(const AdNode& node, AdScope* scope) {
  std::vector<AdValue> items;
  for (std::uint32_t i = 0; i < node.count && !is_exhausted(); ++i)
    items.push_back(value(tree_.child(node, i).node, scope));
  return ad_list(std::move(items));
}

AdValue AdEvaluator::record(const AdNode& node, AdScope* scope) {
  if (!spend(steps_for_items(node.count))) return exhaustion();
  return {&scopes_.emplace_back(node, scope)};
}

AdValue AdEvaluator::copied(const AdValue& value) {
  if (const auto* list = value.as<AdList>()) return copied_list(*list);
  if (const auto* scope = value.as<AdScope*>()) return copied_record(*scope);
  return value;
}

// The same list, where nothing in it exists only here.
AdValue AdEvaluator::copied_list(const AdList& list) {
  const auto needs_copy = [](const AdValue& item) {
    return item.as<AdScope*>() || item.as<AdList>();
  };
  if (!spend(1 + steps_for_items(list.count))) return exhaustion();
  if (std::none_of(list.begin(), list.end(), needs_copy)) return {list};
  if (is_too_deep()) return exhaustion();
  ++depth_;
  std::vector<AdValue> items;
  for (const auto& item : list) items.push_back(copied(item));
  --depth_;
  return ad_list(std::move(items));
}

AdValue AdEvaluator::copied_record(AdScope* scope) {
  if (scope->is_copied) return {contains_itself};
  if (!spend(1 + scope->record->count) || is_too_deep()) return exhaustion();
  ++depth_;
  scope->is_copied = true;
  std::vector<std::string> names;
  auto fields = std::make_shared<AdFields>();
  for (std::uint32_t i = 0; i < scope->record->count; ++i) {
    names.push_back(tree_.names[tree_.child(*scope->record, i).name]);
    fields->values.push_back(copied(attribute(scope, i)));
  }
  fields->names = ad_names(std::move(names));
  scope->is_copied = false;
  --depth_;
  return {AdRecord(std::move(fields))};
}

AdValue evaluate(const Ad& ad, std::string_view attribute, const AdHost& host,
                 const AdLimits& limits) {
  const auto& tree = *ad.tree;
  const auto field = tree.field(tree.nodes[tree.root], tree.number(lower(attribute)));
  if (field == AdNode::none) return {};
  AdEvaluator evaluator(tree, host, limits);
  auto value = evaluator.copied(evaluator.attribute(evaluator.root(), field));
  return evaluator.is_exhausted() ? evaluator.exhaustion() : value;
}

} // namespace almanac
