#include "core/configuration/objects/quota_rule.hpp"

#include "core/configuration/objects/built_in_complexes.hpp"
#include "core/configuration/objects/complex.hpp"
#include "core/text/names.hpp"
#include "core/text/words.hpp"

#include <algorithm>

namespace almanac {

namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::array<std::string_view, quota_filters> filter_names{"users", "projects", "pes",
                                                                   "queues", "hosts"};
constexpr std::array<std::string_view, quota_filters> filter_objects{"user", "project", "pe",
                                                                     "queue", "host"};
constexpr std::size_t longest_item = 512;

std::optional<std::size_t> filter_called(std::string_view word) {
  const auto found = std::find(filter_names.begin(), filter_names.end(), word);
  if (found == filter_names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - filter_names.begin());
}
bool is_keyword(std::string_view word) { return word == "to" || filter_called(word); }

Error at_word(const std::string& what, std::string_view word) {
  return {what + "\n\"" + excerpt(word) + "\""};
}

Error invalid_filter(std::size_t filter, std::string_view word) {
  return at_word("resource quota set contains invalid " + std::string(filter_objects[filter]) +
                     " filter",
                 word);
}

// What names, patterns and names of sets are made of. A word that begins a filter or the limits is
// one wherever it stands alone, so it is no name either.
bool is_item(std::string_view item) {
  const auto name = item.starts_with('@') ? item.substr(1) : item;
  return !name.empty() && item.size() <= longest_item && !is_keyword(item) && name.front() != '!' &&
         name.front() != '@' && name.find_first_of("\"'\\=;|&()`") == std::string_view::npos &&
         is_utf8(name) && std::none_of(name.begin(), name.end(), is_control);
}

// The braces separate, too: Grid Engine reads "{a},b" like "{a,b}" (Q2.8).
class ScopeReader {
public:
  explicit ScopeReader(std::size_t filter) : filter_(filter) {}

  Result<QuotaScope> read(std::string_view text) {
    for (std::size_t from = 0; from < text.size();) {
      const auto to = std::min(text.find_first_of(" \t\r,{}", from), text.size());
      if (to > from)
        if (auto sound = add(text.substr(from, to - from)); !sound) return sound.error();
      if (to < text.size() && (text[to] == '{' || text[to] == '}')) {
        const bool opens = text[to] == '{';
        if (opens == inside_) return unbalanced(text);
        inside_ = opens, scope_.expanded = true;
      }
      from = to + 1;
    }
    if (inside_) return unbalanced(text);
    if (scope_.included.empty() && scope_.excluded.empty())
      return invalid_filter(filter_, filter_names[filter_]);
    scope_.given = true;
    scope_.excluded_inside = scope_.expanded && !scope_.excluded.empty() &&
                             (scope_.included.empty() || !is_any_outside_);
    return scope_;
  }

private:
  static Error unbalanced(std::string_view text) {
    return at_word("no valid expanded list", trim(text));
  }
  Outcome add(std::string_view word) {
    const bool excludes = word.starts_with('!');
    const auto item = excludes ? word.substr(1) : word;
    if (!is_item(item)) return invalid_filter(filter_, word);
    (excludes ? scope_.excluded : scope_.included).emplace_back(item);
    is_any_outside_ = is_any_outside_ || (excludes && !inside_);
    return Done{};
  }

  std::size_t filter_;
  QuotaScope scope_;
  bool inside_ = false, is_any_outside_ = false;
};

bool is_value(std::string_view value) {
  return !value.empty() && value.find_first_of(" \\\"") == std::string_view::npos &&
         is_utf8(value) && std::none_of(value.begin(), value.end(), is_control);
}

class RuleReader {
public:
  explicit RuleReader(std::string_view text) : rest_(text) {}

  Result<QuotaRule> read() {
    if (next() != "limit") return at_word("a rule begins with \"limit\"", word_);
    next();
    if (word_ == "name") {
      if (auto valid = valid_object_name(next()); !valid) return at_word(valid.what(), word_);
      rule_.name = word_;
      next();
    }
    for (; word_ != "to"; next()) {
      if (word_.empty()) return at_word("a rule needs \"to\" and what it limits", "limit");
      const auto filter = filter_called(word_);
      if (!filter) return at_word("unknown attribute name \"" + excerpt(word_) + "\"", word_);
      if (auto read = read_scope(*filter); !read) return read.error();
    }
    if (auto read = read_limits(); !read) return read.error();
    return std::move(rule_);
  }

private:
  std::string_view peek() const {
    const auto from = std::min(rest_.find_first_not_of(blanks), rest_.size());
    return rest_.substr(from, rest_.find_first_of(blanks, from) - from);
  }
  std::string_view next() {
    word_ = peek();
    rest_.remove_prefix(static_cast<std::size_t>(word_.data() - rest_.data()) + word_.size());
    return word_;
  }

