#include "core/policy/classad/parser.hpp"

#include "core/policy/classad/functions.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::size_t most_text = 256 * 1024, most_nodes = 20'000;
constexpr int highest = 200; ///< of a tree, and of calls that read it

bool is_keyword(std::string_view name) {
  const auto word = lower(name);
  return word == "true" || word == "false" || word == "undefined" || word == "error" ||
         word == "is" || word == "isnt";
}

// Of the operators with two operands, by how they are written; =?= and =!= are older forms.
std::optional<AdOperator> operator_of(const Token& token) {
  if (token.is("=?=")) return AdOperator::is;
  if (token.is("=!=")) return AdOperator::isnt;
  for (auto i = static_cast<int>(AdOperator::multiply);
       i <= static_cast<int>(AdOperator::logical_or); ++i) {
    const auto op = static_cast<AdOperator>(i);
    const bool is_word = op == AdOperator::is || op == AdOperator::isnt;
    if (is_word ? token.kind == TokenKind::name && equal_ignoring_case(token.text, sign_of(op))
                : token.is(sign_of(op)))
      return op;
  }
  return {};
}

// Null if the name is not a constant.
const AdValue* constant(std::string_view name) {
  static const std::pair<std::string_view, AdValue> all[] = {
      {"true", true}, {"false", false}, {"undefined", {}}, {"error", AdError{"the literal error"}}};
  for (const auto& [word, value] : all)
    if (equal_ignoring_case(name, word)) return &value;
  return nullptr;
}

std::string counted(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

} // namespace

AdParser::AdParser(std::string_view text, const AdWords& words) : lexer_(text) {
  tree_.words = words;
}

bool AdParser::take(std::string_view sign) {
  if (!token_.is(sign)) return false;
  advance();
  return true;
}

void AdParser::expect(std::string_view sign, const char* what) {
  if (!take(sign)) fail(std::string(sign) + " is missing" + what);
}

AdParser::Node AdParser::add(AdNode node, const std::vector<AdChild>& children) {
  int height = 1;
  for (const auto& child : children) height = std::max(height, heights_[child.node] + 1);
  if (tree_.nodes.size() >= most_nodes) fail("the text has more than 20000 parts");
  if (height > highest) fail("expressions are nested too deeply");
  if (!lexer_.failure().empty() && !tree_.nodes.empty()) return 0;
  node.first = static_cast<std::uint32_t>(tree_.children.size());
  node.count = static_cast<std::uint32_t>(children.size());
  tree_.children.insert(tree_.children.end(), children.begin(), children.end());
  tree_.nodes.push_back(node);
  heights_.push_back(height);
  return static_cast<Node>(tree_.nodes.size() - 1);
}

AdParser::Node AdParser::add_value(AdValue value) {
  AdNode node{AdKind::literal};
  node.at = static_cast<std::uint32_t>(tree_.values.size());
  tree_.values.push_back(std::move(value));
  return add(node);
}

std::uint32_t AdParser::name_number(std::string_view name) {
  auto small = lower(name);
  const auto [it, is_new] =
      numbers_.try_emplace(small, static_cast<std::uint32_t>(tree_.names.size()));
  if (is_new) tree_.names.emplace_back(name), tree_.lower.push_back(std::move(small));
  return it->second;
}

Result<AdTree> AdParser::parse() {
  advance();
  const bool is_in_brackets = take("[");
  tree_.root = definitions(is_in_brackets ? "]" : "");
  if (token_.kind != TokenKind::end) fail("nothing may follow the record of the text");
  if (!lexer_.failure().empty()) return Error{lexer_.failure()};
  return std::move(tree_);
}

// The attributes of a record, up to and with the closing bracket or up to the end of the text.
AdParser::Node AdParser::definitions(std::string_view closing) {
  std::vector<AdChild> fields;
  std::set<std::uint32_t> seen;
  while (token_.kind == TokenKind::name && !is_keyword(token_.text)) {
    const auto name = name_number(token_.text);
    if (!seen.insert(name).second) fail(std::string(excerpt(token_.text)) + " is defined twice");
    advance();
    expect("=", " behind the name of an attribute");
    const auto value = expression();
    fields.push_back({value, AdOperator::none, name});
    if (!take(";")) break;
  }
  const bool is_closed = closing.empty() ? token_.kind == TokenKind::end : take(closing);
  if (!is_closed)
    fail(token_.kind == TokenKind::name && is_keyword(token_.text)
             ? "a word of the language cannot be the name of an attribute"
             : "an attribute, `name = expression`, is expected here, with ; between two of them");
  return add({AdKind::record}, fields);
}

AdParser::Node AdParser::expression() {
  if (++depth_ > highest) fail("expressions are nested too deeply");
  auto node = chain(1);
  if (take("?")) {
    const auto then = expression();
    expect(":", " behind ?");
    const auto otherwise = expression();
    node = add({AdKind::conditional}, {{node}, {then}, {otherwise}});
  }
  --depth_;
  return node;
}

