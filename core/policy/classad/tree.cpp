#include "core/policy/classad/tree.hpp"

#include "core/policy/classad/evaluator.hpp"
#include "core/policy/classad/functions.hpp"
#include "core/text/words.hpp"

#include <algorithm>
#include <map>

namespace almanac {

namespace {

// Goes through the tree with the records around each expression.
class Resolver {
public:
  explicit Resolver(AdTree& tree) : tree_(tree) {
    for (std::uint32_t i = 0; i < tree.words.variables.size(); ++i)
      if (const auto name = tree.number(lower(tree.words.variables[i])); name != AdNode::none)
        variables_.try_emplace(name, i);
  }

  void resolve(std::uint32_t place) {
    auto& node = tree_.nodes[place];
    if (node.kind == AdKind::name) return place_of(node);
    const bool is_record = node.kind == AdKind::record;
    if (is_record) around_.push_back(fields(node));
    for (std::uint32_t i = 0; i < node.count; ++i) resolve(tree_.child(node, i).node);
    if (is_record) around_.pop_back();
  }

private:
  using Places = std::map<std::uint32_t, std::uint32_t>; ///< by the name's number

  Places fields(const AdNode& record) const {
    Places places;
    for (std::uint32_t i = 0; i < record.count; ++i) places.emplace(tree_.child(record, i).name, i);
    return places;
  }
  void place_of(AdNode& node) const {
    for (std::size_t up = 0; up < around_.size(); ++up) {
      const auto& places = around_[around_.size() - 1 - up];
      const auto found = places.find(node.name);
      if (found == places.end()) continue;
      node.kind = AdKind::attribute, node.at = found->second;
      node.up = static_cast<std::uint32_t>(up);
      return;
    }
    const auto variable = variables_.find(node.name);
    node.kind = variable == variables_.end() ? AdKind::unknown : AdKind::variable;
    if (variable != variables_.end()) node.at = variable->second;
  }

  AdTree& tree_;
  Places variables_;
  std::vector<Places> around_;
};

// Gives the largest expressions without names their values.
class Fixer {
public:
  explicit Fixer(AdTree& tree)
      : tree_(tree), evaluator_(tree, host_, {.steps = 100'000, .depth = 200, .text = 256}) {}

  void fix(std::uint32_t place) {
    if (is_fixed(place)) set(place);
  }

private:
  // Whether the expression always has the same value. What is below one that has not is fixed.
  bool is_fixed(std::uint32_t place) {
    const auto node = tree_.nodes[place];
    std::vector<std::uint32_t> fixed;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const auto child = tree_.child(node, i).node;
      if (is_fixed(child)) fixed.push_back(child);
    }
    if (fixed.size() == node.count && may_be_fixed(node)) return true;
    for (const auto child : fixed) set(child);
    return false;
  }
  static bool may_be_fixed(const AdNode& node) {
    switch (node.kind) {
    case AdKind::literal:
    case AdKind::index:
    case AdKind::unary:
    case AdKind::chain:
    case AdKind::conditional:
    case AdKind::list: return true;
    case AdKind::call: return ad_functions()[node.at].kind != AdCallKind::of_moment;
    default: return false;
    }
  }
  void set(std::uint32_t place) {
    if (tree_.nodes[place].kind == AdKind::literal) return;
    auto value = evaluator_.value(place, nullptr);
    if (value.is_error() || evaluator_.is_exhausted()) return; // it is told why each time
    tree_.nodes[place].fixed = static_cast<std::uint32_t>(tree_.values.size());
    tree_.values.push_back(std::move(value));
  }

  AdTree& tree_;
  AdHost host_;
  AdEvaluator evaluator_;
};

} // namespace

void resolve(AdTree& tree) { Resolver(tree).resolve(tree.root); }
void fix_values(AdTree& tree) { Fixer(tree).fix(tree.root); }

bool defines(const Ad& ad, std::string_view attribute) {
  const auto& tree = *ad.tree;
  return tree.field(tree.nodes[tree.root], tree.number(lower(attribute))) != AdNode::none;
}

bool mentions(const Ad& ad, std::string_view name) {
  return ad.tree->number(lower(name)) != AdNode::none;
}

} // namespace almanac
