// Expressions as text: with brackets where the tree needs them, blanks around operators.
#include "core/policy/classad/functions.hpp"
#include "core/policy/classad/tree.hpp"

namespace almanac {

namespace {

// How tightly the outermost part of an expression binds: 0 of ?:, 11 of a sign in front, 12 of what
// stands by itself.
int tightness(const AdTree& tree, const AdNode& node) {
  if (node.kind == AdKind::conditional) return 0;
  if (node.kind == AdKind::chain) return level_of(tree.child(node, 1).before);
  return node.kind == AdKind::unary ? 11 : 12;
}

class ExpressionPrinter {
public:
  explicit ExpressionPrinter(const AdTree& tree) : tree_(tree) {}

  void print(std::uint32_t place) {
    const auto& node = tree_.nodes[place];
    switch (node.kind) {
    case AdKind::literal: text += print_value(tree_.values[node.at], 1 << 20); break;
    case AdKind::name:
    case AdKind::attribute:
    case AdKind::variable:
    case AdKind::unknown: text += tree_.names[node.name]; break;
    case AdKind::select: print(node, 0, 12), text += "." + tree_.names[node.name]; break;
    case AdKind::index: print(node, 0, 12), text += '[', print(node, 1, 0), text += ']'; break;
    case AdKind::unary: text += sign_of(node.op), print(node, 0, 11); break;
    case AdKind::chain: chain(node); break;
    case AdKind::conditional:
      print(node, 0, 1), text += " ? ", print(node, 1, 0), text += " : ", print(node, 2, 0);
      break;
    case AdKind::call: text += ad_functions()[node.at].name, list(node, '(', ')'); break;
    case AdKind::host_call: text += tree_.words.functions[node.at], list(node, '(', ')'); break;
    case AdKind::list: list(node, '{', '}'); break;
    case AdKind::record: text += '[', fields(node, "; "), text += ']'; break;
    }
  }
  void fields(const AdNode& record, const char* between) {
    for (std::uint32_t i = 0; i < record.count; ++i) {
      if (i) text += between;
      text += tree_.names[tree_.child(record, i).name] + " = ";
      print(record, i, 0);
    }
  }
  std::string text;

private:
  // A child, in brackets where it binds less tightly than that.
  void print(const AdNode& node, std::uint32_t i, int least) {
    const auto child = tree_.child(node, i).node;
    const bool needs_brackets = tightness(tree_, tree_.nodes[child]) < least;
    if (needs_brackets) text += '(';
    print(child);
    if (needs_brackets) text += ')';
  }
  void chain(const AdNode& node) {
    const auto own = tightness(tree_, node);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      if (i) text += ' ', text += sign_of(tree_.child(node, i).before), text += ' ';
      print(node, i, own + 1);
    }
  }
  void list(const AdNode& node, char open, char close) {
    text += open;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      if (i) text += ", ";
      print(node, i, 0);
    }
    text += close;
  }

  const AdTree& tree_;
};

} // namespace

std::string print_expression(const AdTree& tree, std::uint32_t node) {
  ExpressionPrinter printer(tree);
  printer.print(node);
  return std::move(printer.text);
}

std::string print_ad(const Ad& ad) {
  const auto& tree = *ad.tree;
  ExpressionPrinter printer(tree);
  printer.fields(tree.nodes[tree.root], ";\n");
  return printer.text.empty() ? "" : printer.text + ";\n";
}

} // namespace almanac
