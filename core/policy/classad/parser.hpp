// Reads the policy language into a tree (spec/plus.md section 7, P7.28 to P7.30).
#pragma once

#include "core/base/result.hpp"
#include "core/policy/classad/lexer.hpp"
#include "core/policy/classad/tree.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace almanac {

/// Recursive descent. Behind the first failure all tokens are `end`, so it ends at once.
class AdParser {
public:
  AdParser(std::string_view text, const AdWords& words);

  /// The tree, names not yet resolved.
  Result<AdTree> parse();

private:
  using Node = std::uint32_t;

  void advance() { token_ = lexer_.next(); }
  bool take(std::string_view sign);
  void expect(std::string_view sign, const char* what);
  void fail(const std::string& what) { lexer_.fail(token_.at, what); }

  Node add(AdNode node, const std::vector<AdChild>& children = {});
  Node add_value(AdValue value);
  std::uint32_t name_number(std::string_view name);
  std::optional<AdOperator> binary() const;

  Node definitions(std::string_view closing);
  Node expression();
  Node chain(int least_level);
  Node unary();
  Node postfix();
  Node primary();
  Node name_or_call();
  Node call(std::string_view name, std::size_t at);
  Node call_of(AdNode node, std::vector<AdChild> arguments, std::size_t at);
  Node list();
  std::vector<AdChild> expressions(std::string_view closing);

  Lexer lexer_;
  Token token_;
  AdTree tree_;
  std::vector<int> heights_; ///< of the nodes
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  int depth_ = 0;
};

} // namespace almanac