// Operands and operators of this level and of those that bind more tightly. What has the same level
// is one node, however long it is.
AdParser::Node AdParser::chain(int least_level) {
  auto node = unary();
  for (auto op = operator_of(token_); op && level_of(*op) >= least_level;
       op = operator_of(token_)) {
    const auto level = level_of(*op);
    std::vector<AdChild> operands{{node}};
    for (; op && level_of(*op) == level; op = operator_of(token_)) {
      advance();
      const auto operand = chain(level + 1);
      operands.push_back({operand, *op});
    }
    node = add({AdKind::chain}, operands);
  }
  return node;
}

AdParser::Node AdParser::unary() {
  constexpr AdOperator unary_signs[] = {AdOperator::negate, AdOperator::keep,
                                        AdOperator::logical_not, AdOperator::complement};
  if (++depth_ > highest) fail("expressions are nested too deeply");
  for (const auto op : unary_signs)
    if (take(sign_of(op))) {
      const auto operand = unary();
      --depth_;
      return add({AdKind::unary, op}, {{operand}});
    }
  const auto node = postfix();
  --depth_;
  return node;
}

AdParser::Node AdParser::postfix() {
  auto node = primary();
  for (;;) {
    if (take(".")) {
      if (token_.kind != TokenKind::name || is_keyword(token_.text))
        fail("the name of an attribute is expected behind .");
      AdNode select{AdKind::select};
      select.name = name_number(token_.text);
      advance();
      node = add(select, {{node}});
    } else if (take("[")) {
      const auto place = expression();
      expect("]", " behind an index");
      node = add({AdKind::index}, {{node}, {place}});
    } else return node;
  }
}

AdParser::Node AdParser::primary() {
  if (token_.kind == TokenKind::literal) {
    auto value = token_.value;
    advance();
    return add_value(std::move(value));
  }
  if (token_.kind == TokenKind::name) return name_or_call();
  if (take("(")) {
    const auto inner = expression();
    expect(")", " behind an expression");
    return inner;
  }
  if (take("{")) return add({AdKind::list}, expressions("}"));
  if (take("[")) return definitions("]");
  fail("an expression is expected here");
  return add_value({});
}

std::vector<AdChild> AdParser::expressions(std::string_view closing) {
  std::vector<AdChild> found;
  if (take(closing)) return found;
  do {
    const auto node = expression();
    found.push_back({node});
  } while (take(","));
  expect(closing, " behind a list of expressions");
  return found;
}

AdParser::Node AdParser::name_or_call() {
  const auto name = token_.text;
  const auto at = token_.at;
  advance();
  if (take("(")) return call(name, at);
  if (const auto* value = constant(name)) return add_value(*value);
  if (is_keyword(name)) lexer_.fail(at, "an operand is missing before " + std::string(name));
  AdNode node{AdKind::name};
  node.name = name_number(name);
  return add(node);
}

AdParser::Node AdParser::call(std::string_view name, std::size_t at) {
  auto arguments = expressions(")");
  const auto functions = ad_functions();
  const auto own = std::find_if(functions.begin(), functions.end(), [&](const AdFunction& one) {
    return equal_ignoring_case(one.name, name);
  });
  AdNode node{AdKind::call};
  node.at = static_cast<std::uint32_t>(own - functions.begin());
  if (own != functions.end()) return call_of(node, std::move(arguments), at);
  const auto& others = tree_.words.functions;
  const auto other = std::find_if(others.begin(), others.end(), [&](const std::string& one) {
    return equal_ignoring_case(one, name);
  });
  if (other == others.end()) lexer_.fail(at, "there is no function " + excerpt(name));
  node.kind = AdKind::host_call;
  node.at = static_cast<std::uint32_t>(other - others.begin());
  return add(node, arguments);
}

AdParser::Node AdParser::call_of(AdNode node, std::vector<AdChild> arguments, std::size_t at) {
  const auto& function = ad_functions()[node.at];
  const auto count = arguments.size();
  const bool is_quadratic = function.name == "quadratic";
  if (count < function.least || (function.most != 255 && count > function.most) ||
      (is_quadratic && count == 6))
    lexer_.fail(at, std::string(function.name) + "() is not called with " + counted(count));
  if (function.name == "regexp" && lexer_.failure().empty()) {
    const auto& first = tree_.nodes[arguments.front().node];
    const auto* text =
        first.kind == AdKind::literal ? tree_.values[first.at].as<AdText>() : nullptr;
    if (text && count == 2) {
      auto matcher = Matcher::parse(**text, TextCase::counts);
      if (!matcher) lexer_.fail(at, matcher.what());
      else
        node.matcher = static_cast<std::uint32_t>(tree_.matchers.size()),
        tree_.matchers.push_back(std::move(*matcher));
    }
  }
  return add(node, arguments);
}

Result<Ad> parse_ad(std::string_view text, const AdWords& words) {
  if (text.size() > most_text) return Error{"the text has more than 256 KB"};
  if (!is_utf8(text)) return Error{"the text is not UTF-8"};
  if (std::any_of(text.begin(), text.end(),
                  [](char c) { return is_control(c) && c != '\n' && c != '\t' && c != '\r'; }))
    return Error{"the text contains a control character"};
  auto tree = AdParser(text, words).parse();
  if (!tree) return tree.error();
  resolve(*tree);
  fix_values(*tree);
  return Ad{std::make_shared<const AdTree>(std::move(*tree))};
}

} // namespace almanac
