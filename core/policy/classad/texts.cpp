#include "core/policy/classad/texts.hpp"

#include "core/policy/classad/classad.hpp"
#include "core/policy/classad/number_functions.hpp"

#include <algorithm>
#include <string>

namespace almanac {

namespace {

constexpr AdError no_text{"a text is expected"};
constexpr AdError too_long{"a text is too long"};
constexpr AdError no_part{"substr() takes a text and integers"};
constexpr AdError no_expression{"the regular expression is malformed"};
constexpr AdError no_option{"the option of regexp() is \"i\" or nothing"};
constexpr std::size_t most_expression = 4'096;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The byte at which the character of this number begins.
std::size_t place_of(std::string_view text, std::int64_t character) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (!continues_character(text[at]) && character-- == 0) break;
  return at;
}

// A place that may be negative, within 0 and `count`.
std::int64_t within(std::int64_t place, std::int64_t count) {
  return std::clamp<std::int64_t>(place < 0 ? std::max(place, -count) + count : place, 0, count);
}

template <class Change> AdValue changed(const AdValue& value, Change change) {
  const auto* text = value.as<AdText>();
  if (!text) return {no_text};
  std::string result = **text;
  for (char& c : result) c = change(c);
  return ad_text(std::move(result));
}

AdValue match(const Matcher& matcher, const std::string& text, AdCall& call) {
  call.work += steps_for_bytes(matcher.cost(text));
  return call.work <= call.most_work ? AdValue(matcher.matches(text)) : AdValue();
}

} // namespace

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

AdValue concatenation(std::span<const AdValue> given, AdCall& call) {
  std::string result;
  for (const auto& value : given) {
    const auto text = to_text(value);
    const auto* part = text.as<AdText>();
    if (!part) return text;
    if ((*part)->size() > call.most_text - result.size()) return {too_long};
    result += **part;
  }
  return ad_text(std::move(result));
}

AdValue part_of_text(std::span<const AdValue> given, AdCall&) {
  const auto* text = given[0].as<AdText>();
  const auto* at = given[1].as<std::int64_t>();
  const auto* size = given.size() == 3 ? given[2].as<std::int64_t>() : nullptr;
  if (!text || !at || (given.size() == 3 && !size)) return {no_part};
  const auto count = static_cast<std::int64_t>(characters(**text));
  const auto first = within(*at, count);
  auto last = count;
  if (size && *size < 0) last = within(*size, count);
  else if (size) last = first + std::min(*size, count - first);
  if (last <= first) return ad_text("");
  const auto begin = place_of(**text, first), end = place_of(**text, last);
  return ad_text((*text)->substr(begin, end - begin));
}

AdValue to_lower(std::span<const AdValue> given, AdCall&) {
  return changed(
      given[0], [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}
AdValue to_upper(std::span<const AdValue> given, AdCall&) {
  return changed(
      given[0], [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
}

AdValue text_matches(std::span<const AdValue> given, AdCall& call) {
  const auto *expression = given[0].as<AdText>(), *text = given[1].as<AdText>();
  const auto* option = given.size() == 3 ? given[2].as<AdText>() : nullptr;
  if (!expression || !text || (given.size() == 3 && !option)) return {no_text};
  if (option && **option != "" && **option != "i") return {no_option};
  if (call.matcher) return match(*call.matcher, **text, call);
  if ((*expression)->size() > most_expression) return {no_expression};
  // Reading an expression costs as much as some operators.
  call.work += 50 + static_cast<std::int64_t>((*expression)->size());
  if (call.work > call.most_work) return {};
  const bool ignores = option && **option == "i";
  const auto matcher = Matcher::parse(**expression, ignores ? TextCase::ignored : TextCase::counts);
  return matcher ? match(*matcher, **text, call) : AdValue(no_expression);
}

} // namespace almanac
