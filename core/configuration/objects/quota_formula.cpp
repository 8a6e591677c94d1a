#include "core/configuration/objects/quota_formula.hpp"

#include "core/base/wide.hpp"
#include "core/configuration/objects/complex.hpp"
#include "core/text/names.hpp"
#include "core/text/values.hpp"

namespace almanac {

namespace {

// So that the sum of all terms, each with the largest value, fits into a Wide.
constexpr std::size_t most_terms = 32;
constexpr std::int64_t largest_weight = 1'000'000'000 * fixed_point::unit;

Result<std::int64_t> number_of(std::string_view text) {
  const bool begins = !text.empty() && (text.front() == '.' || all_digits(text.substr(0, 1)));
  auto number = begins ? parse_millionths(text) : Error{""};
  if (number) return number;
  return Error{"\"" + excerpt(text) + "\" is not a number"};
}

Error uses_as_weight(std::string_view word) {
  return {"\"dynamical_limit\" uses \"" + excerpt(word) +
          "\" as weighting factor (only numbers are allowed)"};
}

class FormulaReader {
public:
  explicit FormulaReader(const ComplexTable& complexes) : complexes_(complexes) {}

  Outcome add(std::string_view term, std::int64_t sign) {
    if (term.empty() || term.ends_with('*'))
      return Error{
          "a formula is made of number, $complex and $complex*number, joined by + or -: one "
          "of these is missing beside a sign"};
    const auto star = term.find('*');
    const auto head = term.substr(0, star);
    const bool is_weighted = star != std::string_view::npos;
    const auto weight = is_weighted ? term.substr(star + 1) : std::string_view();
    if (weight.starts_with('$')) return uses_as_weight(weight);
    if (head.starts_with('$')) return add_complex(head.substr(1), is_weighted, weight, sign);
    if (is_weighted)
      return Error{"\"" + excerpt(term) + "\" is neither a number nor $complex*number"};
    const auto number = number_of(head);
    if (!number) return number.error();
    auto& constant = read_.formula.constant;
    if (__builtin_add_overflow(constant, sign * *number, &constant))
      return Error{"\"" + excerpt(term) + "\": the sum is too large"};
    read_.text += head;
    return Done{};
  }
  void join(char sign) { read_.text += sign; }
  WrittenFormula take() { return std::move(read_); }

private:
  Outcome add_complex(std::string_view name, bool is_weighted, std::string_view weight,
                      std::int64_t sign) {
    const auto* complex = complexes_.find(name);
    if (!complex)
      return Error{"\"dynamical_limit\" references not existing complex attribute \"" +
                   excerpt(name) + "\""};
    if (complex->type != ValueType::integer && complex->type != ValueType::decimal)
      return Error{"\"dynamical_limit\" uses \"$" + complex->name +
                   "\", which is neither INT nor DOUBLE"};
    const auto number = is_weighted ? number_of(weight) : fixed_point::unit;
    if (!number) return number.error();
    if (*number > largest_weight)
      return Error{"\"" + excerpt(weight) + "\" is too large: a weight is at most 1000000000"};
    if (read_.formula.terms.size() == most_terms)
      return Error{"a formula names at most " + std::to_string(most_terms) + " complexes"};
    read_.formula.terms.emplace_back(complex->name, sign * *number);
    read_.text += "$" + complex->name;
    if (is_weighted) read_.text += "*" + std::string(weight);
    return Done{};
  }

  const ComplexTable& complexes_;
  WrittenFormula read_;
};

} // namespace

Result<WrittenFormula> parse_quota_formula(std::string_view text, const ComplexTable& complexes) {
  FormulaReader reader(complexes);
  std::int64_t sign = 1;
  for (std::size_t from = 0; from <= text.size();) {
    const auto to = std::min(text.find_first_of("+-", from), text.size());
    if (auto read = reader.add(text.substr(from, to - from), sign); !read) return read.error();
    if (to < text.size()) {
      sign = text[to] == '-' ? -1 : 1;
      reader.join(text[to]);
    }
    from = to + 1;
  }
  return reader.take();
}

} // namespace almanac