  Outcome read_scope(std::size_t filter) {
    auto& scope = rule_.scopes.at(filter);
    if (scope.given)
      return at_word("attribute \"" + std::string(word_) + "\" appears more than once", word_);
    std::string text;
    for (auto word = peek(); !word.empty() && !is_keyword(word); word = peek())
      text += next(), text += ' ';
    auto read = ScopeReader(filter).read(text);
    if (!read) return read.error();
    scope = std::move(*read);
    return Done{};
  }

  Outcome read_limits() {
    for (const auto& piece : split(rest_, ',')) {
      const std::string_view limit = trim(piece);
      const auto equals = limit.find('=');
      const auto name = limit.substr(0, equals);
      const auto value = equals == std::string_view::npos ? "" : limit.substr(equals + 1);
      if (!valid_object_name(name) || !is_value(value))
        return at_word("a limit must be written complex=value", limit);
      rule_.limits.push_back({std::string(name), std::string(value), std::nullopt, 0});
    }
    if (rule_.limits.empty()) return at_word("a rule needs \"to\" and what it limits", "to");
    return Done{};
  }

  std::string_view rest_, word_;
  QuotaRule rule_;
};

Outcome resolve_static(QuotaLimit& limit, const Complex& complex) {
  const auto named = [&](const char* why) {
    return at_word("attribute \"" + complex.name + "\" " + why, limit.text);
  };
  if (complex.is_text()) return complex.valid_value(limit.text, false);
  if (limit.text.starts_with('-'))
    return named(complex.is_consumable() ? "is consumable but has a negative value"
                                         : "has a negative value");
  const bool is_integer = complex.type == ValueType::integer;
  if ((is_integer || complex.type == ValueType::decimal) &&
      equal_ignoring_case(limit.text, "INFINITY"))
    return named("is not a value that can be set to infinity");
  const auto amount = complex.amount(limit.text);
  if (!amount)
    return is_integer ? named("is not a integer value") : at_word(amount.what(), limit.text);
  limit.amount = *amount;
  return Done{};
}

Outcome resolve_dynamic(QuotaLimit& limit, const Complex& complex, const QuotaRule& rule,
                        const ComplexTable& complexes) {
  if (complex.is_text() || complex.type == ValueType::boolean)
    return at_word("attribute \"" + complex.name + "\" is not a number", limit.text);
  // Without braces there is one pool for several hosts, and no host to ask (Q4.28).
  if (!rule.scope(QuotaFilter::hosts).expanded)
    return at_word("dynamic limits are only supported for per host rules", limit.text);
  auto read = parse_quota_formula(limit.text, complexes);
  if (!read) return at_word(read.what(), limit.text);
  limit.text = std::move(read->text), limit.formula = std::move(read->formula);
  return Done{};
}

std::string text_of(const QuotaScope& scope) {
  std::vector<std::string> excluded;
  for (const auto& item : scope.excluded) excluded.push_back("!" + item);
  std::string text = join(scope.included, ",");
  const auto all = text + (text.empty() || excluded.empty() ? "" : ",") + join(excluded, ",");
  if (!scope.expanded) return all;
  if (excluded.empty() || scope.excluded_inside) return "{" + all + "}";
  return "{" + text + "}," + join(excluded, ",");
}

} // namespace

Result<QuotaRule> parse_quota_rule(std::string_view text) { return RuleReader(text).read(); }

Outcome resolve_limits(QuotaRule& rule, const ComplexTable& complexes) {
  std::vector<std::string> before;
  for (auto& limit : rule.limits) {
    const auto* complex = complexes.find(limit.complex);
    if (!complex)
      return at_word("\"resource_quota\" references not existing complex attribute \"" +
                         limit.complex + "\"",
                     limit.complex);
    limit.complex = complex->name;
    // Only what is fixed or is consumed (Q1.5).
    if (!complex->is_consumable() && is_load_value(complex->name))
      return at_word("attribute \"" + complex->name +
                         "\" is a load value, and only consumable and fixed attributes are limited",
                     limit.text);
    if (std::find(before.begin(), before.end(), complex->name) != before.end())
      return at_word("attribute \"" + complex->name + "\" appears more than once", limit.text);
    before.push_back(complex->name);
    const bool is_dynamic = limit.text.find('$') != std::string::npos;
    auto resolved = is_dynamic ? resolve_dynamic(limit, *complex, rule, complexes)
                               : resolve_static(limit, *complex);
    if (!resolved) return resolved;
  }
  return Done{};
}

std::string text_of(const QuotaRule& rule) {
  std::string text = "limit";
  if (!rule.name.empty()) text += " name " + rule.name;
  for (std::size_t filter = 0; filter < quota_filters; ++filter)
    if (const auto& scope = rule.scopes.at(filter); scope.given)
      text += " " + std::string(filter_names.at(filter)) + " " + text_of(scope);
  text += " to ";
  for (const auto& limit : rule.limits)
    text += (&limit == rule.limits.data() ? "" : ",") + limit.complex + "=" + limit.text;
  return text;
}

Error located(const Error& error, const std::string& place) {
  const auto end = error.what.find('\n');
  if (end == std::string::npos) return {error.what + "\n" + place};
  return {error.what.substr(0, end) + "\n" + place + ": " + error.what.substr(end + 1)};
}

} // namespace almanac
